package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/compare/trend"
	"assay/report/block"
	"assay/stats"
)

func TestWordsOfAChange(t *testing.T) {
	half := trend.Effect{Value: .5, Low: .48, High: .525, Level: .95}
	for _, c := range []struct {
		metric  string
		shift   trend.Effect
		ratio   trend.Effect
		verdict string
		words   string
	}{
		{"storage.read.iops", trend.Effect{Value: -1000, Level: .95}, half, "worse", "-50.0 % [-52.0, -47.5]"},
		{"storage.read.latency.p99", trend.Effect{Value: -1e-3, Level: .95}, half, "better", "-50.0 % [-52.0, -47.5]"},
		{"thermal.load", trend.Effect{Value: 4, Low: 3, High: 5.5, Level: .95}, half, "worse", "+4.0 °C [+3.0 °C, +5.5 °C]"},
		{"smart.media_errors", trend.Effect{Value: 2, Low: 1, High: 3, Level: .95}, trend.Effect{}, "worse", "+2 [+1, +3]"},
		{"smart.data_read", trend.Effect{Value: 1, Level: .95}, trend.Effect{Value: 1.25, Low: 1, High: 2, Level: .95}, "higher", "+25.0 % [+0.0, +100.0]"},
	} {
		change := trend.Change{Shift: c.shift, Ratio: c.ratio}
		if got := verdictOf(c.metric, change); got != c.verdict {
			t.Errorf("%s: %s, want %s", c.metric, got, c.verdict)
		}
		one := trendChange{Shift: trendEffect(c.shift)}
		if c.ratio.Level > 0 {
			one.Ratio = (*trendEffect)(&c.ratio)
		}
		if got := one.words(c.metric); got != c.words {
			t.Errorf("%s: %q, want %q", c.metric, got, c.words)
		}
	}
}

func TestSeriesOfOneTrialAreToldApart(t *testing.T) {
	all := []trendSeries{
		{Trial: "a", Seconds: 5, Conditions: map[string]string{"size": "1g", "bs": "4k"}},
		{Trial: "a", Seconds: 600.04, Conditions: map[string]string{"size": "9g", "bs": "4k"}},
		{Trial: "b", Seconds: 30},
		{Trial: "b", Seconds: 30, Rejected: true},
	}
	tellApart(all)
	if diff := cmp.Diff([][]string{{"seconds=5", "size=1g"}, {"seconds=600", "size=9g"}, nil, {"rejected=yes"}}, [][]string{all[0].differs, all[1].differs, all[2].differs, all[3].differs}); diff != "" {
		t.Error(diff)
	}
}

// A history is drawn in the unit of the table beside it.
func TestAHistoryIsDrawnInTheUnitOfItsTable(t *testing.T) {
	for _, c := range []struct {
		metric string
		unit   assay.Unit
		value  float64
		axis   string
		drawn  block.Number
	}{
		{"net.tcp.throughput", assay.BytesPerSecond, 1.176e9, "bit/s", 9.408e9},
		{"net.udp.loss", assay.One, .5, "%", 50},
		{"storage.read.bandwidth", assay.BytesPerSecond, 1.176e9, "B/s", 1.176e9},
	} {
		s := trendSeries{Metric: c.metric, Unit: c.unit, points: []trend.Point{{Value: c.value}, {Value: c.value}}}
		s.found.Segments = []trend.Segment{{To: 2, Level: stats.Summary{Center: c.value}}}
		p := s.history()
		if p.Y.Unit != c.axis {
			t.Errorf("%s: the axis is in %s", c.metric, p.Y.Unit)
		}
		for _, l := range p.Lines {
			if at := l.Points[0]; at[1] != c.drawn {
				t.Errorf("%s, %s: drawn at %v, want %v", c.metric, l.Title, at[1], c.drawn)
			}
		}
	}
}

// Of a host that only older runs have, trend says that it has not read those.
func TestTrendSaysThatOlderRunsWereNotRead(t *testing.T) {
	t.Parallel()
	db := withRuns(t, olderRun, newerRun)
	change(t, db, `UPDATE trial SET trial = replace(trial, '"host":"alpha"', '"host":"beta"') WHERE run = '`+olderRun+`'`)
	for words, want := range map[string]string{
		"trend storage.read.iops --host beta --runs 1":  "--runs 0",
		"trend storage.read.iops --host beta":           "1 run:",
		"trend storage.read.iops --host gamma --runs 0": "leave out --host",
	} {
		got := verb(t, db, strings.Fields(words)...)
		if all := got.stdout + got.stderr; !strings.Contains(all, want) || want != "--runs 0" && strings.Contains(all, "--runs 0") {
			t.Errorf("%s: status %d\n%s", words, got.status, all)
		}
	}
}
