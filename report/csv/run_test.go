package csv_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"assay/report"
	reportcsv "assay/report/csv"
	"assay/report/reporttest"
)

// runs returns the documents of the runs that all voices are tested with.
func runs() map[string]report.Document {
	return map[string]report.Document{
		"report": reporttest.Document(), "cluster": reporttest.Cluster(), "tiers": reporttest.Tiers(), "scaling": reporttest.Scaling(),
	}
}

func TestGoldenRuns(t *testing.T) {
	for name, d := range runs() {
		reporttest.Golden(t, name+".golden", rendered(t, d))
	}
}

// Each figure of a run is a record in base units, with all its digits.
func TestEveryFigureOfARunIsARecord(t *testing.T) {
	for name, d := range runs() {
		records, err := csv.NewReader(bytes.NewReader(rendered(t, d))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		type key struct{ section, metric, value, unit string }
		found := map[key]int{}
		for _, r := range records[1:] {
			found[key{r[0], r[6], r[7], r[8]}]++
		}
		figures := 0
		for _, s := range d.Sections {
			for _, r := range s.Rows {
				for _, f := range r.Figures {
					figures++
					k := key{s.Title, f.Metric, strconv.FormatFloat(f.Value, 'g', -1, 64), string(f.Unit)}
					if found[k]--; found[k] < 0 {
						t.Errorf("%s: %s of %q, %v %s, is no record", name, f.Metric, r.Title, f.Value, f.Unit)
					}
				}
			}
		}
		if figures == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
}

func TestARunWithoutFiguresIsOnlyTheHeader(t *testing.T) {
	if text := string(rendered(t, report.Document{})); strings.Count(text, "\n") != 1 {
		t.Errorf("%q is more than the header", text)
	}
}

func rendered(t *testing.T, d report.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := reportcsv.Render(&b, report.Blocks(d)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
