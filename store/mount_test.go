//go:build linux

package store

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
)

// tmpfs mounts a separate file system for the test, or skips it.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount a tmpfs")
	}
	dir := t.TempDir()
	if err := syscall.Mount("assay-test", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("cannot mount a tmpfs here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			syscall.Unmount(dir, syscall.MNT_DETACH)
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	dir, ctx := tmpfs(t, "size=2m"), context.Background()
	path, ballast := filepath.Join(dir, "assay.db"), filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 400<<10), 0o600))
	s, err := Open(ctx, path)
	must(t, err)
	defer s.Close()
	run := small("r", time.Now())
	must(t, keep(ctx, s, run))
	trial := run.Results[0].Trial.ID

	last := 1
	for {
		err = s.AddRepeat(ctx, "r", trial, repeatNumber(last+1))
		if err != nil {
			break
		}
		if last++; last > 100_000 {
			t.Fatal("2 MiB never fill up")
		}
	}
	if !errors.Is(err, ErrFull) || !errors.Is(err, assay.ErrNoSpace) || !strings.Contains(assay.Hint(err), "df -h "+dir) {
		t.Fatalf("a full disk gives %v (hint %q)", err, assay.Hint(err))
	}
	t.Logf("after %d repeats: %v", last, err)

	whole := func(s *Store, count int) {
		t.Helper()
		got := mustLoad(t, s, "r").Results[0].Repeats
		if len(got) != count || got[count-1].N != count || len(got[count-1].Measurements) != 2 {
			t.Errorf("%d repeats, want %d", len(got), count)
		}
	}
	whole(s, last)
	if err := s.Strike(ctx, "none"); err != nil { // no change: nothing to write
		t.Errorf("strike on a full disk: %v", err)
	}
	must(t, s.Close())

	must(t, os.Remove(ballast))
	again, err := Open(ctx, path)
	must(t, err)
	defer again.Close()
	whole(again, last)
	must(t, again.AddRepeat(ctx, "r", trial, repeatNumber(last+1)))
	whole(again, last+1)
}

func TestNewDatabaseOnFullDisk(t *testing.T) {
	dir := tmpfs(t, "size=64k")
	err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 64<<10), 0o600)
	must(t, err)
	s, err := Open(context.Background(), filepath.Join(dir, "assay.db"))
	if err == nil {
		s.Close()
		t.Fatal("it opened")
	}
	if !errors.Is(err, ErrFull) || assay.Hint(err) == "" {
		t.Errorf("%v (hint %q)", err, assay.Hint(err))
	}
}

func TestReadOnlyMount(t *testing.T) {
	dir := tmpfs(t, "size=2m")
	path := filepath.Join(dir, "assay.db")
	s, err := Open(context.Background(), path)
	must(t, err)
	must(t, s.Close())
	must(t, syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	isReadOnly(t, path)
	isReadOnly(t, filepath.Join(dir, "new.db"))
	isReadOnly(t, filepath.Join(dir, "sub", "new.db"))
}

func TestReadOnlyFile(t *testing.T) {
	path := written(t)
	must(t, os.Chmod(path, 0o400))
	if os.Geteuid() == 0 { // root ignores permission bits
		if out, err := exec.Command("chattr", "+i", path).CombinedOutput(); err != nil {
			t.Skipf("cannot make a file immutable here: %v %s", err, out)
		}
		t.Cleanup(func() { exec.Command("chattr", "-i", path).Run() })
	}
	isReadOnly(t, path)
}

func isReadOnly(t *testing.T, path string) {
	t.Helper()
	s, err := Open(context.Background(), path)
	if err == nil {
		s.Close()
		t.Fatalf("%s opened", path)
	}
	if !errors.Is(err, assay.ErrReadOnly) || !strings.Contains(err.Error(), path) || !strings.Contains(assay.Hint(err), "--db") {
		t.Errorf("%v (hint %q)", err, assay.Hint(err))
	}
}
