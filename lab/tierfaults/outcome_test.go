package tierfaults

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/internal/laptop"
	"assay/report"
)

// Exit statuses of runs with faults.
const (
	fine        = 0
	failed      = 1
	rejected    = 3
	partial     = 5
	killedBy    = 128 + int(syscall.SIGKILL)
	stoppedByUs = 130
)

// overtime is how long assay may exceed its budget on a busy machine: for pods to
// come and go, and to release scratch space.
const overtime = 2 * time.Minute

// measuring is a run of assay with its budget.
type measuring struct {
	*laptop.Command
	budget time.Duration
}

// measure starts assay run with the named cases.
func measure(l *laptop.Laptop, budget time.Duration, repeats int, only string, words ...string) *measuring {
	l.T.Helper()
	return &measuring{l.Begin(append([]string{"run", "-i", l.File, "--suite", "tiers", "--only", only, "--format", "json",
		"--time-budget", budget.String(), "--repeats", fmt.Sprint(repeats), "--seed", "1"}, words...)...), budget}
}

// outcome is a finished run with its report.
type outcome struct {
	laptop.Result
	t   testing.TB
	doc report.Document
}

// end waits for the run to end, and reads its output.
func (m *measuring) end() outcome {
	m.Laptop.T.Helper()
	r := m.Wait(m.budget + overtime)
	return outcome{r, m.Laptop.T, laptop.Read[report.Document](m.Laptop.T, r)}
}

// await waits until a condition holds while assay runs.
func (m *measuring) await(what string, is func() bool) {
	m.Laptop.T.Helper()
	m.AwaitWithin(2*time.Minute, what, is)
}

// awaitSaid waits until assay prints some words on standard error.
func (m *measuring) awaitSaid(words string) {
	m.Laptop.T.Helper()
	m.await(words, func() bool { return strings.Contains(m.Said(), words) })
}

// events counts the events of a kind on a host so far.
func (m *measuring) events(kind, host string, more ...string) (n int) {
	words := append([]string{`"event":"` + kind + `"`, `"host":"` + host + `"`}, more...)
	for line := range strings.Lines(m.Said()) {
		if laptop.Holds(line, words) {
			n++
		}
	}
	return n
}

func (m *measuring) awaitEvent(kind, host string) {
	m.Laptop.T.Helper()
	m.await(kind+" of "+host, func() bool { return m.events(kind, host) > 0 })
}

// repeats counts a host's completed repeats, without its warm-up.
func (m *measuring) repeats(host string) int {
	return m.events("end", host, `"outcome":"done"`) - m.events("end", host, `"outcome":"done"`, `"repeat":0`)
}

// awaitRepeats waits until a host has completed that many more.
func (m *measuring) awaitRepeats(host string, more int) {
	m.Laptop.T.Helper()
	had := m.repeats(host)
	m.await("a repeat of "+host, func() bool { return m.repeats(host) >= had+more })
}

func (o outcome) expectExit(want int) {
	o.t.Helper()
	if o.Exit != want {
		o.t.Errorf("exit status %d after %s, want %d; assay said\n%s\nrows:\n%s", o.Exit, o.Took, want, laptop.Brief(o.Said), rows(o.doc))
	}
}

// expectDone fails if something was not measured. Figures rejected because of a busy
// machine do not count.
func (o outcome) expectDone() {
	o.t.Helper()
	if o.doc.Run.Status != assay.RunDone || o.Exit != fine && o.Exit != rejected {
		o.t.Errorf("status %s, exit status %d; assay said\n%s\nrows:\n%s", o.doc.Run.Status, o.Exit, laptop.Brief(o.Said), rows(o.doc))
	}
}

// expectFigures fails unless all rows of a host have figures.
func (o outcome) expectFigures(host string) {
	o.t.Helper()
	found := laptop.RowsOf(o.doc, "", host)
	if len(found) == 0 {
		o.t.Errorf("no row of %s; assay said\n%s\nrows:\n%s", host, laptop.Brief(o.Said), rows(o.doc))
	}
	for _, r := range found {
		if !laptop.Measured(r) {
			o.t.Errorf("%s has no figure: absent %+v; assay said\n%s", r.Trial, r.Absent, laptop.Brief(o.Said))
		}
	}
}

// expectAway fails if the report has a figure of a host, or no single statement of
// why there is none.
func (o outcome) expectAway(host string, words ...string) {
	o.t.Helper()
	var reasons []string
	for _, r := range laptop.RowsOf(o.doc, "", host) {
		if laptop.Measured(r) {
			o.t.Errorf("%s has a figure", r.Trial)
		}
		if r.Absent != nil {
			reasons = append(reasons, r.Absent.Why)
		}
	}
	for _, a := range o.doc.Away {
		if a.Host == host {
			reasons = append(reasons, a.Absent.Why)
		}
	}
	for _, why := range reasons {
		if laptop.Holds(why, words) {
			return
		}
	}
	o.t.Errorf("%s: nowhere does it say %q:\n%s\nassay said\n%s\nrows:\n%s", host, words, strings.Join(reasons, "\n"), laptop.Brief(o.Said), rows(o.doc))
}

// expectSaid fails if a message lacks one of the words.
func expectSaid(t *testing.T, r laptop.Result, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.Said, w) {
			t.Errorf("assay does not say %q:\n%s", w, r.Said)
		}
	}
}

// rows summarises a report.
func rows(d report.Document) string {
	var b strings.Builder
	for _, a := range d.Away {
		b.WriteString("away " + a.Host + ": " + a.Absent.Why + "\n")
	}
	return laptop.InShort(d, b.String())
}
