package stats

// maxRho bounds the corrected autocorrelation: at 1 no number of samples would
// be worth anything, and no series is long enough to distinguish .99 from 1.
const maxRho = .99

// Autocorr is the autocorrelation of a series.
type Autocorr struct {
	R   float64 // estimated lag-1 autocorrelation, biased towards 0 in short series
	Rho float64 // corrected: r + (1+3r)/n, clamped to 0..0.99
	Tau float64 // (1+rho)/(1-rho): how many values are worth one independent value
	N   int
	// Effective is N/tau: the series' effective number of independent values.
	Effective float64
}

// Autocorrelation estimates the lag-1 autocorrelation of a series, with the
// first-order correction for the bias of short series (Marriott and Pope 1954;
// Kendall 1954). ok is false for fewer than three values, and if the series is
// constant or not finite.
func Autocorrelation(xs []float64) (a Autocorr, ok bool) {
	a.N = len(xs)
	if a.N < 3 {
		return a, false
	}
	mean := Mean(xs)
	var c0, c1 float64
	for i, x := range xs {
		c0 += (x - mean) * (x - mean)
		if i > 0 {
			c1 += (x - mean) * (xs[i-1] - mean)
		}
	}
	if !(c0 > 0) || !Finite(c1/c0) {
		return a, false
	}
	n := float64(a.N)
	a.R = c1 / c0
	a.Rho = min(max(a.R+(1+3*a.R)/n, 0), maxRho)
	a.Tau = (1 + a.Rho) / (1 - a.Rho)
	a.Effective = n / a.Tau
	return a, true
}
