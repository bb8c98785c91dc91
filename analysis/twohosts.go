package analysis

import (
	"math"
	"slices"
)

// TwoHosts compares a run's only two hosts. Without a third, nobody can tell which of them
// is as it should be.
type TwoHosts struct {
	Hosts       [2]string
	Rows, Alike int      // rows that both have, those alike among them; and networks, by their two ways
	Most        *Between // where they differ most; nil if they clearly differ nowhere
}

// Between is a figure that clearly differs between two hosts, or between the ways from one to
// the other and back.
type Between struct {
	Title, Metric string
	Network       string     // "" for a figure of each host
	Values        [2]float64 // by host: its own, or of what it sends
	Ratio         float64
}

// twoHosts returns the comparison of a run's two hosts.
func (f Found) twoHosts() []Point {
	measured := f.Side.measured()
	if len(measured) != 2 {
		return nil
	}
	var hosts []string
	for _, h := range f.Side.Hosts {
		if measured[h] {
			hosts = append(hosts, h)
		}
	}
	two := TwoHosts{Hosts: [2]string(hosts)}
	compare := func(at Between, cells [2]SideCell, way bool) {
		if !isJudged(at.Metric) || cells[0].Figure == nil || cells[1].Figure == nil || cells[0].Via+cells[1].Via != "" {
			return
		}
		two.Rows++
		if cells[0].Figure.Rejected || cells[1].Figure.Rejected {
			return
		}
		var samples [2]sample
		for i, c := range cells {
			samples[i] = sampleOf(*c.Figure, hosts[i])
			samples[i].disturbed = way || f.doubted(Row{Trial: c.Trial}, BusyRule)
			at.Values[i] = c.Figure.Value
		}
		least := leastDifference[at.Metric]
		if isNear(at.Values[0], at.Values[1], least) {
			two.Alike++
		}
		if at.Ratio = apartFrom(samples, least); at.Ratio > 0 && (two.Most == nil || at.Ratio > two.Most.Ratio) {
			two.Most = &at
		}
	}
	for _, t := range f.Side.Tables {
		for _, r := range t.Rows {
			at := [2]int{slices.Index(f.Side.Hosts, hosts[0]), slices.Index(f.Side.Hosts, hosts[1])}
			compare(Between{Title: r.Title, Metric: r.Metric}, [2]SideCell{r.Cells[at[0]], r.Cells[at[1]]}, false)
		}
	}
	for _, m := range f.Side.Networks {
		a, b := slices.Index(m.Hosts, hosts[0]), slices.Index(m.Hosts, hosts[1])
		if a >= 0 && b >= 0 {
			compare(Between{Title: m.Title, Metric: m.Metric, Network: m.Network}, [2]SideCell{m.Cells[a][b], m.Cells[b][a]}, true)
		}
	}
	switch {
	case two.Rows == 0:
		return nil
	case two.Most != nil:
		return []Point{{Doubt, two}}
	}
	return []Point{{Note, two}}
}

// apartFrom returns the ratio of two figures that are as far apart as one that stands out is
// from the others; 0 if they are not.
func apartFrom(pair [2]sample, least float64) float64 {
	low, high := pair[0], pair[1]
	if low.mid > high.mid {
		low, high = high, low
	}
	if !(low.low > 0) || math.IsInf(high.high, 0) || low.high >= high.low {
		return 0
	}
	r := rank([]sample{low, high}, []string{low.keys[0], high.keys[0]})
	below := odd{below: true, typical: high.mid, from: high.mid, to: high.mid}
	above := odd{typical: low.mid, from: low.mid, to: low.mid}
	if !r.measure(&below, r.of[0], least) || !r.measure(&above, r.of[1], least) {
		return 0
	}
	return above.ratio
}
