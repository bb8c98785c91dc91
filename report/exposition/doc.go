// Package exposition writes the figures of runs for tools that store and compare them: as
// OpenMetrics text for Prometheus, as Influx line protocol, and in the Go benchmark
// format that benchstat reads.
//
// The two databases get the median of each figure. Figures that the audit rejected are
// marked, never left out silently. benchstat gets every repeat, since it computes medians
// and intervals itself.
package exposition
