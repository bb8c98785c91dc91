package stats

import "math"

// BatchCount is k, the number of batches that a series is cut into.
const BatchCount = 10

// batchT is the .975 quantile of Student's t with BatchCount-1 degrees of
// freedom. It is a constant because the number of batches is one.
const batchT = 2.2621571627982

// batchTaus is how many integrated autocorrelation times long a batch must be
// for its mean to be nearly independent of its neighbours'.
const batchTaus = 5

// BatchMeans is the mean of an autocorrelated series with its interval.
type BatchMeans struct {
	K, M   int     // number of batches; samples in each
	Mean   float64 // of the newest K x M samples
	StdDev float64 // of the batch means
	R      float64 // lag-1 autocorrelation of the batch means; 0 if they are constant
	// Half is the half-width of the 95 % interval of the mean, in the unit of the
	// series: t x StdDev x sqrt(max(1, (1+R)/(1-R)) / K).
	Half float64
	Tau  float64 // how many samples are worth one independent sample
	// Long reports whether M is at least five Tau. If not, Half is too small.
	Long bool
}

// Relative returns Half as a share of the mean; +Inf if the mean is 0.
func (b BatchMeans) Relative() float64 {
	if b.Mean == 0 {
		return math.Inf(1)
	}
	return b.Half / math.Abs(b.Mean)
}

// Batch returns the mean of a series without its warm-up, by ten batches. Samples
// that do not fill ten equal batches are dropped from the start. ok is false for
// fewer than ten samples, and if any are not finite.
//
// An interval from the samples themselves would be far too narrow: a drive mostly
// does in one second what it did in the last. Widening by the autocorrelation left
// between batches follows the autoregressive adjustment of Tafazzoli and Wilson,
// Skart: A skewness- and autoregression-adjusted batch-means procedure for
// simulation analysis, 2011; its adjustment for skewness and its spacers are not
// used.
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
