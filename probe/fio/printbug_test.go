package fio

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

func textFigures(t *testing.T, name string) assay.Repeat {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "text", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := New().Parse(assay.Transcript{Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: b}}}})
	if err != nil {
		t.Fatal(err)
	}
	return assay.Repeat{Measurements: ms}
}

// fio before 3.26 loses the carry of a fraction that rounds up to one.
func TestLostCarries(t *testing.T) {
	for _, c := range []struct {
		file, metric string
		value        float64
		bug          string
	}{
		{"3.1-print-bug", "storage.read.bandwidth", 12.6e6, printBug},
		{"3.1-print-bug", "storage.read.iops", 3070, ""},
		{"3.1-not-the-print-bug", "storage.read.bandwidth", 15.0 * (1 << 20), ""},
		{"print-bug-iops", "storage.read.iops", 12.0e3, printBug},
		{"print-bug-iops", "storage.read.bandwidth", 46.9 * (1 << 20), ""},
		{"print-bug-iops", "storage.write.iops", 4008, ""},
	} {
		m := textFigures(t, c.file).Measurement(c.metric)
		if m == nil || math.Abs(m.Value/c.value-1) > 1e-9 || m.Labels["bug"] != c.bug {
			t.Errorf("%s: %s is %+v, want %v and bug %q", c.file, c.metric, m, c.value, c.bug)
		}
	}
	for version, want := range map[string]bool{"fio-3.1": true, "fio-3.25": true, "fio-3.26": false, "fio-3.36": false, "fio-3.9-dirty": true, "": true, "fio-2.2.10": false, "fio-3.125": false} {
		if carriesLate(version) != want {
			t.Errorf("%q: %v", version, !want)
		}
	}
}

// Two outputs interleaved on a terminal are not a result of either.
func TestInterleaved(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "text", "3.33-interleaved.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := New().Parse(assay.Transcript{Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: b}}}})
	if err == nil || !strings.Contains(err.Error(), "figures of a read under rw=randwrite") {
		t.Errorf("gave %v, %v", ms, err)
	}
}

// The number of grouped sections of a job file follows from their times.
func TestSectionsOfAGroup(t *testing.T) {
	for file, want := range map[string]string{"3.33-sections-grouped": "3", "3.33-ramp": "1", "3.33-buffered-reread": "1"} {
		b, err := os.ReadFile(filepath.Join("testdata", file+".json"))
		if err != nil {
			t.Fatal(err)
		}
		ms, err := New().Parse(assay.Transcript{Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: b}}}})
		if err != nil || ms[0].Labels["jobs"] != want {
			t.Errorf("%s: %v, %v, want %s jobs", file, ms, err, want)
		}
	}
}

func TestStopped(t *testing.T) {
	for _, c := range []struct{ file, why, done string }{
		{"3.7-interrupted", "terminated on signal 2", "0.089"},
		{"3.1-interrupted", "terminated on signal 2", "0.372"},
		{"3.1-print-bug", "", ""},
	} {
		rep := textFigures(t, c.file)
		for _, metric := range []string{"storage.read.iops", "storage.write.iops", "tool.duration"} {
			if m := rep.Measurement(metric); m != nil && (m.Labels["interrupted"] != c.why || m.Labels["done"] != c.done) {
				t.Errorf("%s: %s has interrupted %q, done %q", c.file, m.Metric, m.Labels["interrupted"], m.Labels["done"])
			}
		}
	}
	// Before a JSON document, and on standard error.
	doc, err := os.ReadFile(filepath.Join("testdata", "3.33-read-libaio.json"))
	if err != nil {
		t.Fatal(err)
	}
	said := []byte("fio: terminating on signal 15\n")
	for name, o := range map[string]assay.Output{
		"before":         {Stdout: append(append([]byte{}, said...), doc...)},
		"standard error": {Stdout: doc, Stderr: said},
	} {
		ms, err := New().Parse(assay.Transcript{Steps: []assay.Step{{Name: stepMeasure, Output: o}}})
		if err != nil || ms[0].Labels["interrupted"] != "terminated on signal 15" {
			t.Errorf("%s: %v, %v", name, ms, err)
		}
	}
}
