package tierfaults

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/report"
)

// Budgets for a busy machine: a few repeats of one tier, of two, and many until
// something happens.
const (
	short  = 25 * time.Second
	medium = 45 * time.Second
	aWhile = 50 * time.Second
)

// What a run measures of a directory or claim, and of both that and the store.
const (
	reads = "randread-4k"
	both  = "randread-4k,put-1k"
)

// interruptedEarly presses Ctrl-C while pods come up.
func interruptedEarly(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := measure(l, aWhile, 3, reads)
	m.awaitSaid("waiting for pod")
	m.Signal(syscall.SIGINT)
	if r := m.Wait(2 * time.Minute); r.Exit != stoppedByUs {
		t.Errorf("ended with %d: %s", r.Exit, r.Said)
	}
	l.ExpectEmpty()
}

// interrupted presses Ctrl-C midway: what was measured stands.
func interrupted(t *testing.T, b *bed) {
	l := b.laptop(t, sd, b.s3("node2", ""))
	m := measure(l, aWhile, 6, both)
	m.awaitRepeats("sd", 1)
	m.Signal(syscall.SIGINT)
	o := m.end()
	o.expectExit(stoppedByUs)
	o.expectFigures("sd")
	l.ExpectEmpty()
}

// killedEarly sends kill -9 while pods come up: only the journal knows the
// namespace.
func killedEarly(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := measure(l, aWhile, 3, reads)
	m.awaitSaid("waiting for pod")
	m.kill()
	c := laptop.Read[laptop.Released](t, expectCleanup(l, fine))
	if len(c.Released) != 1 || !strings.HasPrefix(c.Released[0].Names["namespace"], "assay-") {
		t.Errorf("cleanup released %+v", c)
	}
	l.ExpectEmpty()
}

func (m *measuring) kill() {
	m.Laptop.T.Helper()
	m.Signal(syscall.SIGKILL)
	if r := m.Wait(m.budget + overtime); r.Exit != killedBy {
		m.Laptop.T.Errorf("ended with %d", r.Exit)
	}
}

// expectCleanup runs assay cleanup, as JSON.
func expectCleanup(l *laptop.Laptop, status int, words ...string) laptop.Result {
	l.T.Helper()
	r := l.Begin(append([]string{"cleanup", "--format", "json"}, words...)...).Wait(4 * time.Minute)
	if r.Exit != status {
		l.T.Errorf("cleanup %q ended with %d, want %d: %s", words, r.Exit, status, r.Said)
	}
	return r
}

// killed sends kill -9 midway. Without the cluster.yaml, cleanup removes all but
// what lies on a node; with it, that too: a volume that existed before its claim
// is given back empty.
func killed(t *testing.T, b *bed) {
	l := b.laptop(t, sd, fixed, b.s3("node2", ""))
	m := measure(l, aWhile, 6, both)
	for _, host := range []string{"sd", "static", "store"} {
		m.awaitEvent("prepare", host)
	}
	m.awaitRepeats("store", 1)
	m.kill()
	r := expectCleanup(l, failed)
	expectSaid(t, r, "sd", "assay cleanup -i cluster.yaml")
	left := 0
	for _, one := range laptop.Read[laptop.Released](t, r).Released {
		if one.Error != "" {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d are left of %s", left, r.Stdout)
	}
	expectCleanup(l, fine, "-i", l.File)
	l.ExpectEmpty()
}

// killedAndRunAgain checks that the next run removes what a killed one left, but not
// what was kept: the only volume of a class before it makes its own claim, the rest
// once its pods are up.
func killedAndRunAgain(t *testing.T, b *bed) {
	l := b.laptop(t, sd, strings.Replace(fixed, "node2", "node1", 1))
	keeping := measure(l, short, 3, reads, "--host", "sd", "--keep").end()
	keeping.expectDone()
	m := measure(l, aWhile, 6, reads)
	m.awaitRepeats("sd", 1)
	m.kill()
	o := measure(l, medium, 3, reads).end()
	o.expectDone()
	o.expectFigures("sd")
	o.expectFigures("static")
	expectSaid(t, o.Result, "removed what the interrupted run", "sd/directory", "static/directory", "namespace assay-")
	if strings.Contains(o.Said, "an earlier run left") || strings.Contains(o.Said, keeping.doc.Run.ID) {
		t.Errorf("it said %s", o.Said)
	}
	c := laptop.Read[laptop.Released](t, expectCleanup(l, fine, "-i", l.File))
	for _, one := range c.Released {
		if one.Run != keeping.doc.Run.ID {
			t.Errorf("of run %s was left %+v", one.Run, one)
		}
	}
	if len(c.Released) != 2 {
		t.Errorf("kept were %+v", c.Released)
	}
	l.ExpectEmpty()
}

// kept leaves everything, and says how to remove it.
func kept(t *testing.T, b *bed) {
	l := b.laptop(t, pvc, b.s3("node1", ""))
	o := measure(l, medium, 3, both, "--keep").end()
	o.expectDone()
	expectSaid(t, o.Result, "--keep left assay-", "(pvc)", "(store)", "assay cleanup -i "+l.File)
	run := "assay/run=" + o.doc.Run.ID
	for _, kind := range []string{"ns", "pod", "pvc"} {
		if b.kubectl(t, "get", kind, "-A", "-l", run, "-o", "name") == "" {
			t.Errorf("no %s is left", kind)
		}
	}
	if end := b.kubectl(t, "get", "job", "-A", "-l", run, "-o", "jsonpath={.items[*].spec.activeDeadlineSeconds}"); end != "" {
		t.Errorf("its pod ends by itself after %s s", end)
	}
	if buckets, err := b.Garage.Buckets(b.ctx); err != nil || len(buckets) == 0 {
		t.Errorf("no bucket is left: %v", err)
	}
	stored, ok := l.Stored()
	if !ok || !keptRows(stored) {
		t.Error("its figures are not stored")
	}
	expectCleanup(l, fine, "-i", l.File)
	l.ExpectEmpty()
}

func keptRows(d report.Document) bool {
	found := append(laptop.RowsOf(d, "", "pvc"), laptop.RowsOf(d, "", "store")...)
	for _, r := range found {
		if !laptop.Measured(r) {
			return false
		}
	}
	return len(found) == 2
}
