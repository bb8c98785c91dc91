package tierfaults

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
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
	*command
	budget time.Duration
}

// measure starts assay run with the cases that are named.
func (l *laptop) measure(budget time.Duration, repeats int, only string, words ...string) *measuring {
	l.t.Helper()
	return &measuring{l.begin(append([]string{"run", "-i", l.file, "--suite", "tiers", "--only", only, "--format", "json",
		"--time-budget", budget.String(), "--repeats", fmt.Sprint(repeats), "--seed", "1"}, words...)...), budget}
}

// outcome is a run that is over, with its report.
type outcome struct {
	result
	t   *testing.T
	doc report.Document
}

// end waits for the end of the run, and reads what it says.
func (m *measuring) end() outcome {
	m.laptop.t.Helper()
	r := m.wait(m.budget + overtime)
	return outcome{r, m.laptop.t, read[report.Document](m.laptop.t, r)}
}

// await waits until something is so while assay runs.
func (m *measuring) await(what string, is func() bool) {
	m.laptop.t.Helper()
	ended := false
	if !eventually(2*time.Minute, func() bool {
		select {
		case <-m.over:
			ended = true
		default:
		}
		return ended || is()
	}) || ended {
		m.laptop.t.Fatalf("assay ended or two minutes went by, and never: %s; it said\n%s", what, brief(m.said.String()))
	}
}

// awaitSaid waits until assay says some words on its standard error.
func (m *measuring) awaitSaid(words string) {
	m.laptop.t.Helper()
	m.await(words, func() bool { return strings.Contains(m.said.String(), words) })
}

// events counts the events of a kind on a host that have come so far.
func (m *measuring) events(kind, host string, more ...string) (n int) {
	words := append([]string{`"event":"` + kind + `"`, `"host":"` + host + `"`}, more...)
	for line := range strings.Lines(m.said.String()) {
		if holds(line, words) {
			n++
		}
	}
	return n
}

func (m *measuring) awaitEvent(kind, host string) {
	m.laptop.t.Helper()
	m.await(kind+" of "+host, func() bool { return m.events(kind, host) > 0 })
}

// repeats counts those that a host has made, without its warm-up.
func (m *measuring) repeats(host string) int {
	return m.events("end", host, `"outcome":"done"`) - m.events("end", host, `"outcome":"done"`, `"repeat":0`)
}

// awaitRepeats waits until a host has made so many more.
func (m *measuring) awaitRepeats(host string, more int) {
	m.laptop.t.Helper()
	had := m.repeats(host)
	m.await("a repeat of "+host, func() bool { return m.repeats(host) >= had+more })
}

func (o outcome) expectExit(want int) {
	o.t.Helper()
	if o.exit != want {
		o.t.Errorf("exit status %d after %s, want %d; assay said\n%s\nrows:\n%s", o.exit, o.took, want, brief(o.said), rows(o.doc))
	}
}

// expectDone fails where something was not measured. That a busy machine has figures
// rejected is another matter.
func (o outcome) expectDone() {
	o.t.Helper()
	if o.doc.Run.Status != assay.RunDone || o.exit != fine && o.exit != rejected {
		o.t.Errorf("status %s, exit status %d; assay said\n%s\nrows:\n%s", o.doc.Run.Status, o.exit, brief(o.said), rows(o.doc))
	}
}

// expectFigures fails where not all rows of a host have figures.
func (o outcome) expectFigures(host string) {
	o.t.Helper()
	found := rowsOf(o.doc, host)
	if len(found) == 0 {
		o.t.Errorf("no row of %s; assay said\n%s\nrows:\n%s", host, brief(o.said), rows(o.doc))
	}
	for _, r := range found {
		if !measured(r) {
			o.t.Errorf("%s has no figure: absent %+v; assay said\n%s", r.Trial, r.Absent, brief(o.said))
		}
	}
}

// expectAway fails where the report has a figure of a host, or does not say in one
// place why there is none.
func (o outcome) expectAway(host string, words ...string) {
	o.t.Helper()
	var reasons []string
	for _, r := range rowsOf(o.doc, host) {
		if measured(r) {
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
		if holds(why, words) {
			return
		}
	}
	o.t.Errorf("%s: nowhere does it say %q:\n%s\nassay said\n%s\nrows:\n%s", host, words, strings.Join(reasons, "\n"), brief(o.said), rows(o.doc))
}

// expectSaid fails where a message lacks one of some words.
func (r result) expectSaid(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.said, w) {
			t.Errorf("assay does not say %q:\n%s", w, r.said)
		}
	}
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// rowsOf gives the rows of a host.
func rowsOf(d report.Document, host string) []report.Row {
	var found []report.Row
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if strings.Contains(r.Trial, "@"+host+"/") {
				found = append(found, r)
			}
		}
	}
	return found
}

// measured says whether a row has real figures.
func measured(r report.Row) bool {
	for _, f := range r.Figures {
		if f.N < 1 || f.Value < 0 {
			return false
		}
	}
	return len(r.Figures) > 0 && r.Figures[0].Value > 0
}

// rows is a report in short.
func rows(d report.Document) string {
	var b strings.Builder
	for _, n := range d.Run.Notes {
		b.WriteString("note " + n.Text + "\n")
	}
	for _, a := range d.Away {
		b.WriteString("away " + a.Host + ": " + a.Absent.Why + "\n")
	}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			b.WriteString(r.Trial + " ")
			switch {
			case r.Absent != nil:
				b.WriteString(string(r.Absent.Word) + ": " + r.Absent.Why)
			case measured(r):
				b.WriteString("measured")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// brief cuts what assay said into lines that can be read.
func brief(said string) string {
	const most = 240
	var b strings.Builder
	for l := range strings.Lines(said) {
		if len(l) > most {
			l = l[:most] + "…\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// process is one of this machine's, those inside of hosts and pods among them.
type process string // /proc/PID

func processes() []process {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	all := make([]process, len(dirs))
	for i, d := range dirs {
		all[i] = process(d)
	}
	return all
}

func (p process) environ() []byte {
	b, _ := os.ReadFile(string(p) + "/environ")
	return b
}

func (p process) line() string {
	b, _ := os.ReadFile(string(p) + "/cmdline")
	return strings.TrimSpace(string(bytes.ReplaceAll(b, []byte{0}, []byte{' '})))
}
