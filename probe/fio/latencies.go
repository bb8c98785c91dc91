package fio

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"

	"assay"
	"assay/internal/order"
)

// addLatencies adds fio's three latencies. One that fio did not measure (no
// submission under a synchronous engine), or that is below its resolution, is
// left out.
func (f *figures) addLatencies(stem string, d *direction, labels map[string]string) error {
	if err := f.addCompletion(stem, d.completion, labels); err != nil {
		return err
	}
	for _, other := range []struct {
		metric string
		l      *latency
	}{
		{"latency.total.mean", d.total},
		{"latency.submission.mean", d.submission},
	} {
		if other.l == nil {
			continue
		}
		added, err := f.addLatency(stem+other.metric, other.l.mean, other.l, "mean", labels)
		if err != nil {
			return err
		}
		if longest := other.l.max.v * other.l.unit; added != nil && f.text && longest > 0 {
			added.Labels = maps.Clone(labels)
			added.Labels["max"] = strconv.FormatFloat(longest, 'g', -1, 64)
		}
	}
	return nil
}

func (f *figures) addCompletion(stem string, l *latency, labels map[string]string) error {
	if l == nil {
		return nil
	}
	if l.max.set && l.min.v > l.max.v {
		return fmt.Errorf("line %d: %s: min %g is above max %g, which is impossible", l.min.line, l.key, l.min.v, l.max.v)
	}
	for _, m := range []struct {
		metric, key string
		n           number
	}{
		{"latency.mean", "mean", l.mean},
		{"latency.stddev", "stddev", l.stdDev},
		{"latency.min", "min", l.min},
		{"latency.max", "max", l.max},
	} {
		added, err := f.addLatency(stem+m.metric, m.n, l, m.key, labels)
		if err != nil {
			return err
		}
		if added != nil && m.key == "mean" {
			if added.Histogram, err = histogram(l); err != nil {
				return err
			}
		}
	}
	order.Stable(l.percentiles, func(a, b percentile) int { return cmp.Compare(a.p, b.p) })
	for i, p := range l.percentiles {
		if i > 0 && l.percentiles[i-1].p == p.p {
			continue
		}
		metric := assay.PercentileMetric(stem, p.p)
		if _, err := f.addLatency(metric, p.value, l, "percentile", labels); err != nil {
			_, err = p.value.notNegative(fmt.Sprintf("%s percentile %g", l.key, p.p), l.unit)
			return err
		}
	}
	return nil
}

func (f *figures) addLatency(metric string, n number, l *latency, key string, labels map[string]string) (*assay.Measurement, error) {
	if !n.set || n.v == 0 {
		return nil, nil
	}
	v, err := n.notNegative(key, l.unit)
	if err != nil { // rare: the full name is built only now
		_, err = n.notNegative(l.key+" "+key, l.unit)
		return nil, err
	}
	return f.add(metric, v, assay.Seconds, labels, n.line), nil
}
