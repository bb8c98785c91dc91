// Package trend finds the runs since which a metric is no longer what it was.
//
// Find is given one value a run, in the order of the runs, and cuts the history
// into segments of one level each. The repeats inside a run are not more
// evidence of when something changed: they share all that was particular to
// their run. So the median of a run is the unit, and the spread from run to run
// is the noise.
//
// # Method
//
// Seeded binary segmentation on ranks. A fixed set of overlapping intervals of
// all lengths is searched (Kovács, Bühlmann, Li and Munk: Seeded binary
// segmentation: a general methodology for fast and optimal changepoint
// detection, 2023); in each, every place is tested with the standardised
// Mann–Whitney statistic. The place with the greatest statistic is taken first,
// the intervals that hold it are put aside, and so on. Then each change point is
// placed anew between its two neighbours, and is given up where it does not
// stand against them alone. Intervals of all lengths are searched so that a level
// that came and went again is not lost in the whole, as it is where a history is
// only ever halved.
//
// What is significant is decided by permutation: the greatest statistic of all
// intervals is compared with the same of the same values in random orders. So
// the p of a change point is already corrected for all the places and intervals
// that were looked at (the single-step maximum of Westfall and Young, 1993), and
// Options.Level bounds the chance of any change point at all in a history that
// has none. It is a bound for one history: who looks at a hundred must expect
// one change point at .01 that is none.
//
// Permutations know nothing of memory: values that resemble the ones before them
// look like steps. So the autocorrelation of what is left beside the steps that
// were found is estimated, and everything is weighed again with all statistics
// divided by what it adds to the variance of a mean, (1+rho)/(1-rho). Not so where the
// history leaps, five times as far as any other two neighbours lie apart: noise with a
// memory wanders. Without that, a link that carried a tenth after 6 of 16 runs was missed in
// one history of twelve, for the memory that chance had put into the rest.
//
// # Roads not taken
//
// E-divisive with means (Matteson and James, 2014) is what performance teams
// use: MongoDB (Daly and others: The use of change point detection to identify
// software performance regressions in a continuous integration system, 2020),
// Chromium's dashboard, and Apache Otava, once Hunter, which replaced its
// permutations by t-tests (Fleming and others: Hunter: using change point
// detection to hunt for performance regressions, 2023). The idea to let
// permutations decide is kept. Its means are not: one slow run moves a mean and
// not a rank. PELT needs a penalty, which says nothing of how often it is wrong.
//
// # What it cannot do
//
// A slow drift comes out as a stair. A level of fewer than Options.Least runs is
// never a segment, and with fewer than ten runs in all nothing is significant at
// .01: what happened last night is a comparison of two runs. This package reads
// no store, prints nothing and knows no metric.
package trend
