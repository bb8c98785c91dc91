package table

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay"
)

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	forms := map[string]byte{".yaml": 0, ".csv": 1, ".tsv": 1}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		form, ok := forms[filepath.Ext(name)]
		if !ok {
			form = 2
		}
		f.Add(form, text)
	}
	f.Fuzz(func(t *testing.T, form byte, text []byte) {
		name := []string{"x.yaml", "x.csv", "x.md"}[form%3]
		table, err := Read(name, text)
		if err != nil {
			return
		}
		lines := bytes.Count(text, []byte("\n")) + 1
		ids := map[string]bool{}
		for _, r := range table.Results {
			if ids[r.Trial.ID] || r.Trial.Repeats != 0 || len(r.Counted()) == 0 {
				t.Fatalf("trial %+v", r.Trial)
			}
			ids[r.Trial.ID] = true
			for _, rep := range r.Repeats {
				for _, m := range rep.Measurements {
					if _, known := assay.Describe(m.Metric); !known || math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Line < 1 || m.Line > lines {
						t.Fatalf("measurement %+v of %d lines", m, lines)
					}
				}
			}
		}
		for _, u := range table.Unread {
			if u.Line < 1 || u.Line > lines || u.Why == "" {
				t.Fatalf("unread %+v", u)
			}
		}
	})
}
