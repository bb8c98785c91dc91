package stats

import "math"

// BatchCount is k: how many batches a series is cut into.
const BatchCount = 10

// batchT is the .975 quantile of Student's t with BatchCount-1 degrees of
// freedom. A constant, for the number of batches is one.
const batchT = 2.2621571627982

// batchTaus is how many integrated autocorrelation times a batch must be long
// for its mean to be next to independent of its neighbours'.
const batchTaus = 5

// BatchMeans is the mean of an autocorrelated series with its interval.
type BatchMeans struct {
	K, M   int     // number of batches; samples in each
	Mean   float64 // of the newest K x M samples
	StdDev float64 // of the batch means
	R      float64 // lag-1 autocorrelation of the batch means; 0 where they do not vary
	// Half is half the width of the 95 % interval of the mean, in the unit of the
	// series: t x StdDev x sqrt(max(1, (1+R)/(1-R)) / K).
	Half float64
	Tau  float64 // how many samples of the series are worth one independent one
	// Long says that M is at least five Tau. Where it is not, Half is too small.
	Long bool
}

// Relative is Half as a share of the mean, and +Inf where the mean is 0.
func (b BatchMeans) Relative() float64 {
	if b.Mean == 0 {
		return math.Inf(1)
	}
	return b.Half / math.Abs(b.Mean)
}

// Batch returns the mean of a series from which the warm-up is already cut, by ten
// batches. What does not fill ten equal batches is left out at the start. ok is
// false for fewer than ten samples, and where they are not finite.
//
// An interval from the samples themselves would be far too narrow: what a drive
// did in one second it mostly does in the next. The widening by the
// autocorrelation that is left between batches follows the autoregressive
// adjustment of Tafazzoli and Wilson, Skart: A skewness- and
// autoregression-adjusted batch-means procedure for simulation analysis, 2011;
// its adjustment for skewness and its spacers are not used.
func Batch(xs []float64) (b BatchMeans, ok bool) {
	b.K, b.M, b.Tau = BatchCount, len(xs)/BatchCount, 1
	if b.M == 0 {
		return b, false
	}
	if a, varies := Autocorrelation(xs); varies {
		b.Tau = a.Tau
	}
	b.Long = float64(b.M) >= batchTaus*b.Tau
	newest := xs[len(xs)-b.K*b.M:]
	means := make([]float64, b.K)
	for i := range means {
		means[i] = Mean(newest[i*b.M : (i+1)*b.M])
	}
	b.Mean, b.StdDev = Mean(means), StdDev(means)
	if a, varies := Autocorrelation(means); varies {
		b.R = a.R
	}
	b.Half = batchT * b.StdDev * math.Sqrt(max(1, (1+b.R)/(1-b.R))/float64(b.K))
	if !Finite(b.Mean) || !Finite(b.Half) {
		return BatchMeans{K: b.K, M: b.M}, false
	}
	return b, true
}
