package html

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"assay/report/block"
)

// held returns a row with one ratio and its interval.
func held(ratio, low, high float64) block.Interval {
	return block.Interval{Title: fmt.Sprint(ratio), At: block.Number(ratio), Low: block.Number(low), High: block.Number(high)}
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
	f := newForest(block.Intervals{One: 1, Margin: .03, Rows: []block.Interval{held(.5, .4, .6), held(2, 1.9, 2.1), held(4, 3, 5)}})
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
	f := newForest(block.Intervals{One: 1, Margin: .03, Rows: []block.Interval{held(.5, .001, 900), held(5000, 4000, 6000), held(1, .99, 1.01)}})
	for _, r := range f.Groups[0].Rows {
		for _, m := range r.Marks {
			for _, place := range []string{m.At, m.Interval.Low, m.Interval.High} {
				if v := at(t, place); v < 0 || v > 100 {
					t.Errorf("%s lies at %s", r.Title, place)
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
	nan := math.NaN()
	mark := func(r block.Interval) forestMark {
		return newForest(block.Intervals{One: 1, Rows: []block.Interval{r}}).Groups[0].Rows[0].Marks[0]
	}
	for _, none := range []float64{0, -1, nan, math.Inf(1)} {
		if m := mark(held(none, 1, 2)); m.Drawn || m.Interval != nil {
			t.Errorf("%g: %+v", none, m)
		}
	}
	if m := mark(held(1.2, nan, nan)); !m.Drawn || m.Interval != nil {
		t.Errorf("a ratio without interval: %+v", m)
	}
}
