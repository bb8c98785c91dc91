package stats

import "math"

// warmupBatch is the 5 of MSER-5: the number of samples averaged before the
// search for the truncation point.
const warmupBatch = 5

// Warmup is the warm-up of a series.
type Warmup struct {
	Batches int // batches of five to drop at the start
	Bound   int // the most that may be dropped: half of the batches
	// Settled is false if Batches is at its bound: the series never got past
	// its warm-up.
	Settled bool
}

// Samples returns the number of samples to drop at the start.
func (w Warmup) Samples() int { return w.Batches * warmupBatch }

// FindWarmup is MSER-5 (White, Cobb and Spratt 2000): it averages batches of five
// samples and drops the number of batches d that minimises the squared standard
// error of the mean of the rest: the minimum over d in 0..K/2 of sum of (z_j -
// mean)^2 over j > d, divided by (K-d)^2. ok is false for fewer than ten samples,
// and if any are not finite.
func FindWarmup(xs []float64) (w Warmup, ok bool) {
	k := len(xs) / warmupBatch
	if k < 2 {
		return w, false
	}
	z := make([]float64, k)
	for i := range z {
		z[i] = Mean(xs[i*warmupBatch : (i+1)*warmupBatch])
		if !Finite(z[i]) {
			return w, false
		}
	}
	w.Bound = k / 2
	least := math.Inf(1)
	for d := 0; d <= w.Bound; d++ {
		rest := z[d:]
		mean, sum := Mean(rest), 0.0
		for _, v := range rest {
			sum += (v - mean) * (v - mean)
		}
		if score := sum / float64(len(rest)*len(rest)); score < least {
			least, w.Batches = score, d
		}
	}
	w.Settled = w.Batches < w.Bound
	return w, true
}
