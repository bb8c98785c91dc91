package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"assay"
)

func main() { os.Exit(mainStatus()) }

func mainStatus() int {
	ctx, stop := signal.NotifyContext(context.Background(), heeded()...)
	defer stop()
	// After the first signal the default is back: a second Ctrl-C ends assay at
	// once, and `assay cleanup` finds what that leaves.
	context.AfterFunc(ctx, stop)
	return execute(ctx, os.Args[1:], &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr})
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

// execute runs one command line and gives its exit status.
func execute(ctx context.Context, args []string, a *app) int {
	root := a.command()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	status := statusOf(err)
	var silent *statusError
	if !errors.As(err, &silent) || silent.err != nil {
		complain(a.stderr, err)
	}
	return status
}

// complain prints an error and its hint.
func complain(w io.Writer, err error) {
	fmt.Fprintf(w, "assay: %v\n", err)
	if hint := assay.Hint(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
}
