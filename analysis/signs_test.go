package analysis

import (
	"fmt"
	"testing"
)

// matrixOf returns a matrix of one metric; value returns the figure of each
// path.
func matrixOf(metric, better string, n int, value func(from, to int) float64) Matrix {
	m := Matrix{Network: "storage", Metric: metric, Better: better}
	for i := range n {
		m.Hosts = append(m.Hosts, fmt.Sprint("host", i+1))
	}
	for from := range n {
		m.Cells = append(m.Cells, make([]SideCell, n))
		for to := range n {
			if from != to {
				f := figure(metric, "", []float64{value(from, to)}, 1)
				m.Cells[from][to].Figure = &f
			}
		}
	}
	return m
}

// readTwice makes each path measured twice, with one result.
func readTwice(m Matrix) Matrix {
	m.each(func(_, _ int, c *SideCell) {
		if c.Figure != nil {
			c.Figure.N = 2
		}
	})
	return m
}

func TestSigns(t *testing.T) {
	const third = 2
	lossy := func(is func(from, to int) bool) func(from, to int) float64 {
		return func(from, to int) float64 {
			if is(from, to) {
				return 3500 + 100*float64(from+to)
			}
			return 20 * float64(from+to)
		}
	}
	for name, c := range map[string]struct {
		m    Matrix
		want string
	}{
		"into one host":   {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(_, to int) bool { return to == third })), "host3 to host, 3 paths, 3700 to 4000, others 100"},
		"out of one host": {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(from, _ int) bool { return from == third })), "host3 from host, 3 paths, 3700 to 4000, others 100"},
		"both, of three":  {matrixOf("net.tcp.retransmits", "lower", 3, lossy(func(from, to int) bool { return from == third || to == third })), "host3 to and from host, 4 paths, 3700 to 3800, others 20"},
		"a cable":         {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(from, to int) bool { return from+to == 1 })), "host1–host2 path, 2 paths, 3600 to 3600, others 100"},
		"one way, once":   {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(from, to int) bool { return from == 1 && to == 0 })), ""},
		"one way of it":   {readTwice(matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(from, to int) bool { return from == 1 && to == 0 }))), "host2–host1 one way, 1 paths, 3600 to 3600, others 100"},
		"everywhere":      {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(_, _ int) bool { return true })), ""},
		"nowhere":         {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(_, _ int) bool { return false })), ""},
		"no pattern":      {matrixOf("net.tcp.retransmits", "lower", 4, lossy(func(from, to int) bool { return from == 0 && to == 1 || from == 2 && to == 3 })), ""},
		"a path of 600 beside one of 9,000": {matrixOf("net.tcp.retransmits", "lower", 4, func(from, to int) float64 {
			switch {
			case to == third:
				return 9000
			case from == 0 && to == 1:
				return 600
			}
			return 30
		}), "host3 to host, 3 paths, 9000 to 9000, others 600"},
		"one path a little worse than the next": {matrixOf("net.tcp.retransmits", "lower", 4, func(from, to int) float64 {
			switch {
			case from == 2 && to == 3:
				return 507
			case from == 0 && to == 1:
				return 353
			}
			return 2
		}), ""},
		"one way, once, beyond chance": {matrixOf("net.tcp.retransmits", "lower", 4, func(from, to int) float64 {
			return map[bool]float64{true: 6000, false: .5}[from == 1 && to == 3]
		}), "host2–host4 one way, 1 paths, 6000 to 6000, others 0.5"},
		"small packets into one host": {matrixOf("net.path_mtu", "higher", 4, func(_, to int) float64 {
			if to == third {
				return 1500
			}
			return 9000
		}), "host3 to host, 3 paths, 1500 to 1500, others 9000"},
		"echoes lost":             {matrixOf("net.rtt.loss", "lower", 3, func(from, to int) float64 { return map[bool]float64{true: .2}[from == 0 || to == 0] }), "host1 to and from host, 4 paths, 0.2 to 0.2, others 0"},
		"packets that come twice": {matrixOf("net.rtt.duplicates", "lower", 3, func(from, to int) float64 { return map[bool]float64{true: .35}[from == 1 || to == 1] }), "host2 to and from host, 4 paths, 0.35 to 0.35, others 0"},
		"two hosts are too few":   {matrixOf("net.rtt.loss", "lower", 2, func(from, _ int) float64 { return float64(from) }), ""},
	} {
		got := ""
		for _, s := range signs([]Matrix{c.m}) {
			who := s.Host
			if s.Peer != "" {
				who += "–" + s.Peer
			}
			got += fmt.Sprintf("%s %s, %d paths, %v to %v, others %v", who, s.Ways, s.Paths, s.Least, s.Greatest, s.Others)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// On a slow link a few retransmits are already many.
func TestSignsOfASlowLink(t *testing.T) {
	slow := func(segments float64, lost func(from, to int) float64) Matrix {
		m := readTwice(matrixOf(resentMetric, "lower", 3, lost))
		m.each(func(_, _ int, c *SideCell) { c.Segments = segments })
		return m
	}
	outOfFirst := func(from, to int) float64 { return map[int]float64{1: 17, 2: 6}[to] * float64(max(1-from, 0)) }
	for name, c := range map[string]struct {
		m    Matrix
		want int
	}{
		"a bit of 2 % of the packets is wrong":  {slow(3200, outOfFirst), 1},
		"of a fast link that is nothing":        {slow(86_000, outOfFirst), 0},
		"how many there were nobody counted":    {slow(0, outOfFirst), 0},
		"everybody's slow start loses some":     {slow(3200, func(from, to int) float64 { return 5 + float64(from+to) }), 0},
		"the others' is not far below":          {slow(3200, func(from, to int) float64 { return 3 + outOfFirst(from, to) }), 0},
		"fewer than anybody would look at once": {slow(300, func(from, _ int) float64 { return 4 * float64(max(1-from, 0)) }), 0},
	} {
		got := signs([]Matrix{c.m})
		if len(got) != c.want || c.want == 1 && (got[0].Host != "host1" || got[0].Ways != FromHost || got[0].Paths != 2) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// If a host loses packets on all of its paths, a slow path to it is not a second
// fault.
func TestLossExplainsASlowPath(t *testing.T) {
	into := []Sign{{Network: "storage", Metric: resentMetric, Host: "host1", Ways: ToHost, Paths: 2}}
	slow := func(from, to, network string, w Ways) *misfit {
		return &misfit{Outlier: Outlier{Standout: Standout{Host: from, Peer: to, Networks: []string{network}}}, effects: []effect{{Effect: Effect{Ways: w}}}}
	}
	for name, c := range map[string]struct {
		signs []Sign
		g     *misfit
		want  bool
	}{
		"into it":              {into, slow("host2", "host1", "storage", OneOfPath), true},
		"out of it":            {into, slow("host1", "host2", "storage", OneOfPath), false},
		"both ways":            {into, slow("host2", "host1", "storage", BothOfPath), false},
		"of another":           {into, slow("host2", "host3", "storage", OneOfPath), false},
		"on another network":   {into, slow("host2", "host1", "ring", OneOfPath), false},
		"the host":             {into, slow("host1", "", "storage", ToHost), false},
		"it loses both ways":   {[]Sign{{Network: "storage", Metric: resentMetric, Host: "host1", Ways: BothOfHost}}, slow("host1", "host2", "storage", BothOfPath), true},
		"packets are smaller":  {[]Sign{{Network: "storage", Metric: "net.path_mtu", Host: "host1", Ways: ToHost}}, slow("host2", "host1", "storage", OneOfPath), false},
		"another path loses":   {[]Sign{{Network: "storage", Metric: resentMetric, Host: "host3", Peer: "host1", Ways: OneOfPath}}, slow("host2", "host1", "storage", OneOfPath), false},
		"nothing was measured": {nil, slow("host2", "host1", "storage", OneOfPath), false},
	} {
		if got := lossExplains(c.signs, c.g); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Segments shorter than the path MTU allows are a sign of their own; small packets are
// not reported twice.
func TestShortSegments(t *testing.T) {
	short := func(_, to int) float64 {
		if to == 2 {
			return 188
		}
		return 1448
	}
	segments, narrow := matrixOf(segmentMetric, "higher", 4, short), matrixOf("net.path_mtu", "higher", 4, short)
	got := signs([]Matrix{segments})
	if len(got) != 1 || got[0].Host != "host3" || got[0].Ways != ToHost || got[0].Greatest != 188 || got[0].Others != 1448 {
		t.Errorf("%+v", got)
	}
	if got := signs([]Matrix{segments, narrow}); len(got) != 1 || got[0].Metric != "net.path_mtu" {
		t.Errorf("with a path MTU: %+v", got)
	}
	withTimestamps := matrixOf(segmentMetric, "higher", 4, func(_, to int) float64 { return 1460 - 12*float64(to%2) })
	if got := signs([]Matrix{withTimestamps}); len(got) != 0 || withTimestamps.differs() || !segments.differs() {
		t.Errorf("TCP's options: %+v", got)
	}
}

// Widely varying round trips on all paths of a host are a sign, whatever their median; on
// one path alone, or as on any busy host, they are not.
func TestUnsteadyRoundTrips(t *testing.T) {
	const third = 2
	for name, c := range map[string]struct {
		spread func(from, to int) float64
		want   string
	}{
		"one host": {func(from, to int) float64 {
			if from == third || to == third {
				return 9e-3
			}
			return 80e-6
		}, "host3"},
		"one path": {func(from, to int) float64 {
			if from == third && to == 0 {
				return 9e-3
			}
			return 80e-6
		}, ""},
		"a busy host": {func(from, _ int) float64 {
			if from == third {
				return 4e-3
			}
			return 80e-6
		}, ""},
		"all": {func(_, _ int) float64 { return 9e-3 }, ""},
	} {
		who := ""
		for _, s := range signs([]Matrix{readTwice(matrixOf(spreadMetric, "lower", 4, c.spread))}) {
			who += s.Host
		}
		if who != c.want {
			t.Errorf("%s: %q stands out, want %q", name, who, c.want)
		}
	}
}
