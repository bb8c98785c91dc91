package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestGolden(t *testing.T) {
	got := written(t, reporttest.Document())
	reporttest.Golden(t, "report.golden", got)
}

func TestClusterGolden(t *testing.T) {
	reporttest.Golden(t, "cluster.golden", data(t, reporttest.Cluster()))
}

func TestTiersGolden(t *testing.T) {
	reporttest.Golden(t, "tiers.golden", data(t, reporttest.Tiers()))
}

// data returns the output for a run without its blocks, which the golden files
// of other voices have.
func data(t *testing.T, d report.Document) []byte {
	t.Helper()
	own, _, found := bytes.Cut(written(t, d), []byte(",\n  \"document\": {"))
	if !found {
		t.Fatal("there are no blocks")
	}
	return append(own, "\n}\n"...)
}

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	for _, want := range []report.Document{reporttest.Document(), reporttest.Cluster(), reporttest.Tiers(), reporttest.Scaling()} {
		var got report.Document
		if err := json.Unmarshal(written(t, want), &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	}
}

func TestSignsAreWrittenAsTheyAre(t *testing.T) {
	d := report.Document{Verdict: []report.Sentence{{Kind: "good", Text: "412 µs < 1 ms & > 100 µs, 44 °C"}}}
	if got := string(written(t, d)); !strings.Contains(got, "412 µs < 1 ms & > 100 µs, 44 °C") {
		t.Errorf("signs are escaped in %s", got)
	}
}

func TestListsAreNeverNull(t *testing.T) {
	d := report.Document{Sections: []report.Section{{Rows: []report.Row{{}}}}, Facts: []report.FactGroup{{}}}
	d.Plots.Heat.Clock = &report.Series{}
	if got := string(written(t, d)); strings.Contains(got, "null") {
		t.Errorf("there is a null in %s", got)
	}
	if d.Sections[0].Rows[0].Figures != nil || d.Plots.Heat.Clock.Points != nil {
		t.Error("the caller's document was changed")
	}
}

func TestNotANumberIsAnErrorAndWritesNothing(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		d := report.Document{Run: report.Header{ID: "r1", Elapsed: v}}
		var b bytes.Buffer
		err := Render(&b, report.Blocks(d))
		if err == nil || !strings.Contains(err.Error(), `"r1"`) {
			t.Errorf("Render with %v = %v, want an error that names the run", v, err)
		}
		if b.Len() > 0 {
			t.Errorf("%d bytes were written", b.Len())
		}
	}
}

func TestRenderGivesTheErrorOfItsWriter(t *testing.T) {
	full := errors.New("no space left on device")
	if err := Render(failing{full}, report.Blocks(report.Document{})); !errors.Is(err, full) {
		t.Errorf("Render = %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func written(t *testing.T, d report.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, report.Blocks(d)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
