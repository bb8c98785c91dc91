package assay

import (
	"slices"
	"testing"
)

// Moments come back in order, relative to the point that people count from.
func TestMoments(t *testing.T) {
	was := []Moment{
		{What: Answer, By: "c", On: "b", At: 108, Error: .5}, {What: Stopping, By: "a", At: 105}, {What: LastAnswer, By: "c", At: 104, Error: .5},
	}
	found := Moments("x", was)
	if found[0].Value != 0 || found[2].Value != 4 {
		t.Errorf("they count from the earliest: %+v", found)
	}
	for _, m := range found {
		if about, known := Describe(m.Metric); !known || about.Unit != m.Unit || !about.Support {
			t.Errorf("%+v", m)
		}
	}
	got := Repeat{Measurements: append([]Measurement{{Metric: "failover.time", Value: 7}}, found...)}.Moments()
	want := []Moment{{What: LastAnswer, By: "c", At: -1, Error: .5}, {What: Stopping, By: "a"}, {What: Answer, By: "c", On: "b", At: 3, Error: .5}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (Repeat{Measurements: found[2:]}).Moments(); got != nil {
		t.Errorf("without a beginning: %+v", got)
	}
	if got := Moments("x", nil); len(got) != 0 {
		t.Errorf("of none: %+v", got)
	}
}
