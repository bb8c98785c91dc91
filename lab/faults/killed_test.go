package faults

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/internal/laptop"
	"assay/report"
)

// repeats is for a run that is ended early: enough repeats to catch it midway, even
// if the test itself gets little time on a busy machine.
const repeats = 8

// awaitFigures waits until every host has a figure that is in the database.
func (b *bed) awaitFigures(m *measuring) {
	b.t.Helper()
	for _, h := range b.lab.Names() {
		b.awaitThat(m, h+" has a figure", func() bool { return m.measured(h) > 0 })
	}
	b.awaitThat(m, "the database has a figure of every host", func() bool {
		d, ok := b.laptop.Stored()
		for _, h := range b.lab.Names() {
			found := laptop.RowsOf(d, "", h)
			ok = ok && len(found) > 0 && laptop.Measured(found[0])
		}
		return ok
	})
}

// interrupt starts a run and, once every host has a figure, signals assay alone
// in the middle of fio.
func (b *bed) interrupt(s syscall.Signal) *measuring {
	b.t.Helper()
	m := b.measure(short, repeats, slowDisk...)
	b.awaitFigures(m)
	b.awaitRunning(m, "host1", "fio", "--rw=randread")
	m.Signal(s)
	return m
}

// Ctrl-C stops what is running, releases scratch space, and stores and prints what was
// measured so far.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	o := b.interrupt(syscall.SIGINT).end()
	o.expectExit(interrupted)
	o.expectFigures("host1", "host2")
	if o.doc.Run.Status != assay.RunInterrupted {
		t.Errorf("status %s", o.doc.Run.Status)
	}
	b.expectNothingLeft()
	stored, _ := b.laptop.Stored()
	if stored.Run.ID != o.doc.Run.ID || stored.Run.Status != assay.RunInterrupted {
		t.Errorf("stored is run %s as %s", stored.Run.ID, stored.Run.Status)
	}
	b.resume(stored)
}

// After kill -9 of assay alone the commands on the hosts end by themselves,
// measurements are stored, and cleanup finds all that is left.
func TestKilled(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	m := b.interrupt(syscall.SIGKILL)
	if r := m.Wait(3 * time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
		t.Fatalf("ended with %d", r.Exit)
	}
	for _, h := range b.lab.Names() {
		b.expectCommandsEnd(h)
	}
	if c := b.laptop.CleanUp(); len(c.Released) != 2 || c.InUse != 0 {
		t.Errorf("cleanup: %+v, want the scratch space of both hosts", c)
	}
	b.expectNothingLeft()
	stored, _ := b.laptop.Stored()
	b.resume(stored)
}

// resume continues a run that ended early: it keeps what there was and makes
// what was missing.
func (b *bed) resume(before report.Document) {
	b.t.Helper()
	for _, h := range b.lab.Names() {
		expectFigures(b.t, before, laptop.RowsOf(before, "", h), "before, "+h)
	}
	m := &measuring{budget: short, text: filepath.Join(b.laptop.Dir, "resumed.txt")}
	m.Command = b.laptop.Begin("run", "--resume", before.Run.ID, "-i", b.laptop.File, "--time-budget", short.String(),
		"--format", "json", "--report", m.text)
	o := m.end()
	o.expectMeasured()
	if o.doc.Run.ID != before.Run.ID || o.doc.Run.Status != assay.RunDone {
		b.t.Errorf("run %s is %s, want %s to be gone on with to its end", o.doc.Run.ID, o.doc.Run.Status, before.Run.ID)
	}
	for _, h := range b.lab.Names() {
		had, has := iops(before, h), iops(o.doc, h)
		if len(has) != repeats || len(had) == 0 || len(had) >= repeats || !slices.Equal(has[:len(had)], had) {
			b.t.Errorf("%s had %v and has %v, want %d repeats", h, had, has, repeats)
		}
	}
	b.expectNothingLeft()
}

// iops returns the repeats of a host's only trial, in order.
func iops(d report.Document, host string) []float64 {
	for _, r := range laptop.RowsOf(d, "", host) {
		for _, f := range r.Figures {
			if f.Metric == "storage.read.iops" {
				return f.Repeats
			}
		}
	}
	return nil
}
