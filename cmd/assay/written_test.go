package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
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

// What is no regular file is written to, and stays what it is: a rename would put a
// file in place of /dev/null.
func TestPipesAndDevicesAreWrittenTo(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(file string) error{
		"a pipe":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a device": func(file string) error { return syscall.Mknod(file, syscall.S_IFCHR|0o600, 1<<8|3) }, // as /dev/null
	} {
		for _, linked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, linked %t", name, linked), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := filepath.Join(dir, "out")
				if err := create(file); err != nil {
					t.Skipf("cannot make %s here: %v", name, err)
				}
				before, err := os.Stat(file)
				if err != nil {
					t.Fatal(err)
				}
				// Open before it is written to: otherwise a pipe would be waited for.
				reader, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
				if err != nil {
					t.Skipf("cannot open %s here: %v", name, err)
				}
				defer reader.Close()
				named := file
				if linked {
					named = filepath.Join(dir, "link")
					if err := os.Symlink(file, named); err != nil {
						t.Fatal(err)
					}
				}
				if err := writeWhole(named, 0o644, func(w io.Writer) error { _, err := io.WriteString(w, "text\n"); return err }); err != nil {
					t.Fatal(err)
				}
				if after, err := os.Lstat(file); err != nil || after.Mode() != before.Mode() {
					t.Errorf("became %v, %v", after.Mode(), err)
				}
				if info, err := os.Lstat(named); err != nil || linked != (info.Mode()&os.ModeSymlink != 0) {
					t.Errorf("the link became %v, %v", info.Mode(), err)
				}
				if text, err := io.ReadAll(reader); err != nil || name == "a pipe" && string(text) != "text\n" {
					t.Errorf("reads %q, %v", text, err)
				}
			})
		}
	}
}

// A report in place of a disk's first blocks would destroy what is on it.
func TestBlockDevicesAndDirectoriesAreNotWrittenTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for file, want := range map[string]string{"disk": "is a block device", "directory": "is a directory"} {
		file = filepath.Join(dir, file)
		if want == "is a directory" {
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := syscall.Mknod(file, syscall.S_IFBLK|0o600, 240<<8); err != nil { // a number without a driver
			t.Logf("cannot make a block device here: %v", err)
			continue
		}
		before, err := os.Lstat(file)
		if err != nil {
			t.Fatal(err)
		}
		err = writeWhole(file, 0o644, func(io.Writer) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: says %v, want %q", file, err, want)
		}
		if err := checkReportFile(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("before a run on %s: says %v, want %q", file, err, want)
		}
		if after, err := os.Lstat(file); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s became %v, %v", file, after.Mode(), err)
		}
	}
}
