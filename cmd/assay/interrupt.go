package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lastWords is how long assay may still clean up after a second signal to end. It is a
// variable so that tests of the cleanup do not depend on the machine's speed.
var lastWords = 2 * time.Second

// untilInterrupted returns a context that the first termination signal cancels. The
// second leaves assay lastWords to finish, because two may arrive at once, from a
// terminal and from a supervisor. `assay cleanup` finds what is left then. Later signals
// change nothing.
//
// Nor does a broken pipe end assay before it has cleaned up: Go ends a program that
// writes to one as stdout or stderr, unless it has asked for the signal. (Commands would
// inherit an ignored signal.) If nobody reads stdout, the context is cancelled. A broken
// pipe on stderr alone loses no results, and one to a command is that command's error.
func untilInterrupted() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	// Without named signals, Notify would take all of them.
	if all := heeded(); len(all) > 0 {
		signal.Notify(signals, all...)
	}
	go func() {
		<-signals
		cancel()
		second := <-signals
		time.Sleep(lastWords)
		signal.Reset(second)
		if s, is := second.(syscall.Signal); is {
			_ = syscall.Kill(os.Getpid(), s)
		}
	}()
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	go func() {
		for range broken {
			if isUnread(syscall.Stdout) {
				cancel()
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// isUnread reports whether a descriptor is a pipe or socket that nobody reads any more.
func isUnread(descriptor int) bool {
	polled := []unix.PollFd{{Fd: int32(descriptor)}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n == 1 && polled[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}

// heeded returns the signals that end a run: those not already ignored, as
// nohup ignores SIGHUP and a shell SIGINT for a background job.
func heeded() []os.Signal {
	var out []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			out = append(out, s)
		}
	}
	return out
}
