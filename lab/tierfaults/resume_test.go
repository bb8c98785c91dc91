package tierfaults

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/report"
)

// resumed resumes a run of some of the tiers after Ctrl-C: with pods at new
// addresses, an object store loaded from this machine, and the rest of a link
// between pods to measure.
func resumed(t *testing.T, b *bed) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	l := b.laptop(t, "  sd: {nodes: [node1, node2], hostpath: /srv/bench}\n", pvc, strings.Replace(b.s3("", ""), "node: , ", "", 1))
	m := measure(l, medium, 3, "put-1k,tcp-1", "--host", "sd,store", "--precision", "off")
	m.awaitRepeats("sd@node1", 1)
	m.Signal(syscall.SIGINT)
	before := m.end()
	before.expectExit(stoppedByUs)
	expectEvents(t, before.Said)
	const plenty = 3 * time.Minute // it ends once all is measured
	again := l.Begin("run", "--resume", "latest", "--time-budget", plenty.String(), "--format", "json").Wait(plenty + overtime)
	o := outcome{again, t, laptop.Read[report.Document](t, again)}
	if o.Exit != fine && o.Exit != rejected && o.Exit != partial || o.doc.Run.ID != before.doc.Run.ID {
		t.Errorf("run %s was gone on with as %s, and ended with %d: %s", before.doc.Run.ID, o.doc.Run.ID, o.Exit, laptop.Brief(o.Said))
	}
	o.expectFigures(here)
	for _, host := range []string{"sd@node1", "sd@node2"} {
		o.expectFigures(host)
		for _, link := range laptop.RowsOf(o.doc, "tcp-1", host) {
			if strings.Contains(link.Fewer, "address") {
				t.Errorf("%s: %s", link.Trial, link.Fewer)
			}
		}
	}
	if rows := laptop.RowsOf(o.doc, "", "pvc"); len(rows) > 0 {
		t.Errorf("a tier that was not chosen has rows: %+v", rows)
	}
	l.ExpectEmpty()
}

// expectEvents fails if a line before the plan is not an event.
func expectEvents(t *testing.T, said string) {
	t.Helper()
	notes := 0
	for line := range strings.Lines(said) {
		var e struct{ Event, Text string }
		switch err := json.Unmarshal([]byte(line), &e); {
		case err != nil || e.Event != "note" && e.Event != "plan":
			t.Errorf("before the plan it said %q: %v", line, err)
		case e.Event == "note":
			notes++
		default:
			if notes == 0 {
				t.Error("it does not say that it waits for pods")
			}
			return
		}
	}
	t.Errorf("there was no plan:\n%s", laptop.Brief(said))
}
