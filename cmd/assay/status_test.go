package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"assay"
)

func TestEveryErrorHasAStatus(t *testing.T) {
	unread := &os.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.EPIPE}
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("anything"), exitFailed},
		{assay.ErrBusy, exitFailed},
		{usage(errors.New("wrong flag")), exitUsage},
		{fmt.Errorf("deep down: %w", usage(errors.New("wrong flag"))), exitUsage},
		{fmt.Errorf("stop: %w", context.Canceled), exitInterrupted},
		{&statusError{exitRejected, nil}, exitRejected},
		{errors.Join(errors.New("one"), &statusError{exitPartial, nil}), exitPartial},
		{fmt.Errorf("show: %w", unread), exitUnread},
		{errors.Join(unread, unread), exitUnread},
		{errors.Join(unread, errors.New("the report file is on a full disk")), exitFailed},
		{&os.PathError{Op: "write", Path: "job.fifo", Err: syscall.EPIPE}, exitFailed},
	} {
		if got := statusOf(c.err); got != c.want {
			t.Errorf("%v: status %d, want %d", c.err, got, c.want)
		}
	}
}

// Interrupted outweighs broken, which outweighs rejected, which outweighs
// partial.
func TestHowARunEndsTheProgram(t *testing.T) {
	rejected := []assay.Finding{{Severity: assay.Rejects}}
	away := assay.Inventory{Hosts: []assay.Host{{Name: "a"}, {Name: "b", Absent: &assay.Absence{Word: assay.Unknown}}}}
	two := assay.Inventory{Hosts: []assay.Host{{Name: "a"}, {Name: "b"}}}
	noTool := []assay.Result{{Trial: assay.Trial{Absent: &assay.Absence{Word: assay.Unknown}}}}
	noDrive := []assay.Result{{Trial: assay.Trial{Absent: &assay.Absence{Word: assay.NotSupported}}}}
	broke := []assay.Result{{Repeats: []assay.Repeat{{N: 1, Outcome: assay.Broke}}}}
	for _, c := range []struct {
		run  assay.Run
		err  error
		want int
	}{
		{assay.Run{Status: assay.RunDone}, nil, exitFine},
		{assay.Run{Status: assay.RunDone, Findings: []assay.Finding{{Severity: assay.Warns}}}, nil, exitFine},
		{assay.Run{Status: assay.RunDone, Findings: rejected}, nil, exitRejected},
		{assay.Run{Status: assay.RunPartial}, nil, exitPartial},
		{assay.Run{Status: assay.RunPartial, Findings: rejected}, nil, exitRejected},
		{assay.Run{Status: assay.RunPartial, Findings: rejected, Inventory: away}, nil, exitPartial},
		{assay.Run{Status: assay.RunPartial, Findings: rejected, Inventory: two, Results: noTool}, nil, exitPartial},
		{assay.Run{Status: assay.RunPartial, Findings: rejected, Results: noTool}, nil, exitRejected},
		{assay.Run{Status: assay.RunPartial, Findings: rejected, Inventory: two, Results: noDrive}, nil, exitRejected},
		{assay.Run{Status: assay.RunPartial, Findings: rejected, Results: broke}, nil, exitPartial},
		{assay.Run{Status: assay.RunFailed}, nil, exitFailed},
		{assay.Run{Status: assay.RunInterrupted, Findings: rejected}, context.Canceled, exitInterrupted},
		{assay.Run{Status: assay.RunDone}, errors.New("the report could not be written"), exitFailed},
	} {
		err := runStatus(c.run, c.err)
		got := exitFine
		if err != nil {
			got = statusOf(err)
		}
		if got != c.want {
			t.Errorf("%s with %d findings, error %v: status %d, want %d", c.run.Status, len(c.run.Findings), c.err, got, c.want)
		}
	}
}
