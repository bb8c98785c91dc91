package analysis

import "testing"

// On a ring, the path between hosts that are not neighbours gets no line of its own: it
// is as slow as its slowest hop.
func TestAPictureHasLinesThatAreThere(t *testing.T) {
	m := matrixOf("net.tcp.throughput", "higher", 4, func(from, to int) float64 {
		if from == 3 || to == 3 {
			return 1e9
		}
		return 10e9
	})
	m.each(func(from, to int, c *SideCell) {
		if (from+to)%2 == 0 {
			c.Via = "host4"
			c.Figure.Value = .5e9
		}
	})
	m.Meshed = true
	all := (&Side{Networks: []Matrix{m}}).Pictures()
	if len(all) != 1 || len(all[0].Ways) != 8 || all[0].Expected != 10e9 {
		t.Fatalf("%+v", all)
	}
	for _, w := range all[0].Ways {
		if want := map[bool]float64{true: .1, false: 1}[w.From == "host4" || w.To == "host4"]; w.Share != want {
			t.Errorf("%s to %s: %.2f of what is expected, want %.2f", w.From, w.To, w.Share, want)
		}
	}
}

// Where no host is meant to forward traffic, a detour is a path of its own through the
// host between, and counts for no host's rate.
func TestAPictureShowsADetour(t *testing.T) {
	m := matrixOf("net.tcp.throughput", "higher", 4, func(_, _ int) float64 { return 10e9 })
	m.Cells[0][2].Via, m.Cells[0][2].Figure.Value = "host4", 3e9
	p := (&Side{Networks: []Matrix{m}}).Pictures()[0]
	if len(p.Ways) != 12 || p.Expected != 10e9 {
		t.Fatalf("%+v", p)
	}
	for _, w := range p.Ways {
		want := ""
		if w.From == "host1" && w.To == "host3" {
			want = "host4"
		}
		if w.Via != want {
			t.Errorf("%s to %s goes through %q", w.From, w.To, w.Via)
		}
	}
	for _, h := range p.Hosts {
		if h.Marked() {
			t.Errorf("%s is marked for a detour", h.Name)
		}
	}
}

// Where two hosts also have a faster way than this network's, their figures are
// rejected: they are not what the other ways are held to.
func TestAPictureLeavesRejectedFiguresOut(t *testing.T) {
	m := matrixOf("net.tcp.throughput", "higher", 3, func(from, to int) float64 {
		if from+to == 1 {
			return 9.4e9 / 8
		}
		return 941e6 / 8
	})
	m.Cells[0][1].Figure.Rejected, m.Cells[1][0].Figure.Rejected = true, true
	p := (&Side{Networks: []Matrix{m}}).Pictures()[0]
	if p.Expected != 941e6/8 {
		t.Errorf("expects %g B/s", p.Expected)
	}
	for _, w := range p.Ways {
		rejected := w.From != "host3" && w.To != "host3"
		if rejected && (w.Measured || w.Lacks != "rejected") || !rejected && w.Share != 1 {
			t.Errorf("%+v", w)
		}
	}
}

// The median of a figure that is rejected only for its scatter says how good a way is.
func TestAPictureShowsScatteredFigures(t *testing.T) {
	m := matrixOf("net.tcp.throughput", "higher", 3, func(_, _ int) float64 { return 10e9 })
	f := m.Cells[0][1].Figure
	f.Value, f.Rejected, f.Scattered = 1e9, true, true
	p := (&Side{Networks: []Matrix{m}}).Pictures()[0]
	if w := p.Ways[0]; !w.Measured || w.Share != .1 {
		t.Errorf("%+v", w)
	}
}
