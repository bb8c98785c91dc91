package html

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"assay/compare"
)

// held is a row with one ratio and its interval.
func held(ratio, low, high float64) compare.Row {
	a := &compare.Against{Verdict: compare.Slower, Ratio: ratio, Low: low, High: high, Level: .95}
	return compare.Row{Metric: "storage.read.iops", Cells: []*compare.Cell{{}, {Against: a}}}
}

func at(t *testing.T, place string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSuffix(place, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTheForestsAxisIsLogarithmic(t *testing.T) {
	f := newForest(compare.Comparison{Columns: make([]compare.Head, 2), Rows: []compare.Row{held(.5, .4, .6), held(2, 1.9, 2.1), held(4, 3, 5)}})
	marks := f.Groups[0].Rows
	half, one, two, four := at(t, marks[0].Marks[0].At), at(t, f.One), at(t, marks[1].Marks[0].At), at(t, marks[2].Marks[0].At)
	if math.Abs((one-half)-(two-one)) > .03 || math.Abs((four-two)-(two-one)) > .03 || one <= half {
		t.Errorf("½, 1, 2 and 4 are at %g, %g, %g and %g %%", half, one, two, four)
	}
	if low, wide := at(t, f.Band.At), at(t, f.Band.Width); low >= one || low+wide <= one {
		t.Errorf("the band from %g, %g wide, does not lie around %g", low, wide, one)
	}
}

func TestTheForestKeepsInsideItsPicture(t *testing.T) {
	f := newForest(compare.Comparison{Columns: make([]compare.Head, 2), Rows: []compare.Row{held(.5, .001, 900), held(5000, 4000, 6000), held(1, .99, 1.01)}})
	for _, r := range f.Groups[0].Rows {
		for _, m := range r.Marks {
			for _, place := range []string{m.At, m.Interval.Low, m.Interval.High} {
				if v := at(t, place); v < 0 || v > 100 {
					t.Errorf("%s lies at %s", m.Ratio, place)
				}
			}
		}
	}
	wide := f.Groups[0].Rows[0].Marks[0].Interval
	if !wide.Less || !wide.More || wide.LowEnd || wide.HighEnd {
		t.Errorf("an interval of a million looks as if it ended: %+v", wide)
	}
	if narrow := f.Groups[0].Rows[2].Marks[0].Interval; narrow.Less || narrow.More {
		t.Errorf("%+v", narrow)
	}
	last := -100.
	for _, tick := range f.Ticks {
		if v := at(t, tick.At); v-last < 100*tickRoom-.02 {
			t.Errorf("the tick %s is %g %% from the one before", tick.Text, v-last)
		} else {
			last = v
		}
	}
}

func TestWhatHasNoRatioHasNoMark(t *testing.T) {
	row := held(0, 0, 0)
	row.Cells[1].Against.Difference = &compare.Interval{Center: 3, Low: 1, High: 5, Level: .95}
	m := newForest(compare.Comparison{Columns: make([]compare.Head, 2), Rows: []compare.Row{row}}).Groups[0].Rows[0].Marks[0]
	if m.Drawn || m.Interval != nil || !strings.HasPrefix(m.Ratio, "+3") {
		t.Errorf("%+v", m)
	}
	few := held(1.2, 0, 0)
	few.Cells[1].Against.Level = 0
	m = newForest(compare.Comparison{Columns: make([]compare.Head, 2), Rows: []compare.Row{few}}).Groups[0].Rows[0].Marks[0]
	if !m.Drawn || m.Interval != nil {
		t.Errorf("a ratio without interval: %+v", m)
	}
}

func TestThinCurvesKeepTheirShape(t *testing.T) {
	var steps [][2]float64
	for i := 1; i < 20000; i++ {
		steps = append(steps, [2]float64{100 * float64(i) / 20000, 1e-4 * (1 + float64(i)/1e4)})
		if i > 10000 {
			steps[i-1][1] *= 50 // a jump in the middle
		}
	}
	kept := thin(steps)
	if len(kept) > 600 || kept[0] != steps[0] || kept[len(kept)-1] != steps[len(steps)-1] {
		t.Fatalf("%d points from %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	i := 0
	for _, s := range steps {
		for i+1 < len(kept) && kept[i+1][0] <= s[0] {
			i++
		}
		if nines(s[0])-nines(kept[i][0]) > nearNines || math.Log10(s[1]/kept[i][1]) > nearDecades {
			t.Fatalf("%v was dropped; the nearest is %v", s, kept[i])
		}
	}
}
