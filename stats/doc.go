// Package stats holds the statistics that the audit and the reports share: the
// median with its interval, trend, steady state, autocorrelation.
//
// FindWarmup is for long series from one run, of a hundred samples and more: the
// repeats of a suite are too short for it, and their warm-up is a repeat of its
// own that does not count. No rule of the audit uses it.
//
// What exists is borrowed: intervals come from golang.org/x/perf/benchmath. The
// rest is small and each function names its source. All functions are pure and
// total: values that are not finite never cause a panic, and every result says
// when there was too little to work on.
//
// This package never decides whether a number may be believed, never compares
// two machines and knows no metric, unit or tool.
package stats
