// Package stats holds the statistics that the audit and the reports share.
//
// For one series from inside a run: the end of its warm-up (FindWarmup), whether
// it is steady (SteadyState), its autocorrelation (Autocorrelation), its mean
// with an interval (Batch) and when there are enough samples (Stopper).
//
// For repeats: their median with its interval (Summarise), their trend (Trend),
// and comparing two samples of them (Compare, and Judge for all comparisons of a
// report) by way of MannWhitney, Shift, Ratio and Holm; QuantileRatio for tails.
// Precise reports when there are enough of them; Drift, Position and CarryOver
// whether their timing mattered. A repeat is one value, since only repeats are
// independent of each other.
//
// FindWarmup is for long series, of a hundred samples and more: the repeats of a
// suite are too short for it, and their warm-up is a repeat of its own that does
// not count. No rule of the audit uses it.
//
// Existing code is borrowed: intervals of medians and the p of the rank test come
// from golang.org/x/perf/benchmath. The rest is small, and each function names
// its source. All functions are pure and total: non-finite values never cause a
// panic, and every result reports when there was too little data. Random draws
// come from a given seed.
//
// This package never decides whether a number is credible, knows no metric, unit
// or tool, and so never says which of two is the better.
package stats
