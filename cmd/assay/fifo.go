package main

import (
	"io/fs"
	"os"
	"time"
)

// fifoPatience is how long a FIFO may have no writer before that is told.
const fifoPatience = time.Second

// openInput opens a file to read. A FIFO opens only when a program writes to it:
// whoever waits is told for what.
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
