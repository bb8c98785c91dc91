package analysis

import (
	"maps"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/plan/multiclient"
	"assay/stats"
)

// ClientRow is one row of the table by number of clients.
type ClientRow struct {
	Title  string        `json:"title"` // "lowest second", or the host whose share it is
	Metric string        `json:"metric,omitempty"`
	Unit   assay.Unit    `json:"unit"`
	Values []ClientValue `json:"values"` // by how many hosts, rising
}

// ClientValue is the median over the repeats with that many hosts.
type ClientValue struct {
	Hosts int     `json:"hosts"`
	Value float64 `json:"value"`
}

// fairness is the title of the row of Jain's index.
const fairness = "fairness (Jain's index)"

// clientLines are the rows of the table, in order. end names a metric of the
// operation (pool.write), unless it begins with tool.
var clientLines = []struct{ end, title string }{
	{"tool.duration", "total time"}, {"ios", "operations"}, {"requests", "operations"},
	{"bandwidth", "bandwidth"}, {"throughput", "bandwidth"},
	{"bandwidth.stddev", "bandwidth, standard deviation"}, {"bandwidth.max", "bandwidth, highest second"}, {"bandwidth.min", "bandwidth, lowest second"},
	{"iops", "IOPS"}, {"ops", "requests"},
	{"iops.stddev", "IOPS, standard deviation"}, {"iops.max", "IOPS, highest second"}, {"iops.min", "IOPS, lowest second"},
	{"latency.mean", "mean latency"}, {"latency.stddev", "latency, standard deviation"},
	{"latency.max", "highest latency"}, {"latency.min", "lowest latency"},
}

// clientRows returns the table of a curve: the total of each figure over all
// clients, each client's share, and how evenly they shared it.
func (b *builder) clientRows(c curveOf, points []ScalingPoint) []ClientRow {
	results := map[int]assay.Result{} // by how many hosts
	for _, p := range points {
		if p.Figure != nil {
			results[p.Hosts] = b.result(p.Trial)
		}
	}
	stem := c.metric[:strings.LastIndexByte(c.metric, '.')+1]
	var rows []ClientRow
	for _, l := range clientLines {
		metric := l.end
		if !strings.HasPrefix(metric, "tool.") {
			metric = stem + l.end
		}
		m, known := assay.Describe(metric)
		if !known {
			continue
		}
		rows = appendRow(rows, ClientRow{Title: l.title, Metric: metric, Unit: m.Unit}, results, func(r assay.Repeat) (float64, bool) { return ofAll(r, stem, l.end, metric) })
	}
	own, _ := assay.Describe(c.metric)
	for _, host := range points[len(points)-1].Names {
		rows = appendRow(rows, ClientRow{Title: "of which " + host, Metric: c.metric, Unit: own.Unit}, results, func(r assay.Repeat) (float64, bool) {
			share, has := multiclient.Shares(r, c.metric)[host]
			return share, has
		})
	}
	return appendRow(rows, ClientRow{Title: fairness, Unit: assay.One}, results, func(r assay.Repeat) (float64, bool) {
		return jain(slices.Collect(maps.Values(multiclient.Shares(r, c.metric))))
	})
}

// appendRow appends a row of medians over the counted repeats of each result, unless
// there are no values.
func appendRow(rows []ClientRow, row ClientRow, results map[int]assay.Result, of func(assay.Repeat) (float64, bool)) []ClientRow {
	for _, hosts := range slices.Sorted(maps.Keys(results)) {
		var values []float64
		for _, repeat := range results[hosts].Counted() {
			if v, ok := of(repeat); ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			row.Values = append(row.Values, ClientValue{hosts, stats.Median(values)})
		}
	}
	if len(row.Values) == 0 {
		return rows
	}
	return append(rows, row)
}

// ofAll returns a figure over all clients of a repeat. Per-second extremes and
// deviations are taken from the clients' sums over the seconds that all of them
// have.
func ofAll(r assay.Repeat, stem, end, metric string) (float64, bool) {
	if m := r.Measurement(metric); m != nil {
		return m.Value, true
	}
	rate, of, is := strings.Cut(end, ".")
	if !is || rate != "bandwidth" && rate != "iops" {
		return 0, false
	}
	scale := 1.
	m := r.Measurement(stem + rate)
	if rate == "iops" && (m == nil || len(m.Samples) == 0) { // all operations have the same size
		ios, bytes := r.Measurement(stem+"ios"), r.Measurement(stem+"bytes")
		if ios == nil || bytes == nil || !(bytes.Value > 0) {
			return 0, false
		}
		m, scale = r.Measurement(stem+"bandwidth"), ios.Value/bytes.Value
	}
	if m == nil || len(m.Samples) < 2 {
		return 0, false
	}
	v := ofSeconds(m.Samples, of) * scale
	return v, !math.IsNaN(v)
}

// ofSeconds returns the standard deviation, maximum or minimum of samples; NaN for
// anything else.
func ofSeconds(samples []assay.Sample, of string) float64 {
	least, most, sum, squares := math.Inf(1), math.Inf(-1), 0., 0.
	for _, s := range samples {
		least, most, sum = math.Min(least, s.Value), math.Max(most, s.Value), sum+s.Value
	}
	mean := sum / float64(len(samples))
	for _, s := range samples {
		squares += (s.Value - mean) * (s.Value - mean)
	}
	switch of {
	case "stddev":
		return math.Sqrt(squares / float64(len(samples)))
	case "max":
		return most
	case "min":
		return least
	}
	return math.NaN()
}

// jain returns Jain's fairness index: 1 if all shares are equal, 1/n if one of n has
// everything (R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984: the square of the sum over
// n times the sum of the squares).
func jain(shares []float64) (index float64, ok bool) {
	sum, squares := 0., 0.
	for _, v := range shares {
		sum, squares = sum+v, squares+v*v
	}
	if len(shares) < 2 || !(squares > 0) {
		return 0, false
	}
	return sum * sum / (float64(len(shares)) * squares), true
}
