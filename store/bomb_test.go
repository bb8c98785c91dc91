package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
)

// mostMemory is the most that reading a small database may take, in MiB of a separate
// process. It bounds bytes, and is the same on every machine.
const mostMemory = 512

// bombs turn a run into one that is a few bytes in the database and gigabytes in
// memory.
var bombs = map[string]func(s *Store) error{
	"series":           plant(`UPDATE series SET samples = ?`, func() ([]byte, error) { return pack(make([]byte, 32<<20)) }),
	"histograms":       plant(`UPDATE series SET histogram = ?`, func() ([]byte, error) { return pack(make([]byte, 32<<20)) }),
	"one large series": plant(`UPDATE series SET samples = ?`, func() ([]byte, error) { return pack(make([]byte, 240<<20)) }),
	"frames": plant(`UPDATE series SET samples = ?`, func() ([]byte, error) {
		one, err := pack(make([]byte, 8<<20))
		return bytes.Repeat(one, 30), err
	}),
	"watches": plant(`UPDATE evidence SET watch = ?`, func() ([]byte, error) {
		return pack([]byte(`{"ticks":[{}` + strings.Repeat(",{}", 400_000) + `]}`))
	}),
	"inventory": plant(`UPDATE run SET inventory = ?`, func() ([]byte, error) {
		return pack([]byte(`{"subjects":[{}` + strings.Repeat(",{}", 3_000_000) + `]}`))
	}),
	"trials": plant(`UPDATE trial SET trial = ?`, func() ([]byte, error) {
		return []byte(`{"subject":{"on":["a"` + strings.Repeat(`,""`, 300_000) + `]}}`), nil
	}),
}

// plant writes what light returns into every row of a table.
func plant(statement string, light func() ([]byte, error)) func(*Store) error {
	return func(s *Store) error {
		blob, err := light()
		if err != nil {
			return err
		}
		var value any = blob
		if strings.Contains(statement, "trial") {
			value = string(blob)
		}
		_, err = s.writer.Exec(statement, value)
		return err
	}
}

// many returns a run with many trials, repeats and series.
func many(id string) assay.Run {
	run := small(id, time.Unix(1_700_000_000, 0))
	first := run.Results[0]
	run.Results = nil
	for i := range 20 {
		r := first
		r.Trial.ID = fmt.Sprint("trial", i)
		r.Repeats = nil
		for n := range 5 {
			r.Repeats = append(r.Repeats, repeatNumber(n+1))
		}
		run.Results = append(run.Results, r)
	}
	return run
}

// readings reads the run "bomb" in every possible way.
var readings = map[string]func(context.Context, *Store) error{
	"load": func(ctx context.Context, s *Store) error { _, err := s.Load(ctx, "bomb"); return err },
	"give": func(ctx context.Context, s *Store) error { return s.Give(ctx, "bomb", nothing{}) },
	"compare": func(ctx context.Context, s *Store) error {
		_, err := s.LoadParts(ctx, []string{"bomb"}, Part{Series: true})
		return err
	},
	"trend": func(ctx context.Context, s *Store) error {
		_, _, err := s.Series(ctx, SeriesQuery{Metric: "storage.read.iops"})
		return err
	},
	"list": func(ctx context.Context, s *Store) error { _, err := s.Runs(ctx); return err },
}

type nothing struct{}

func (nothing) Head(assay.Run) error     { return nil }
func (nothing) Trial(assay.Result) error { return nil }
func (nothing) Repeat(assay.Repeat) error {
	return nil
}

// readBomb runs in a child process: it reads the database args[0] in the way args[1],
// and prints the error and its peak memory in MiB.
func readBomb(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	err = readings[args[1]](ctx, s)
	status, e := os.ReadFile("/proc/self/status")
	if e != nil {
		return e
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kib, e := strconv.Atoi(strings.Fields(peak)[0])
	if e != nil {
		return e
	}
	fmt.Printf("%d %v %v\n%v\n", kib>>10, errors.Is(err, ErrTooLarge), assay.Hint(err) != "", err)
	return nil
}

// raced reports whether this program looks for races, which takes several times the memory.
func raced() bool {
	info, known := debug.ReadBuildInfo()
	return known && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Whatever a small database holds, reading it takes bounded memory, and content that
// does not fit is an error that names the run.
func TestBombsInADatabaseTakeBoundedMemory(t *testing.T) {
	refuses := map[string]string{ // readings that reach it; the others succeed
		"series": "load give compare", "histograms": "load give compare", "one large series": "load give compare",
		"watches": "load give", "inventory": "load give compare", "trials": "", "frames": "",
	}
	for name, light := range bombs {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "assay.db")
			s := reopen(t, path)
			must(t, s.Import(context.Background(), many("bomb")))
			must(t, light(s))
			must(t, s.Close())
			info, err := os.Stat(path)
			must(t, err)
			for way := range readings {
				c := child(t, "bomb", path, way)
				c.Stdout, c.Stderr = nil, io.Discard
				out, err := c.Output()
				if err != nil {
					t.Fatalf("%s: %v", way, err)
				}
				var peak int
				var tooLarge, hint bool
				_, err = fmt.Sscan(string(out), &peak, &tooLarge, &hint)
				must(t, err)
				t.Logf("%-7s of %5d KiB: %3d MiB at most: %s", way, info.Size()>>10, peak, out)
				if peak > mostMemory && !raced() {
					t.Errorf("%s takes %d MiB", way, peak)
				}
				if want := strings.Contains(refuses[name], way); tooLarge != want || want && (!hint || !strings.Contains(string(out), "run bomb")) {
					t.Errorf("%s: %s", way, out)
				}
			}
		})
	}
}

// If one of several runs makes them too large, it is skipped unless it must be read;
// if they are just many, that is said.
func TestSeveralRunsShareTheRoom(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	blob, err := pack(make([]byte, 16<<20))
	must(t, err)
	var ids []string
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		must(t, s.Import(ctx, small(id, time.Unix(1_700_000_000, 0))))
		ids = append(ids, id)
	}
	_, err = s.writer.Exec(`UPDATE series SET samples = ?, histogram = ?`, blob, blob) // 64 MiB a run
	must(t, err)
	optional := Part{Series: true, Must: func(string) bool { return false }}
	_, err = s.LoadParts(ctx, ids, optional)
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(assay.Hint(err), "select fewer runs") {
		t.Errorf("many: %v (hint %q)", err, assay.Hint(err))
	}
	huge, err := pack(make([]byte, 200<<20))
	must(t, err)
	_, err = s.writer.Exec(`UPDATE series SET samples = ? WHERE run = 'a'`, huge)
	must(t, err)
	var skipped []string
	s.OnSkip(func(run string, _ error) { skipped = append(skipped, run) })
	runs, err := s.LoadParts(ctx, ids[:2], optional)
	if err != nil || len(runs) != 1 || runs[0].ID != "b" || fmt.Sprint(skipped) != "[a]" {
		t.Errorf("one: %d runs, %v, skipped %q", len(runs), err, skipped)
	}
	if _, err = s.LoadParts(ctx, ids[:2], Part{Series: true}); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "run a cannot be read") {
		t.Errorf("one that must be: %v", err)
	}
}
