package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A report may be rewritten repeatedly, as root, where another user can replace the file
// just written with a link: no other file's mode changes.
func TestWhatIsWrittenOpensNoOtherFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "page.html")
	done := make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
				_ = errors.Join(os.Remove(file), os.Symlink(victim, file))
			}
		}
	})
	a := newApp(strings.NewReader(""), io.Discard, io.Discard)
	a.file = file
	for range 300 {
		if err := a.output(func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }); err != nil {
			t.Error(err)
		}
		_ = os.Remove(file)
		if err := writeNew(file, []byte("x")); err != nil && !errors.Is(err, os.ErrExist) {
			t.Error(err)
		}
		_ = os.Remove(file)
	}
	close(done)
	other.Wait()
	info, err := os.Stat(victim)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() != 0 {
		t.Errorf("another file became %s of %d bytes", info.Mode(), info.Size())
	}
}

// Files written for others are readable by them; exports are not.
func TestModesOfWhatIsWritten(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o644} {
		file := filepath.Join(t.TempDir(), "x")
		if err := writeWhole(file, mode, func(w io.Writer) error { _, err := io.Copy(w, bytes.NewReader(nil)); return err }); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v, %v, want %s", info.Mode(), err, mode)
		}
	}
}
