package compare

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"assay"
)

// noon is when the first repeat in these tests begins.
var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// beginning sets the start of a result's counted repeats, in s after noon; the
// warm-up, which must not count, ran the day before.
func beginning(res assay.Result, at ...float64) assay.Result {
	res.Repeats[0].Started = noon.Add(-24 * time.Hour)
	for i, s := range at {
		res.Repeats[i+1].Started = noon.Add(time.Duration(s * float64(time.Second)))
	}
	return res
}

func every(from, step float64, n int) (at []float64) {
	for i := range n {
		at = append(at, from+float64(i)*step)
	}
	return at
}

func TestOrderOfColumns(t *testing.T) {
	on := func(host, dir string, at ...float64) assay.Result {
		return beginning(measured(host, dir, "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, len(at), 1e3)}), at...)
	}
	for _, test := range []struct {
		name        string
		base, other []assay.Result
		want        Order
		notes       []string
	}{
		{
			"in turns", []assay.Result{on("a", "/x", 0, 30, 40, 70)}, []assay.Result{on("a", "/y", 10, 20, 50, 60)},
			Order{Course: TookTurns, Later: .5, Apart: 0, Figures: 1},
			[]string{"A and B were measured interleaved: any drift affected both"},
		},
		{
			"the next day", []assay.Result{on("a", "/x", every(0, 10, 6)...)}, []assay.Result{on("a", "/x", every(86400, 10, 6)...)},
			Order{Course: OneByOne, Later: 1, Apart: 86400, Figures: 1},
			[]string{"B was measured 24 h after A (midpoint to midpoint): any drift in between is part of the difference"},
		},
		{
			"before", []assay.Result{on("a", "/x", every(600, 10, 6)...)}, []assay.Result{on("a", "/x", every(0, 10, 6)...)},
			Order{Course: OneByOne, Later: 0, Apart: -600, Figures: 1},
			[]string{"B was measured 10 min before A (midpoint to midpoint): any drift in between is part of the difference"},
		},
		{
			"the ends overlap", []assay.Result{on("a", "/x", 0, 10, 20, 30)}, []assay.Result{on("a", "/x", 25, 40, 50, 60)},
			Order{Course: Overlapping, Later: 15. / 16, Apart: 30, Figures: 1},
			[]string{"B was mostly measured 30 s after A (midpoint to midpoint): any drift in between is part of the difference"},
		},
		{
			"on another host meanwhile", []assay.Result{on("pve1", "/x", every(0, 10, 6)...)}, []assay.Result{on("pve2", "/x", every(0, 10, 6)...)},
			Order{Course: TookTurns, Later: .5, Moved: 1, Figures: 1},
			[]string{"A and B were measured interleaved: any drift affected both", "A on pve1, B on pve2: the hosts are part of the difference"},
		},
		{
			"another case at another time is no partner", []assay.Result{on("a", "/x", 0, 10), on("a", "/y", 1000, 1020)}, []assay.Result{on("a", "/y", 1010, 1010), on("a", "/x", 5, 5)},
			Order{Course: TookTurns, Later: .5, Apart: 0, Figures: 2},
			[]string{"A and B were measured interleaved: any drift affected both"},
		},
	} {
		c := Compare([]Column{column(runOf("1", test.base...)), column(runOf("2", test.other...))}, Options{})
		test.want.Column = 1
		if len(c.Order) != 1 || math.Abs(c.Order[0].Apart-test.want.Apart) > 1e-3 {
			t.Fatalf("%s: %+v, want %+v", test.name, c.Order, test.want)
		}
		c.Order[0].Apart = test.want.Apart
		if c.Order[0] != test.want || !slices.Equal(c.Notes, test.notes) {
			t.Errorf("%s: %+v %q, want %+v %q", test.name, c.Order[0], c.Notes, test.want, test.notes)
		}
	}
}

// If one of two figures is on another host, the note says so, and each of three
// columns is compared with the first.
func TestOrderOfSeveralColumns(t *testing.T) {
	on := func(host, dir string, from float64) assay.Result {
		return beginning(measured(host, dir, "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, 4, 1e3)}), every(from, 10, 4)...)
	}
	c := Compare([]Column{
		column(runOf("1", on("a", "/x", 0), on("a", "/y", 5))),
		column(runOf("2", on("a", "/x", 3600), on("b", "/y", 3605))),
		column(runOf("3", on("a", "/x", 1))),
	}, Options{})
	want := []string{
		"B was measured 60 min after A (midpoint to midpoint): any drift in between is part of the difference",
		"A on a, B on b in 1 of 2 figures: the hosts are part of the difference",
		"A and C were measured interleaved: any drift affected both",
	}
	if len(c.Order) != 2 || c.Order[0].Column != 1 || c.Order[1].Column != 2 || !slices.Equal(c.Notes, want) {
		t.Errorf("%+v %q, want %q", c.Order, c.Notes, want)
	}
}

// Two directories of one run as two columns have taken turns, whatever the
// random order.
func TestDirectoriesOfOneRunTookTurns(t *testing.T) {
	for first := range 8 { // which of three rounds began with the second directory
		var at [2][]float64
		for round := range 3 {
			swapped := first >> round & 1
			for side := range 2 {
				at[side] = append(at[side], float64(20*round+10*(side^swapped)))
			}
		}
		run := runOf("one",
			beginning(measured("a", "/x", "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, 3, 1e3)}), at[0]...),
			beginning(measured("a", "/y", "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(2, 3, 1e3)}), at[1]...))
		c := Compare([]Column{{Picks: []Pick{{run, &run.Results[0]}}}, {Picks: []Pick{{run, &run.Results[1]}}}}, Options{})
		if len(c.Order) != 1 || c.Order[0].Course != TookTurns {
			t.Errorf("order %d: %+v", first, c.Order)
		}
	}
}

// Without start times nothing is said about the order, and columns without
// common figures have none.
func TestNobodyKnowsTheOrder(t *testing.T) {
	for name, columns := range map[string][]Column{
		"no start times":    {column(runOf("1", reads(1, 6, 1e3))), column(runOf("2", reads(2, 6, 1e3)))},
		"nothing in common": {column(runOf("1", reads(1, 6, 1e3))), column(runOf("2"))},
	} {
		c := Compare(columns, Options{})
		if len(c.Order) != 1 || c.Order[0].Course != CourseUnknown || len(c.Notes) != 0 {
			t.Errorf("%s: %+v %q", name, c.Order, c.Notes)
		}
	}
}

func TestRoughly(t *testing.T) {
	for s, want := range map[float64]string{0: "0 s", 90: "90 s", 119: "119 s", 600: "10 min", -5400: "90 min", 7200: "2 h", 93600: "26 h", 1e6: "11.6 days"} {
		if got := roughly(s); got != want {
			t.Errorf("%g s are %s, want %s", s, got, want)
		}
	}
	if got := fmt.Sprint(letter(0), letter(25), letter(26)); got != "AZcolumn 27" {
		t.Error(got)
	}
}

// A run has no order against itself, and one figure affected by drift sets the
// course, whatever the others are.
func TestCourses(t *testing.T) {
	on := func(dir string, at ...float64) assay.Result {
		return beginning(measured("a", dir, "randread-4k", labels("4k"), map[string][]float64{"storage.read.iops": sample(1, len(at), 1e3)}), at...)
	}
	one := runOf("1", on("/x", every(0, 10, 6)...))
	if c := Compare([]Column{column(one), column(one)}, Options{}); c.Order[0].Course != CourseUnknown {
		t.Errorf("with itself: %+v %q", c.Order, c.Notes)
	}
	c := Compare([]Column{
		column(runOf("1", on("/x", every(0, 10, 6)...), on("/y", every(1000, 10, 6)...))),
		column(runOf("2", on("/x", every(1000, 10, 6)...), on("/y", every(0, 10, 6)...))),
	}, Options{})
	if c.Order[0].Course != OneByOne || c.Order[0].Later != .5 {
		t.Errorf("one figure before, the other after: %+v", c.Order)
	}
}
