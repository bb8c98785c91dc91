package fio

import (
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
)

// addShares adds the shares of operations by queue depth and by latency. Empty
// buckets are left out. fio prints at least .01 % for a bucket that holds
// anything, and counts a ramp time's operations among those of a depth, so the
// sums may exceed 1.
func (f *figures) addShares(j *job) error {
	add := func(metric, label, key string, shares []share, text func(string) string) error {
		order.Stable(shares, func(a, b share) int { return byLevel(a.level, b.level) })
		for _, s := range shares {
			percent, err := s.percent.notNegative(key+" "+s.level, 1)
			if err != nil {
				return err
			}
			if percent == 0 {
				continue
			}
			labels := map[string]string{label: text(s.level)}
			for _, key := range []string{"tool", "job", "host"} { // the figures carry the rest
				if v := f.labels[key]; v != "" {
					labels[key] = v
				}
			}
			f.add(metric, percent/100, assay.One, labels, s.percent.line)
		}
		return nil
	}
	same := func(level string) string { return level }
	if err := add("storage.iodepth.share", "level", "iodepth_level", j.depths, same); err != nil {
		return err
	}
	for _, b := range []struct {
		key    string
		exp    string
		shares []share
	}{
		{"latency_ns", "e-9", j.nanoseconds}, {"latency_us", "e-6", j.microseconds}, {"latency_ms", "e-3", j.milliseconds},
	} {
		if err := add("storage.latency_bucket.share", "upper", b.key, b.shares, upperLabel(b.exp)); err != nil {
			return err
		}
	}
	return nil
}

// upperLabel formats a bucket's upper bound in s; the last bucket has none.
func upperLabel(exp string) func(string) string {
	return func(level string) string {
		v, err := strconv.ParseFloat(level+exp, 64)
		if err != nil {
			return "inf"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
}

// byLevel orders "2" before "10" before ">=64".
func byLevel(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil && x != y:
		return x - y
	case errX == nil && errY != nil:
		return -1
	case errX != nil && errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}
