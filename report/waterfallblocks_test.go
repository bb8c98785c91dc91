package report

import (
	"math"
	"strings"
	"testing"

	"assay/analysis"
	"assay/limits"
	"assay/report/block"
	"assay/stats"
)

func TestAWaterfall(t *testing.T) {
	at := func(v float64) stats.Interval {
		return stats.Interval{Center: v, Low: .9 * v, High: 1.1 * v, Level: .95}
	}
	w := analysis.Waterfall{
		Top: "drbd", Load: analysis.LayerDurable, Size: 4096,
		Layers: []analysis.LayerTotal{{Name: "tank", Latency: 6.3e-3, P99: 12e-3, IOPS: 158}, {Name: "drbd", Latency: 7.24e-3, P99: 16e-3, P999: 23e-3, IOPS: 138, Lost: 20}},
		Steps: []analysis.LayerStep{
			{Layer: "tank", Part: analysis.PathStep, Cost: at(.2e-3), Share: .028, Pairs: 6}, {Layer: "tank", Part: analysis.FlushStep, Cost: at(6.1e-3), Share: .843, Pairs: 6},
			{Layer: "drbd", Part: analysis.PathStep, Cost: at(.94e-3), Share: .13, Pairs: 6},
		},
		Left:  []analysis.LayerLeft{{Name: "drive nvme0n1", Why: "it is only read, since a write would destroy what is on it"}},
		Model: &analysis.Modelled{Latency: limits.Latency{Value: 5e-3, Terms: []limits.Term{{Name: "remote replica", Value: 5e-3}}}, Residual: .31},
	}
	if got, want := waterfallWords(w), "drbd: a 4 KiB synchronous write takes 7.24 ms, of which 6.10 ms (84 %) is the flush of tank, 940 µs (13 %) the write path of drbd and 200 µs (3 %) the write path of tank."; got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	for rtt, want := range map[float64]string{
		900e-6: "Replication takes 940 µs, a round trip over eth1 900 µs: it is the link.",
		400e-6: "43 % of it is the link",
		80e-6:  "not the link, but the storage of the peer",
	} {
		w.Trip = &analysis.Trip{Layer: "drbd", Over: "eth1", RTT: rtt, Replica: at(.94e-3)}
		if got := waterfallWords(w); !strings.Contains(got, want) {
			t.Errorf("a round trip of %g s: %s", rtt, got)
		}
	}
	w.Trip.Peer = &analysis.PeerStorage{Name: "zvol on pve2", Latency: 7.2e-3, Beyond: .9e-3}
	w.Trip.RTT = 80e-6
	if got, want := tripWords(w), "not the link, but the storage of the peer: zvol on pve2 takes 7.20 ms, 900 µs more than here."; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	w.Trip.Replica.Low = -1e-3
	if got := tripWords(w); got != "" {
		t.Errorf("replication that may take nothing: %s", got)
	}
	w.Trip = nil
	bars := waterfallBars(w).Bars
	end := 0.
	for _, b := range bars {
		if math.Abs(float64(b.From)-end) > 1e-9 {
			t.Errorf("%s begins at %g, not %g", b.Title, b.From, end)
		}
		end = float64(b.From + b.Share)
	}
	if len(bars) != 3 || math.Abs(end-1) > 1e-9 {
		t.Errorf("%d bars end at %g", len(bars), end)
	}
	var doubt, left bool
	for _, one := range waterfallBlocks([]analysis.Waterfall{w}) {
		if s, is := one.(block.Sentence); is {
			doubt = doubt || s.Is == block.Doubt && strings.Contains(s.Text, "31 % of the time is not explained")
			left = left || strings.Contains(s.Text, "drive nvme0n1: it is only read")
		}
	}
	if !doubt || !left {
		t.Errorf("the residual is said: %v; the layer that is left out: %v", doubt, left)
	}
	// A layer that is faster than the one below it goes back.
	w.Steps[2].Cost = at(-3e-3)
	if b := waterfallBars(w).Bars[2]; !(b.From+b.Share <= 1.0001) || float64(b.From) < .5 {
		t.Errorf("%+v", b)
	}
}

// What the repeats do not show is not claimed: a cost that may be nothing, steps that do not
// add up, a rate that is not lost.
func TestAWaterfallOfRepeatsThatScatter(t *testing.T) {
	w := analysis.Waterfall{
		Top: "/guest", Load: analysis.LayerRead, Size: 4096,
		Layers: []analysis.LayerTotal{{Name: "drive vda", Latency: 1.03e-3, IOPS: 952}, {Name: "/guest", Latency: .64e-3, IOPS: 1530, Lost: -578}},
		Steps: []analysis.LayerStep{
			{Layer: "drive vda", Cost: stats.Interval{Center: 1.03e-3, Low: .5e-3, High: 2.2e-3, Level: .95}, Share: 1.61, Pairs: 6},
			{Layer: "/guest", Cost: stats.Interval{Center: -.09e-3, Low: -1.7e-3, High: 78e-3, Level: .95}, Share: -.14, Pairs: 6},
		},
	}
	var text []string
	for _, one := range waterfallBlocks([]analysis.Waterfall{w}) {
		switch b := one.(type) {
		case block.Sentence:
			text = append(text, b.Text)
		case block.Bars:
			text = append(text, b.Bars[0].Aside, b.Bars[1].Aside)
		case block.Table:
			if lost := b.Rows[1].Cells[5].Text; lost != "" {
				t.Errorf("IOPS lost: %s", lost)
			}
		}
	}
	all := strings.Join(text, "\n")
	for _, want := range []string{"161 %\nunclear", "add up to 147 % of the latency", "Unclear: the interval includes 0"} {
		if !strings.Contains(all, want) {
			t.Errorf("no word of %q in\n%s", want, all)
		}
	}
	if got := shareWords(analysis.LayerStep{Cost: stats.Interval{Center: 1e-5}, Share: .002}); got != "< 1 %" {
		t.Errorf("a small share is %s", got)
	}
	w.Steps[0].Cost.Low = -1e-3
	if got := waterfallWords(w); !strings.Contains(got, "scatter too much to tell where that goes") {
		t.Error(got)
	}
}
