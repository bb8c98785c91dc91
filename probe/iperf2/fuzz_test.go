package iperf2

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txt"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			f.Add(captured(f, filepath.Base(file)), "")
		}
	}
	f.Add("[  3]  0.0-10.0 sec  1.10 GBytes   942 Mbits/sec", "iperf -c h -u -b 1g")
	f.Fuzz(func(t *testing.T, text, command string) {
		got, err := New().Parse(transcript(text, command))
		if (err == nil) == (len(got) == 0) {
			t.Fatalf("%d measurements and error %v", len(got), err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, m := range got {
			known, ok := assay.Describe(m.Metric)
			if !ok || known.Unit != m.Unit {
				t.Errorf("%s in %s is not in the vocabulary", m.Metric, m.Unit)
			}
			if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Value < 0 || strings.HasSuffix(m.Metric, "throughput") && m.Value == 0 {
				t.Errorf("%s = %v", m.Metric, m.Value)
			}
			if m.Line < 1 || m.Line > lines {
				t.Errorf("%s is on line %d of %d", m.Metric, m.Line, lines)
			}
			for _, s := range m.Samples {
				if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) || s.Value < 0 {
					t.Errorf("%s has a sample %v", m.Metric, s.Value)
				}
			}
		}
		begins(text)
		splits([]byte(text), command)
	})
}
