package warp

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/captured"
	"assay/probe/probetest"
)

func TestBegins(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{
		"Mixed operations.", "Operation: GET, 45%, Concurrency: 20, Ran 5m0s.", "Operation: PUT. Concurrency: 20", "Operation: PUT (408). Ran 32s. Size: 10485760 bytes.",
		"Operation: DELETE - total: 1854, 10.0%, Concurrency: 20", "Operation: GET", "Report: GET. Concurrency: 20. Ran: 4m57s",
		"Report: GET (1815 reqs). Ran Duration: 12s, starting 12:16:20 UTC", "Report: Total. Concurrency: 20. Ran: 4m57s",
		" * Reqs: Avg: 108.9ms, 50%: 107.9ms", "Throughput, split into 297 x 1s:", "warp: <ERROR> Error preparing server", "Skipping PUT too few samples.",
	}, []string{
		"", "Operation: get the keys", "Operation: Overlord was fun", "Report: it was fast.", "Mixed operations are slower", "warp mixed --duration=1m", "Throughput: 12 MB/s",
		" * Average: 23.80 obj/s", "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE", "Skipping the boring parts", "Operation: GET failed with 503", "Reqs: 71349, Errs:0",
	})
}

func TestSplits(t *testing.T) {
	f := New().Format()
	text := captured.Text(t, "get-details-0.6.txt")
	for _, c := range []struct {
		sofar, next string
		want        bool
	}{
		{text, "Operation: PUT (2500). Ran 2m43s.", true},
		{text, "Operation: STAT. Concurrency: 20", false},
		{text, "Mixed operations.", true},
		{"18642 operations loaded... Done!\n", "Mixed operations.", false},
		{"Mixed operations.\n", "Operation: GET, 45%, Concurrency: 20, Ran 5m0s.", false},
		{captured.Text(t, "mixed-1.x.txt"), "Report: LIST. Concurrency: 20. Ran: 1m", true}, // after the total
		{text, "Throughput, split into 29 x 1s:", false},
	} {
		if got := f.Splits([]byte(c.sofar), c.next); got != c.want {
			t.Errorf("%s after %.30q: %v, want %v", c.next, c.sofar, got, c.want)
		}
	}
	// One output is one excerpt.
	for _, file := range []string{"mixed-1.x.txt", "mixed-details-0.7.txt", "mixed-hosts-0.4.txt", "mixed-errors-0.3.txt"} {
		var sofar strings.Builder
		for line := range strings.Lines(captured.Text(t, file)) {
			if next := strings.TrimRight(line, "\n"); f.Begins(next) && f.Splits([]byte(sofar.String()), next) {
				t.Errorf("%s is cut before %q", file, next)
			}
			sofar.WriteString(line)
		}
	}
}

func TestAccepts(t *testing.T) {
	f := New().Format()
	if !f.Accepts([]string{"v", "commandline", "final", "total", "by_op_type"}) || !f.Accepts([]string{"type", "mixed", "operations"}) {
		t.Error("warp's own documents are not known")
	}
	if f.Accepts([]string{"fio version", "jobs"}) || f.Accepts([]string{"type", "operations"}) || f.Accepts(nil) {
		t.Error("another's document is taken")
	}
}

func TestSizesOfCommands(t *testing.T) {
	for s, want := range map[string]string{"1M": "1000000", "10MiB": "10485760", "4K": "4000", "1KB": "1000", "1B": "1", "512": "512", "1MB,10MB": "", "": "", "-1M": "", "0": "", "NaN": ""} {
		if got := bytesOf(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		if !strings.HasSuffix(file, ".md") {
			f.Add(captured.Text(f, filepath.Base(file)), "warp put --obj.size=1M --concurrent 4")
		}
	}
	f.Fuzz(func(t *testing.T, text, command string) {
		got, err := New().Parse(captured.Output(text, command))
		probetest.CheckParsed(t, got, err, text)
		probetest.CheckNoZero(t, got, ".errors", ".ops.min")
	})
}

// An invalid number is not 0.
func TestASlowestSecondThatIsNoNumber(t *testing.T) {
	const text = "Report: DELETE. Concurrency: 20. Ran: 4m57s\n * Average: 23.80 obj/s\n\nThroughput, split into 297 x 1s:\n * Slowest: %s obj/s\n"
	for number, want := range map[string]int{"1.39": 1, "1..39": 0, ".": 0} {
		got, err := New().Parse(captured.Output(strings.Replace(text, "%s", number, 1), "warp mixed"))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range got {
			if m.Metric == "object.delete.ops.min" {
				found++
			}
		}
		if found != want {
			t.Errorf("%q: %d figures of the slowest second, want %d: %+v", number, found, want, got)
		}
	}
}
