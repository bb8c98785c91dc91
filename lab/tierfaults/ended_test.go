package tierfaults

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/report"
)

// Budgets: for a few repeats of one tier on a busy machine, of two, and for many
// until something happens.
const (
	short  = 25 * time.Second
	medium = 45 * time.Second
	aWhile = 50 * time.Second
)

// What one run measures of a directory or a claim, and of the store.
const (
	reads = "randread-4k"
	both  = "randread-4k,put-1k"
)

// interruptedEarly is Ctrl-C while pods come up.
func interruptedEarly(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := l.measure(aWhile, 3, reads)
	m.awaitSaid("waiting for pod")
	m.signal(syscall.SIGINT)
	if r := m.wait(2 * time.Minute); r.exit != stoppedByUs {
		t.Errorf("ended with %d: %s", r.exit, r.said)
	}
	l.expectEmpty()
}

// interrupted is Ctrl-C in the middle: what was measured stands.
func interrupted(t *testing.T, b *bed) {
	l := b.laptop(t, sd, b.s3("node2", ""))
	m := l.measure(aWhile, 6, both)
	m.awaitRepeats("sd", 1)
	m.signal(syscall.SIGINT)
	o := m.end()
	o.expectExit(stoppedByUs)
	o.expectFigures("sd")
	l.expectEmpty()
}

// killedEarly is kill -9 while pods come up: only the journal knows the namespace.
func killedEarly(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := l.measure(aWhile, 3, reads)
	m.awaitSaid("waiting for pod")
	m.kill()
	c := read[released](t, l.expectCleanup(fine))
	if len(c.Released) != 1 || !strings.HasPrefix(c.Released[0].Names["namespace"], "assay-") {
		t.Errorf("cleanup released %+v", c)
	}
	l.expectEmpty()
}

func (m *measuring) kill() {
	m.laptop.t.Helper()
	m.signal(syscall.SIGKILL)
	if r := m.wait(m.budget + overtime); r.exit != killedBy {
		m.laptop.t.Errorf("ended with %d", r.exit)
	}
}

// expectCleanup runs assay cleanup, as JSON.
func (l *laptop) expectCleanup(status int, words ...string) result {
	l.t.Helper()
	r := l.begin(append([]string{"cleanup", "--format", "json"}, words...)...).wait(4 * time.Minute)
	if r.exit != status {
		l.t.Errorf("cleanup %q ended with %d, want %d: %s", words, r.exit, status, r.said)
	}
	return r
}

// killed is kill -9 in the middle. Without the cluster.yaml all goes but what lies
// on a node, and with it that as well: a volume that was there before its claim is
// given back empty.
func killed(t *testing.T, b *bed) {
	l := b.laptop(t, sd, fixed, b.s3("node2", ""))
	m := l.measure(aWhile, 6, both)
	for _, host := range []string{"sd", "static", "store"} {
		m.awaitEvent("prepare", host)
	}
	m.awaitRepeats("store", 1)
	m.kill()
	r := l.expectCleanup(failed)
	r.expectSaid(t, "sd", "assay cleanup -i cluster.yaml")
	left := 0
	for _, one := range read[released](t, r).Released {
		if one.Error != "" {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d are left of %s", left, r.stdout)
	}
	l.expectCleanup(fine, "-i", l.file)
	l.expectEmpty()
}

// killedAndRunAgain has the next run remove what a killed one left, in tiers of its
// own and others, but not what was kept.
func killedAndRunAgain(t *testing.T, b *bed) {
	l := b.laptop(t, sd, fixed)
	keeping := l.measure(short, 3, reads, "--host", "sd", "--keep").end()
	keeping.expectDone()
	m := l.measure(aWhile, 6, reads)
	m.awaitRepeats("sd", 1)
	m.kill()
	o := l.measure(short, 3, reads, "--host", "sd").end()
	o.expectDone()
	o.expectFigures("sd")
	o.expectSaid(t, "note: removed what the killed run", "sd/directory", "static/directory", "namespace assay-")
	if strings.Contains(o.said, "an earlier run left") || strings.Contains(o.said, keeping.doc.Run.ID) {
		t.Errorf("it said %s", o.said)
	}
	c := read[released](t, l.expectCleanup(fine, "-i", l.file))
	for _, one := range c.Released {
		if one.Run != keeping.doc.Run.ID {
			t.Errorf("of run %s was left %+v", one.Run, one)
		}
	}
	if len(c.Released) != 2 {
		t.Errorf("kept were %+v", c.Released)
	}
	l.expectEmpty()
}

// kept leaves everything, and says how it is removed.
func kept(t *testing.T, b *bed) {
	l := b.laptop(t, pvc, b.s3("node1", ""))
	o := l.measure(medium, 3, both, "--keep").end()
	o.expectDone()
	o.expectSaid(t, "--keep left assay-", "(pvc)", "(store)", "assay cleanup -i "+l.file)
	run := "assay/run=" + o.doc.Run.ID
	for _, kind := range []string{"ns", "pod", "pvc"} {
		if b.kubectl(t, "get", kind, "-A", "-l", run, "-o", "name") == "" {
			t.Errorf("no %s is left", kind)
		}
	}
	if buckets, err := b.Garage.Buckets(b.ctx); err != nil || len(buckets) == 0 {
		t.Errorf("no bucket is left: %v", err)
	}
	stored, ok := l.stored()
	if !ok || !keptRows(stored) {
		t.Error("its figures are not stored")
	}
	l.expectCleanup(fine, "-i", l.file)
	l.expectEmpty()
}

func keptRows(d report.Document) bool {
	found := append(rowsOf(d, "pvc"), rowsOf(d, "store")...)
	for _, r := range found {
		if !measured(r) {
			return false
		}
	}
	return len(found) == 2
}
