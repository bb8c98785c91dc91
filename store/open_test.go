package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
)

func TestOpenMakesFileAndDirectoryPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b", "50% #1?x=y", "assay.db")
	s := reopen(t, path)
	must(t, s.Begin(context.Background(), assay.Run{ID: "r"}))
	for file, want := range map[string]os.FileMode{
		path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700,
	} {
		info, err := os.Stat(file)
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", file, got, want)
		}
	}
}

// written returns a closed database with a few hundred pages.
func written(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "assay.db")
	s, ctx := reopen(t, path), context.Background()
	must(t, keep(ctx, s, small("r", time.Now())))
	trial := small("r", time.Now()).Results[0].Trial.ID
	r := repeatNumber(2)
	for i := range 40_000 { // incompressible enough
		v := float64(i*7919%104729) / 3
		r.Measurements[0].Samples = append(r.Measurements[0].Samples, assay.Sample{At: v * v, Value: v})
	}
	must(t, s.AddRepeat(ctx, "r", trial, r))
	must(t, s.Close())
	return path
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T) (path string)
		want  error
		says  []string // in the message or hint
	}{
		{"newer schema", func(t *testing.T) string {
			path := written(t)
			execute(t, path, "PRAGMA user_version = 70")
			return path
		}, ErrNewer, []string{"has schema 70, this assay supports ", "upgrade"}},
		{"garbage header", func(t *testing.T) string {
			path := written(t)
			overwrite(t, path, 0, bytes.Repeat([]byte("garbage "), 13))
			return path
		}, ErrNotDatabase, []string{"--db", ".recover"}},
		{"garbage behind a good header", func(t *testing.T) string {
			path := written(t)
			overwrite(t, path, 100, bytes.Repeat([]byte("garbage "), 400))
			return path
		}, ErrDamaged, []string{".recover"}},
		{"cut in the middle", func(t *testing.T) string {
			path := written(t)
			info, err := os.Stat(path)
			must(t, err)
			must(t, os.Truncate(path, info.Size()/2))
			return path
		}, ErrDamaged, []string{".recover", "move it away"}},
		{"a text file", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "notes.txt")
			must(t, os.WriteFile(path, []byte(strings.Repeat("not a database\n", 100)), 0o600))
			return path
		}, ErrNotDatabase, []string{"--db"}},
		{"another program's database", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "other.db")
			must(t, os.WriteFile(path, nil, 0o600))
			execute(t, path, "CREATE TABLE bookmark (url TEXT)")
			return path
		}, ErrNotDatabase, []string{"another program"}},
		{"a directory", func(t *testing.T) string { return t.TempDir() },
			ErrNotDatabase, []string{"is a directory", "assay.db"}},
		{"a device", func(t *testing.T) string { return "/dev/null" },
			ErrNotDatabase, []string{"not a regular file"}},
		{"a file where the directory should be", func(t *testing.T) string {
			file := filepath.Join(t.TempDir(), "file")
			must(t, os.WriteFile(file, nil, 0o600))
			return filepath.Join(file, "assay.db")
		}, nil, []string{"cannot create its directory", "--db"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.spoil(t)
			before, _ := os.ReadFile(path)
			s, err := Open(context.Background(), path)
			if err == nil {
				s.Close()
				t.Fatal("it opened")
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v is no %q", err, c.want)
			}
			for _, word := range append(c.says, path) {
				if !strings.Contains(err.Error()+"\n"+assay.Hint(err), word) {
					t.Errorf("%q is neither in %q nor in its hint %q", word, err, assay.Hint(err))
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func execute(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	must(t, err)
}

func overwrite(t *testing.T, path string, at int64, with []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	_, err = f.WriteAt(with, at)
	must(t, err)
}

// SQLite has no checksums: with damage inside a blob it opens, and zstd finds
// it.
func TestDamagedBlobIsFoundWhenRead(t *testing.T) {
	path := written(t)
	s, ctx := reopen(t, path), context.Background()
	execute(t, path, `UPDATE evidence SET transcript = CAST(substr(transcript, 1, 20) || x'0102030405060708' || substr(transcript, 29) AS BLOB) WHERE repeat = 1`)
	execute(t, path, `UPDATE series SET samples = substr(samples, 1, length(samples) - 9) WHERE repeat = 2`)
	_, loading := s.Load(ctx, "r")
	_, reading := s.Transcript(ctx, "r", small("r", time.Now()).Results[0].Trial.ID, 1)
	for what, err := range map[string]error{"load": loading, "transcript": reading} {
		if !errors.Is(err, ErrDamaged) || !strings.Contains(assay.Hint(err), ".recover") {
			t.Errorf("%s: %v (hint %q)", what, err, assay.Hint(err))
		}
	}
}

func TestZeroLengthFileIsANewDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	must(t, os.WriteFile(path, nil, 0o640))
	s := reopen(t, path)
	must(t, s.Begin(context.Background(), assay.Run{ID: "r"}))
}

func TestCancelledContextIsItsOwnError(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s := at.fresh(t)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, load := s.Load(ctx, "r")
		_, open := Open(ctx, at.empty(t))
		for what, err := range map[string]error{"begin": s.Begin(ctx, assay.Run{ID: "r"}), "load": load, "open": open} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", what, err)
			}
		}
		// The store works as before.
		must(t, s.Begin(context.Background(), assay.Run{ID: "r"}))
	})
}

// A database opened twice in one process keeps its locks: neither closing nor
// opening one Store may release those of the other.
func TestOpenedTwiceInOneProcess(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		path := at.empty(t)
		ctx, first := context.Background(), reopen(t, path)
		must(t, first.Begin(ctx, assay.Run{ID: "one"}))
		second := reopen(t, path)
		must(t, second.Begin(ctx, assay.Run{ID: "two"}))
		must(t, second.Close())
		c := child(t, "fresh", path, "three")
		c.Stdin = strings.NewReader("go\n")
		must(t, c.Run())
		must(t, first.Begin(ctx, assay.Run{ID: "four"}))
		must(t, first.Close())
		if got := rowsOf(t, reopen(t, path), "run"); got != 4 {
			t.Errorf("%d runs, want 4", got)
		}
	})
}
