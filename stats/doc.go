// Package stats holds the statistics that the audit and the reports share.
//
// Of one series from inside a run: where its warm-up ends (FindWarmup), whether
// it is steady (SteadyState), how its samples hang together (Autocorrelation),
// its mean with an interval (Batch) and when there are enough of them (Stopper).
//
// Of repeats: their median with its interval (Summarise), their trend (Trend),
// and what two samples of them say about each other (Compare, and Judge for all
// comparisons of a report) by way of MannWhitney, Shift, Ratio and Holm;
// QuantileRatio for tails. Precise says when there are enough of them; Drift,
// Position and CarryOver whether it mattered when they were made. A repeat is one
// value, for only repeats are independent of each other.
//
// FindWarmup is for long series, of a hundred samples and more: the repeats of a
// suite are too short for it, and their warm-up is a repeat of its own that does
// not count. No rule of the audit uses it.
//
// What exists is borrowed: intervals of medians and the p of the rank test come
// from golang.org/x/perf/benchmath. The rest is small and each function names its
// source. All functions are pure and total: values that are not finite never
// cause a panic, and every result says when there was too little to work on.
// What is drawn by chance is drawn from a seed that is given.
//
// This package never decides whether a number may be believed, knows no metric,
// unit or tool, and so never says which of two is the better.
package stats
