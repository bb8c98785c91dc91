package analysis

import (
	"math"
	"testing"

	"assay"
)

// If one of two clients gets three times the other's share, fairness is
// (1+3)²/(2 x (1+9)) = .8.
func TestFairness(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   float64
		ok     bool
	}{
		{[]float64{1, 3}, .8, true}, {[]float64{5, 5, 5}, 1, true}, {[]float64{0, 0, 7, 0}, .25, true}, {[]float64{1}, 0, false}, {[]float64{0, 0}, 0, false}, {nil, 0, false},
	} {
		if got, ok := jain(c.shares); math.Abs(got-c.want) > 1e-12 || ok != c.ok {
			t.Errorf("%v: %v, %v", c.shares, got, ok)
		}
	}
}

// pooled returns a repeat in which each client writes 100 and then 50 MB/s in its
// two seconds; the last client writes half of that.
func pooled(n, clients int) assay.Repeat {
	r := assay.Repeat{N: n, Outcome: assay.Done}
	total := 75e6 * (float64(clients) - .5)
	measure := func(metric string, v float64, labels map[string]string, samples ...assay.Sample) {
		r.Measurements = append(r.Measurements, assay.Measurement{Metric: metric, Value: v, Labels: labels, Samples: samples})
	}
	scale := float64(clients) - .5
	measure("pool.write.bandwidth", total, nil, assay.Sample{At: 1, Value: 100e6 * scale}, assay.Sample{At: 2, Value: 50e6 * scale})
	measure("pool.write.ios", total*2/4e6, nil)
	measure("pool.write.bytes", total*2, nil)
	measure("pool.write.latency.mean", .02, nil)
	measure("tool.duration", 2, nil)
	if clients > 1 {
		for i := range clients {
			v := 75e6
			if i == clients-1 {
				v /= 2
			}
			measure("pool.write.bandwidth", v, map[string]string{"host": hostNames[i]})
		}
	}
	return r
}

var hostNames = []string{"h1", "h2", "h3"}

// No tool prints the combined figures of two clients: per-second extremes come from the
// summed seconds, IOPS from operations of one size.
func TestAllFiguresByNumberOfClients(t *testing.T) {
	b := builder{results: map[string]*assay.Result{}}
	var points []ScalingPoint
	for clients, id := range []string{"one", "two", "three"} {
		trial := assay.Trial{ID: id, Repeats: 2}
		b.results[id] = &assay.Result{Trial: trial, Repeats: []assay.Repeat{pooled(1, clients+1), pooled(2, clients+1)}}
		points = append(points, ScalingPoint{Hosts: clients + 1, Names: hostNames[:clients+1], Trial: id, Figure: &Figure{}})
	}
	points[1].Figure = nil
	got := map[string]map[int]float64{}
	for _, r := range b.clientRows(curveOf{metric: "pool.write.bandwidth"}, points) {
		got[r.Title] = map[int]float64{}
		for _, v := range r.Values {
			got[r.Title][v.Hosts] = v.Value
		}
	}
	for title, want := range map[string]map[int]float64{
		"total time":                    {1: 2, 3: 2},
		"bandwidth":                     {1: 37.5e6, 3: 187.5e6},
		"bandwidth, highest second":     {1: 50e6, 3: 250e6},
		"bandwidth, lowest second":      {1: 25e6, 3: 125e6},
		"bandwidth, standard deviation": {1: 12.5e6, 3: 62.5e6},
		"IOPS, highest second":          {1: 12.5, 3: 62.5},
		"mean latency":                  {1: .02, 3: .02},
		"of which h3":                   {3: 37.5e6},
		fairness:                        {3: (2.5 * 2.5) / (3 * 2.25)},
	} {
		if len(got[title]) != len(want) {
			t.Errorf("%s: %v, want %v", title, got[title], want)
		}
		for hosts, v := range want {
			if math.Abs(got[title][hosts]-v) > 1e-9*v {
				t.Errorf("%s of %d: %v, want %v", title, hosts, got[title][hosts], v)
			}
		}
	}
	if _, is := got["lowest latency"]; is {
		t.Error("a figure that no client has got a row")
	}
}
