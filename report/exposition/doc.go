// Package exposition writes the figures of runs for the tools that keep and compare
// figures: as OpenMetrics text for Prometheus, as Influx line protocol, and in the format
// of Go benchmarks, which benchstat reads.
//
// The two databases get the median of each figure. What the audit rejected is marked as
// such beside it, never left out silently. benchstat gets every repeat, since it computes
// medians and intervals itself.
package exposition
