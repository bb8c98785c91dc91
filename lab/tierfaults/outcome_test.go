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

// The exit statuses that faults have.
const (
	fine        = 0
	failed      = 1
	rejected    = 3
	partial     = 5
	killedBy    = 128 + int(syscall.SIGKILL)
	stoppedByUs = 130
)

// overtime is how long assay may take beyond its budget on a machine that is busy:
// for pods to come up and to go, and to take back what was lent.
const overtime = 2 * time.Minute

// measuring is a run of assay with its budget.
type measuring struct {
	*laptop.Command
	budget time.Duration
}

// measure starts assay run with the cases that are named.
func measure(l *laptop.Laptop, budget time.Duration, repeats int, only string, words ...string) *measuring {
	l.T.Helper()
	return &measuring{l.Begin(append([]string{"run", "-i", l.File, "--suite", "tiers", "--only", only, "--format", "json",
		"--time-budget", budget.String(), "--repeats", fmt.Sprint(repeats), "--seed", "1"}, words...)...), budget}
}

// outcome is a run that is over, with its report.
type outcome struct {
	laptop.Result
	t   testing.TB
	doc report.Document
}

// end waits for the end of the run, and reads what it says.
func (m *measuring) end() outcome {
	m.Laptop.T.Helper()
	r := m.Wait(m.budget + overtime)
	return outcome{r, m.Laptop.T, laptop.Read[report.Document](m.Laptop.T, r)}
}

// await waits until something is so while assay runs.
func (m *measuring) await(what string, is func() bool) {
	m.Laptop.T.Helper()
	m.AwaitWithin(2*time.Minute, what, is)
}

// awaitSaid waits until assay says some words on its standard error.
func (m *measuring) awaitSaid(words string) {
	m.Laptop.T.Helper()
	m.await(words, func() bool { return strings.Contains(m.Said(), words) })
}

// events counts the events of a kind on a host that have come so far.
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

// repeats counts those that a host has made, without its warm-up.
func (m *measuring) repeats(host string) int {
	return m.events("end", host, `"outcome":"done"`) - m.events("end", host, `"outcome":"done"`, `"repeat":0`)
}

// awaitRepeats waits until a host has made so many more.
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

// expectDone fails where something was not measured. That a busy machine has figures
// rejected is another matter.
func (o outcome) expectDone() {
	o.t.Helper()
	if o.doc.Run.Status != assay.RunDone || o.Exit != fine && o.Exit != rejected {
		o.t.Errorf("status %s, exit status %d; assay said\n%s\nrows:\n%s", o.doc.Run.Status, o.Exit, laptop.Brief(o.Said), rows(o.doc))
	}
}

// expectFigures fails where not all rows of a host have figures.
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

// expectAway fails where the report has a figure of a host, or does not say in one
// place why there is none.
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

// expectSaid fails where a message lacks one of some words.
func expectSaid(t *testing.T, r laptop.Result, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.Said, w) {
			t.Errorf("assay does not say %q:\n%s", w, r.Said)
		}
	}
}

// rows is a report in short.
func rows(d report.Document) string {
	var b strings.Builder
	for _, a := range d.Away {
		b.WriteString("away " + a.Host + ": " + a.Absent.Why + "\n")
	}
	return laptop.InShort(d, b.String())
}
