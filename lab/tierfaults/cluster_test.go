package tierfaults

import (
	"strings"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
)

// drained drains a node mid-run: the other node's tier is unaffected, and what
// the evicted pod leaves on its node is removed with it.
func drained(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := measure(l, aWhile, 6, reads)
	m.awaitRepeats("pvc", 1)
	if err := b.Kube.Drain(b.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	m.awaitEvent("gone", "sd")
	if err := b.Kube.Undrain(b.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	o := m.end()
	o.expectExit(partial)
	o.expectFigures("pvc")
	o.expectLost("sd", "was evicted: the node was drained")
	// A pod that is gone cannot confirm that nothing is left on its node.
	expectCleanup(l, fine, "-i", l.File)
	l.ExpectEmpty()
}

// expectLost fails unless the report says that a host went away, and why.
func (o outcome) expectLost(host string, words ...string) {
	o.t.Helper()
	for _, a := range o.doc.Away {
		if a.Host == host && a.During() && laptop.Holds(a.Absent.Why, words) {
			return
		}
	}
	o.t.Errorf("%s: nowhere does it say %q; assay said\n%s\nrows:\n%s", host, words, laptop.Brief(o.Said), rows(o.doc))
}

// kubeletStopped stops a pod's kubelet mid-run. What assay has there is removed once
// the kubelet is back.
func kubeletStopped(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := measure(l, aWhile, 6, reads)
	m.awaitRepeats("sd", 1)
	if err := b.Kube.Stop(b.ctx, "node2", kube.Kubelet); err != nil {
		t.Fatal(err)
	}
	m.awaitEvent("gone", "pvc")
	m.awaitEvent("clean-up", "pvc")
	if err := b.Kube.Start(b.ctx, "node2", kube.Kubelet); err != nil {
		t.Fatal(err)
	}
	o := m.end()
	o.expectExit(partial)
	o.expectFigures("sd")
	o.expectLost("pvc", "node2", "ubelet")
	expectCleanup(l, fine)
	l.ExpectEmpty()
	b.awaitNodes(t)
}

func (b *bed) awaitNodes(t *testing.T) {
	t.Helper()
	b.kubectl(t, "wait", "--for=condition=Ready", "node", "--all", "--timeout=180s") // after a long outage a kubelet is slow to retry
}

// cutAndRestarted cuts a node's streams and restarts the API server: what was in
// flight is lost, and the run continues.
func cutAndRestarted(t *testing.T, b *bed) {
	l := b.laptop(t, sd)
	m := measure(l, 70*time.Second, 12, reads)
	m.awaitRepeats("sd", 1)
	if err := b.Kube.CutStreams(b.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	m.awaitRepeats("sd", 2)
	if err := b.Kube.Restart(b.ctx, kube.Control, kube.APIServer); err != nil {
		t.Fatal(err)
	}
	m.awaitRepeats("sd", 2)
	o := m.end()
	o.expectFigures("sd")
	for _, a := range o.doc.Away {
		t.Errorf("%s was given up: %s", a.Host, a.Absent.Why)
	}
	if o.Exit != fine && o.Exit != partial && o.Exit != rejected {
		t.Errorf("exit status %d: %s", o.Exit, laptop.Brief(o.Said))
	}
	l.ExpectEmpty()
}

// noServerAtTheEnd stops the API server before the run ends: assay says what is
// left, and the journal keeps it until it can be removed.
func noServerAtTheEnd(t *testing.T, b *bed) {
	l := b.laptop(t, sd, pvc)
	m := measure(l, medium, 3, reads)
	m.awaitEvent("clean-up", "pvc")
	if err := b.Kube.Stop(b.ctx, kube.Control, kube.APIServer); err != nil {
		t.Fatal(err)
	}
	r := m.Wait(medium + 5*time.Minute)
	if err := b.Kube.Start(b.ctx, kube.Control, kube.APIServer); err != nil {
		t.Fatal(err)
	}
	b.awaitNodes(t)
	// Scratch space may already be gone, with only pods and namespace left.
	if r.Exit != partial {
		t.Errorf("ended with %d", r.Exit)
	}
	expectSaid(t, r, "could not remove everything that the run created", "cannot reach",
		"note: left behind", "hint: remove with: assay cleanup -i "+l.File)
	c := laptop.Read[laptop.Released](t, expectCleanup(l, fine, "-i", l.File))
	found := false
	for _, one := range c.Released {
		found = found || strings.HasPrefix(one.Names["namespace"], "assay-")
	}
	if !found {
		t.Errorf("the journal held %+v", c)
	}
	l.ExpectEmpty()
}
