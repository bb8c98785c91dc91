package gate

import (
	"math"

	"assay/stats"
)

// power is how often the repeats that more returns should be enough.
const power = .8

// tail is what a 95 % interval excludes at each end.
const tail = (1 - stats.Confidence) / 2

// more estimates how many more repeats each side needs for a verdict, if the ratio
// is what it seems and the spread stays the same; 0 if there is no ratio, or if
// not even stats.MostMore would be enough.
//
// The standard deviation of a Hodges–Lehmann estimate from normal values of
// standard deviation s is s x sqrt(pi/3 x (1/n1 + 1/n2)); the interval must clear
// the limit by as many of these as the level and the power require.
func (h held) more(tests int) int {
	if !h.ratio || h.border <= 0 || len(h.base)+len(h.other) <= 2 {
		return 0
	}
	away := math.Log(h.Cells[1].Against.Ratio / h.border)
	if !h.higher {
		away = -away
	}
	level := tail
	if away < 0 { // looks like a regression, which must survive the correction
		level = min(tail, stats.Alpha/float64(tests))
	}
	reach, spread := normalQuantile(1-level)+normalQuantile(power), h.spread()
	for k := 1; k <= stats.MostMore; k++ {
		n1, n2 := len(h.base)+k, len(h.other)+k
		deviation := spread * math.Sqrt(math.Pi/3*(1/float64(n1)+1/float64(n2)))
		if leastP(n1, n2) <= min(tail, stats.Alpha/float64(tests)) && away != 0 && math.Abs(away) >= reach*deviation {
			return k
		}
	}
	return 0
}

// spread returns the standard deviation of the logarithms of both sides about
// their own means.
func (h held) spread() float64 {
	sum := 0.
	for _, side := range [][]float64{h.base, h.other} {
		logs := make([]float64, len(side))
		for i, v := range side {
			logs[i] = math.Log(v)
		}
		mean := stats.Mean(logs)
		for _, v := range logs {
			sum += (v - mean) * (v - mean)
		}
	}
	return math.Sqrt(sum / float64(len(h.base)+len(h.other)-2))
}

// normalQuantile returns the quantile p of the standard normal distribution.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
