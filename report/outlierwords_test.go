package report

import (
	"strings"
	"testing"

	"assay/analysis"
	"assay/analysis/hypotheses"
)

// No part is to be replaced before the cause is known.
func TestUndecidedIsFoundOutFirst(t *testing.T) {
	drive := &hypotheses.Hypothesis{ID: "drive-other", Name: "a drive of another model", Decides: "try its drive in another host", Remedy: "Give {host} a drive like the others'"}
	for certainty, want := range map[hypotheses.Certainty]string{
		hypotheses.Undecided: "Find out why pve3 is slow before you replace anything: try its drive in another host.",
		hypotheses.Certain:   "Give pve3 a drive like the others'.",
	} {
		o := analysis.Outlier{Why: &hypotheses.Cause{Hypothesis: drive, Certainty: certainty}}
		o.Host = "pve3"
		if got := advice(o); !strings.EqualFold(got, want) {
			t.Errorf("%s: %q, want %q", certainty, got, want)
		}
	}
}

// What many hosts share is blamed, not one of them.
func TestRacksInWords(t *testing.T) {
	for _, c := range []struct {
		host, peer string
		ways       analysis.Ways
		want, next string
	}{
		{"rack a", "", analysis.FromHost, "rack a is 4.0 × slower from its hosts to other racks on lan (2.00 Gbit/s vs 8.00 Gbit/s). Its hosts are slow as a group, not individually: suspect the uplink that they share.", "Check the switch of rack a and its uplink on lan: ports, cables, load"},
		{"rack a", "rack b", analysis.BothOfPath, "The path between rack a and rack b is 4.0 × slower on lan (2.00 Gbit/s vs 8.00 Gbit/s). Its hosts are slow as a group, not individually: suspect the uplink that they share.", "Check the ports, cables and load of the uplink between rack a and rack b on lan"},
	} {
		o := analysis.Outlier{Racks: true, Ways: c.ways, Worst: analysis.Apart{Metric: "net.tcp.throughput", Own: 250e6, From: 1e9, To: 1e9}, Effects: []analysis.Effect{{}}}
		o.Host, o.Peer, o.Section, o.Networks, o.Least, o.Greatest = c.host, c.peer, "network", []string{"lan"}, 4, 4
		if got := sentence(o); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := advice(o); !strings.HasPrefix(got, c.next) {
			t.Errorf("%q, want %q", got, c.next)
		}
	}
}

// Temperatures are no speeds: nobody is said to be slower or faster by their ratio.
func TestHeatInWords(t *testing.T) {
	rise := analysis.Apart{Title: "temperature under load", Metric: "thermal.rise", Own: 45, From: 25, To: 26, Once: true}
	work := analysis.Apart{Title: "CPU, all threads", Metric: "cpu.events_per_second", Own: 1000, From: 1400, To: 1450}
	throttles := &hypotheses.Cause{Hypothesis: &hypotheses.Hypothesis{ID: "cpu-throttles", Name: "thermal throttling"}, Certainty: hypotheses.VeryLikely}
	for name, c := range map[string]struct {
		worst  analysis.Apart
		heat   *analysis.Apart
		better bool
		rows   []string
		want   string
	}{
		"hotter": {rise, nil, false, []string{rise.Title},
			"pve2 heats up by 45.0 °C under load, the others by 25.0 to 26.0 °C, one reading each. Very likely: thermal throttling."},
		"hotter in two rows": {rise, nil, false, []string{rise.Title, "another"},
			"pve2 heats up by 45.0 °C under load, the others by 25.0 to 26.0 °C, one reading each. Very likely: thermal throttling."},
		"slower and hotter": {work, &rise, false, []string{work.Title},
			"pve2 is 1.4 × slower in CPU, all threads (1.00k events/s vs 1.40k to 1.45k events/s), and heats up by 45.0 °C, the others by 25.0 to 26.0 °C, one reading each. Very likely: thermal throttling."},
		"cooler": {analysis.Apart{Title: rise.Title, Metric: "thermal.rise", Own: 12, From: 25, To: 26}, nil, true, []string{rise.Title},
			"pve2 heats up by only 12.0 °C under load, the others by 25.0 to 26.0 °C."},
		"faster": {analysis.Apart{Title: work.Title, Metric: work.Metric, Own: 2000, From: 1400, To: 1450}, nil, true, []string{work.Title},
			"pve2 is 1.4 × faster in CPU, all threads (2.00k events/s vs 1.40k to 1.45k events/s)."},
	} {
		o := analysis.Outlier{Worst: c.worst, Heat: c.heat, Why: throttles, Effects: []analysis.Effect{{}}}
		o.Host, o.Better, o.Rows, o.Least, o.Greatest = "pve2", c.better, c.rows, 1.4, 1.4
		if got := sentence(o); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
