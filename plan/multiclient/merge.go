package multiclient

import (
	"math"
	"slices"
	"strings"

	"assay"
)

// merger combines the values of all hosts into one; ok is false if there is
// none.
type merger func(shares []share, k key, parts []assay.Measurement) (v float64, ok bool)

// totals returns the combined figures of all hosts, in the order of the first:
// those that every host has and that can be combined. made holds their keys.
func totals(shares []share) (out []assay.Measurement, made map[key]bool) {
	made = map[key]bool{}
	for i, k := range shares[0].keys {
		merge := mergerOf(k.metric)
		if merge == nil {
			continue
		}
		parts := partsOf(shares, k)
		if parts == nil {
			continue
		}
		v, ok := merge(shares, k, parts)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		m := assay.Measurement{Metric: k.metric, Value: v, Unit: shares[0].all[i].Unit, Labels: common(parts)}
		if adds(k.metric) {
			m.Samples = samples(parts)
		}
		m.Histogram = histogram(parts)
		out, made[k] = append(out, m), true
	}
	return out, made
}

// partsOf returns one figure per host, or nil if a host has none.
func partsOf(shares []share, k key) []assay.Measurement {
	var parts []assay.Measurement
	for _, s := range shares {
		m := s.of(k.metric, k.apart)
		if m == nil {
			return nil
		}
		parts = append(parts, *m)
	}
	return parts
}

// rates and counts add up.
var (
	rates  = []string{".iops", ".bandwidth", ".ops", ".throughput", ".events_per_second"}
	counts = []string{".bytes", ".ios", ".requests", ".errors", ".retransmits"}
)

// worst are metrics whose total is the largest value of any host: how long they
// took, and whose processors were busiest.
var worst = []string{"tool.duration", "tool.lead", "object.cpu", "object.delay.max"}

// adds reports whether a metric is a rate or a count, whose total is the sum over
// all hosts. What the kernel counted at a device is not summed: devices differ, or
// are one that several hosts share.
func adds(metric string) bool {
	return !strings.Contains(metric, ".device.") && !strings.HasPrefix(metric, "migration.") &&
		slices.ContainsFunc(slices.Concat(rates, counts), func(end string) bool { return strings.HasSuffix(metric, end) })
}

// mergerOf returns how a metric is combined; nil if it cannot be: the share of a
// histogram's bucket, a drive's health, the temperature of a host.
func mergerOf(metric string) merger {
	if _, is := assay.Percentile(metric); is {
		return percentile
	}
	_, figure := latencyOf(metric)
	switch {
	case adds(metric):
		return sum
	case slices.Contains(worst, metric), figure == "max":
		return greatest
	case figure == "min":
		return least
	case figure == "mean", figure == "total.mean", figure == "submission.mean", metric == "object.list.keys":
		return weightedMean
	case figure == "stddev":
		return pooledDeviation
	case strings.HasSuffix(metric, ".first_byte.mean"):
		return weightedMean
	}
	return nil
}

// latencyOf splits storage.read.latency.total.mean into storage.read. and
// total.mean.
func latencyOf(metric string) (stem, figure string) {
	before, figure, is := strings.Cut(metric, ".latency.")
	if !is {
		return "", ""
	}
	return before + ".", figure
}

func sum(_ []share, _ key, parts []assay.Measurement) (float64, bool) {
	total := 0.
	for _, m := range parts {
		total += m.Value
	}
	return total, true
}

func greatest(_ []share, _ key, parts []assay.Measurement) (float64, bool) {
	most := parts[0].Value
	for _, m := range parts {
		most = max(most, m.Value)
	}
	return most, true
}

func least(_ []share, _ key, parts []assay.Measurement) (float64, bool) {
	v := parts[0].Value
	for _, m := range parts {
		v = min(v, m.Value)
	}
	return v, true
}

// weights returns each host's share of the operations that the latencies are of;
// nil if one host does not tell.
func weights(shares []share, k key) []float64 {
	stem, _ := latencyOf(k.metric)
	for _, end := range []string{"first_byte.mean", "keys"} {
		if before, is := strings.CutSuffix(k.metric, end); is && stem == "" {
			stem = before
		}
	}
	var all []float64
	total := 0.
	for _, s := range shares {
		n, ok := s.operations(stem, k.apart)
		if !ok {
			return nil
		}
		all, total = append(all, n), total+n
	}
	for i := range all {
		all[i] /= total
	}
	return all
}

func weightedMean(shares []share, k key, parts []assay.Measurement) (float64, bool) {
	w := weights(shares, k)
	if w == nil {
		return 0, false
	}
	mean := 0.
	for i, m := range parts {
		mean += w[i] * m.Value
	}
	return mean, true
}

// pooledDeviation returns the standard deviation of all operations together: the
// hosts' about their own means, pooled with that of these means about the
// overall mean.
func pooledDeviation(shares []share, k key, parts []assay.Measurement) (float64, bool) {
	stem, _ := latencyOf(k.metric)
	means, w := partsOf(shares, key{stem + "latency.mean", k.apart}), weights(shares, k)
	if means == nil || w == nil {
		return 0, false
	}
	mean := 0.
	for i, m := range means {
		mean += w[i] * m.Value
	}
	variance := 0.
	for i, m := range parts {
		apart := means[i].Value - mean
		variance += w[i] * (m.Value*m.Value + apart*apart)
	}
	return math.Sqrt(variance), true
}
