package main

import (
	"context"
	"errors"
	"os"
)

func main() {
	collectLate()
	os.Exit(mainStatus())
}

func mainStatus() int {
	ctx, stop := untilInterrupted()
	defer stop()
	return execute(ctx, os.Args[1:], newApp(os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit status.
func execute(ctx context.Context, args []string, a *app) int {
	root := a.command()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout.to)
	root.SetErr(a.stderr.to)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	status := statusOf(err)
	var silent *statusError
	if status != exitUnread && (!errors.As(err, &silent) || silent.err != nil) {
		a.stderr.complain(err)
	}
	return status
}
