// Package stats holds the statistics that the audit and the reports share: the
// median with its interval, steady state, warm-up, autocorrelation.
//
// What exists is borrowed: intervals come from golang.org/x/perf/benchmath. The
// rest is small and each function names its source. All functions are pure and
// total: values that are not finite never cause a panic, and every result says
// when there was too little to work on.
//
// This package never decides whether a number may be believed, never compares
// two machines and knows no metric, unit or tool.
package stats
