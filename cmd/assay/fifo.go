package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"assay"
)

// fifoPatience is how long to wait for a FIFO's writer before saying so.
const fifoPatience = time.Second

// openText opens a text file that the user named. Its errors include the name.
func (a *app) openText(name string) (*os.File, error) {
	f, err := a.openInput(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, assay.WithHint("give the files in it: "+strings.TrimSuffix(name, "/")+"/*", "%s is a directory", name)
	}
	return f, nil
}

// openInput opens a file for reading. Opening a FIFO blocks until a program
// writes to it, so the user is told what assay waits for.
func (a *app) openInput(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opening struct {
		file *os.File
		err  error
	}
	opened := make(chan opening, 1)
	go func() {
		f, err := os.Open(name)
		opened <- opening{f, err}
	}()
	select {
	case o := <-opened:
		return o.file, o.err
	case <-time.After(fifoPatience):
		a.stderr.say("assay: waiting for a program that writes to %s\n", name)
	}
	o := <-opened
	return o.file, o.err
}
