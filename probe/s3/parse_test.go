package s3_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/probe/s3"
)

// captured returns a transcript with the output of a real run.
func captured(t testing.TB, name string, settings map[string]string) assay.Transcript {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".out"))
	if err != nil {
		t.Fatal(err)
	}
	return assay.Transcript{Probe: "s3", Settings: settings, Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}
}

func TestParse(t *testing.T) {
	tr := captured(t, "put-64k", map[string]string{"numjobs": "2"})
	m := parse(t, tr)
	if l := m.all[0].Labels; l["iodepth"] != "2" || l["jobs"] != "2" || l["bs"] != "64k" || l["endpoints"] != "3" || l["tool"] != "s3" {
		t.Errorf("labels %v", l)
	}
	sum := 0.
	for _, one := range m.all {
		if one.Metric == "object.endpoint.ops" {
			sum += one.Value
		}
		if one.Line != 3 {
			t.Errorf("%s stands on line %d", one.Metric, one.Line)
		}
	}
	if ops := m.of("object.put.ops").Value; math.Abs(sum-ops) > 1e-9*ops {
		t.Errorf("%g/s at all endpoints together, %g/s in all", sum, ops)
	}
	if throughput, ops := m.of("object.put.throughput").Value, m.of("object.put.ops").Value; throughput != ops*65536 {
		t.Errorf("%g B/s with %g/s of 64 KiB", throughput, ops)
	}
	if len(m.of("object.put.ops").Samples) != 2 || m.has("object.unsent") {
		t.Errorf("samples %v", m.of("object.put.ops").Samples)
	}
	rate := parse(t, captured(t, "rate", nil))
	if l := rate.all[0].Labels; l["loop"] != "open" || l["rate"] != "50" || rate.of("object.unsent").Value != 0 || rate.of("object.delay.max").Value <= 0 {
		t.Errorf("labels %v", l)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, want := range map[string][2]string{
		"corrupt": {"came back corrupt", "memory"},
		"denied":  {"may not do this", "right"},
	} {
		_, err := s3.New().Parse(captured(t, name, nil))
		if err == nil || !strings.Contains(err.Error(), want[0]) || !strings.Contains(assay.Hint(err), want[1]) {
			t.Errorf("%s: %v (hint: %s)", name, err, assay.Hint(err))
		}
	}
	for name, out := range map[string]assay.Output{
		"nothing": {Exit: 137}, "words": {Stdout: []byte("what?\n"), Stderr: []byte("sh: 1: assay: not found\n"), Exit: 127},
		"another form": {Stdout: []byte(`{"schema":"assay.agent/9"}`)}, "no result": {Stdout: []byte(`{"schema":"assay.agent/1","do":"run"}`)},
		"no time": {Stdout: []byte(`{"schema":"assay.agent/1","result":{"schema":"assay.s3load/1","elapsed":0}}`)},
		"no ops":  {Stdout: []byte(`{"schema":"assay.agent/1","result":{"schema":"assay.s3load/1","elapsed":1,"ops":[{"op":"PUT"}]}}`)},
	} {
		got, err := s3.New().Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: out}}})
		if err == nil {
			t.Errorf("%s gave %v", name, got)
		}
	}
	if _, err := s3.New().Parse(assay.Transcript{}); err == nil {
		t.Error("nothing was parsed")
	}
}

// Failures give a figure and a note, but no latency.
func TestFailuresAreNoted(t *testing.T) {
	tr := captured(t, "slow-down", nil)
	m := parse(t, tr)
	failed, done := m.of("object.get.errors").Value, m.of("object.get.requests").Value
	if failed < 1 || m.of("object.class.errors").Value != failed {
		t.Errorf("%g failed", failed)
	}
	count := int64(0)
	for _, bin := range m.of("object.get.latency.mean").Histogram {
		count += bin.Count
	}
	if float64(count) != done {
		t.Errorf("%d latencies of %g", count, done)
	}
	for id, text := range notes(tr) {
		if id != "s3-failed-get-slow-down" || strings.ContainsAny(text, "0123456789") && !strings.Contains(text, "503") {
			t.Errorf("%s: %s", id, text)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.out")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "2", "1048576")
	}
	f.Fuzz(func(t *testing.T, text, jobs, memory string) {
		tr := assay.Transcript{Settings: map[string]string{"numjobs": jobs, "store_memory": memory, "read": "cold"},
			Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte(text)}}}}
		got, err := s3.New().Parse(tr)
		if (err == nil) == (len(got) == 0) {
			t.Fatalf("%d measurements and error %v", len(got), err)
		}
		s3.New().(assay.Noter).Notes(tr)
		for _, m := range got {
			if !(m.Value >= 0) || math.IsInf(m.Value, 0) {
				t.Errorf("%s = %v", m.Metric, m.Value)
			}
			if known, ok := assay.Describe(m.Metric); !ok || known.Unit != m.Unit {
				t.Errorf("%s in %s is not in the vocabulary", m.Metric, m.Unit)
			}
		}
	})
}
