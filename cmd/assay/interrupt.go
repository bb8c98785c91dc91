package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// lastWords is how long assay may still remove what it made once it is told to end a
// second time. Tests of what it removes then are not to depend on the machine's speed.
var lastWords = 2 * time.Second

// untilInterrupted returns a context that the first signal to end cancels. The second
// one leaves assay lastWords to finish: two may come at once, from a terminal and from
// what supervises it. `assay cleanup` finds what is left then. Later ones change nothing.
func untilInterrupted() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	// With no signals named, Notify would take all of them.
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
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// heeded are the signals that end a run: those that are not already ignored, as
// nohup does with SIGHUP and a shell with a background job's SIGINT.
func heeded() []os.Signal {
	var out []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			out = append(out, s)
		}
	}
	return out
}
