package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"assay"
)

// writeWhole writes the whole file or none of it. A pipe or a character device, such as
// /dev/null, is written to instead: a rename would put a file in its place.
func writeWhole(file string, mode os.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(file); err == nil && inPlace(info) {
		return writeInto(file, info, write)
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".assay-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // already gone on success
	err = writeTo(temporary, write)
	if err == nil {
		// Through the descriptor: in another user's directory the name may lead elsewhere.
		err = errors.Join(temporary.Chmod(mode), temporary.Sync())
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file) // only a whole file replaces an older one
}

// inPlace reports whether a file is written to rather than replaced.
func inPlace(info fs.FileInfo) bool { return !info.Mode().IsRegular() || standard(info) != nil }

// writeInto writes to a file in place. Its name may lead elsewhere by now, so what
// counts is what was opened.
func writeInto(file string, info fs.FileInfo, write func(io.Writer) error) error {
	if open := standard(info); open != nil {
		return writeTo(open, write)
	}
	if err := refuseInPlace(info); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errors.New("it was replaced while it was opened")
	}
	if err == nil {
		err = writeTo(f, write)
	}
	return errors.Join(err, f.Close())
}

// refuseInPlace refuses what cannot be written to, and block devices: what is on them
// would be destroyed.
func refuseInPlace(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return assay.WithHint("give a file in it", "is a directory")
	case info.Mode().Type() == fs.ModeDevice:
		return assay.WithHint("give a file", "is a block device")
	}
	return nil
}

func writeTo(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 256<<10)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// standard returns stdout or stderr if that is the file, as /dev/stdout is. Opened
// again, a file would be written from its beginning.
func standard(info fs.FileInfo) *os.File {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if open, err := f.Stat(); err == nil && os.SameFile(info, open) {
			return f
		}
	}
	return nil
}

// isStdout reports whether a file is stdout.
func isStdout(file string) bool {
	info, err := os.Stat(file)
	return err == nil && standard(info) == os.Stdout
}
