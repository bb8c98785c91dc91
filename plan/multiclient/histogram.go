package multiclient

import (
	"cmp"
	"math"
	"slices"

	"assay"
)

// percentile reads a percentile from the histograms of all hosts: the upper bound
// of the bin that holds the operation of that rank. It is therefore up to one bin
// above what a tool reads from its own.
func percentile(shares []share, k key, _ []assay.Measurement) (float64, bool) {
	stem, _ := latencyOf(k.metric)
	bins := histogram(partsOf(shares, key{stem + "latency.mean", k.apart}))
	p, ok := assay.Percentile(k.metric)
	if !ok || len(bins) == 0 {
		return 0, false
	}
	total := int64(0)
	for _, b := range bins {
		total += b.Count
	}
	rank := max(int64(math.Ceil(float64(total)*p/100-1e-9)), 1)
	seen := int64(0)
	for _, b := range bins {
		if seen += b.Count; seen >= rank {
			return b.Upper, true
		}
	}
	return 0, false
}

// histogram sums the histograms of some measurements; nil if one of them has
// none.
func histogram(parts []assay.Measurement) []assay.Bin {
	counts := map[float64]int64{}
	for _, m := range parts {
		if len(m.Histogram) == 0 {
			return nil
		}
		for _, b := range m.Histogram {
			counts[b.Upper] += b.Count
		}
	}
	var bins []assay.Bin
	for upper, n := range counts {
		if n > 0 {
			bins = append(bins, assay.Bin{Upper: upper, Count: n})
		}
	}
	slices.SortFunc(bins, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	return bins
}

// samples sums the hosts' samples second by second, for the seconds that all
// hosts have.
func samples(parts []assay.Measurement) []assay.Sample {
	type second struct {
		at, sum float64
		hosts   int
	}
	seconds := map[int]*second{}
	for i, m := range parts {
		for _, s := range m.Samples {
			n := int(math.Round(s.At))
			if seconds[n] == nil {
				seconds[n] = &second{}
			}
			if of := seconds[n]; of.hosts == i { // once per host
				of.at, of.sum, of.hosts = of.at+s.At, of.sum+s.Value, i+1
			}
		}
	}
	var out []assay.Sample
	for _, s := range seconds {
		if s.hosts == len(parts) {
			out = append(out, assay.Sample{At: s.at / float64(s.hosts), Value: s.sum})
		}
	}
	slices.SortFunc(out, func(a, b assay.Sample) int { return cmp.Compare(a.At, b.At) })
	return out
}
