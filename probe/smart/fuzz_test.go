package smart

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
)

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	texts, err := filepath.Glob("testdata/text/*.txt")
	if err != nil || len(texts) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, file := range slices.Concat(files, texts) {
		doc, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		ms, err := New().Parse(transcript(doc))
		lines := strings.Count(string(doc), "\n") + 1
		if (err == nil) != (len(ms) > 0) {
			t.Fatalf("%d measurements and error %v", len(ms), err)
		}
		metrics := New().Spec().Metrics
		for _, m := range ms {
			if m.Line < 1 || m.Line > lines {
				t.Errorf("%s on line %d of %d", m.Metric, m.Line, lines)
			}
			known, _ := assay.Describe(m.Metric)
			if !slices.Contains(metrics, m.Metric) || m.Unit != known.Unit {
				t.Errorf("%s in %s is not what the probe says it gives", m.Metric, m.Unit)
			}
			if m.Value != m.Value || m.Value > most || m.Value < -50 || (m.Value < 0 && m.Unit != assay.Celsius) {
				t.Errorf("%s = %v", m.Metric, m.Value)
			}
		}
	})
}
