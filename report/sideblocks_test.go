package report

import (
	"testing"

	"assay/analysis"
)

func TestWhatCellsRestOnIsSaidOnceFromTheLeastToTheMost(t *testing.T) {
	cell := func(n int, seconds float64) analysis.SideCell {
		return analysis.SideCell{Figure: &Figure{N: n, Seconds: seconds}}
	}
	for _, c := range []struct {
		cells []analysis.SideCell
		want  string
	}{
		{nil, ""},
		{[]analysis.SideCell{{}}, ""},
		{[]analysis.SideCell{cell(6, 5), {}, cell(6, 5)}, "n=6 × 5.00 s"},
		{[]analysis.SideCell{cell(3, 5), cell(2, 5)}, "n=2 to 3 × 5.00 s"},
		{[]analysis.SideCell{cell(1, 1.1), cell(1, 1)}, "n=1 × 1.00 s to 1.10 s"},
		{[]analysis.SideCell{cell(1, 0), cell(2, 0)}, "n=1 to 2"},
	} {
		if got := countRange(c.cells); got != c.want {
			t.Errorf("%+v: %q, want %q", c.cells, got, c.want)
		}
	}
}
