// Package trend finds the runs at which the level of a metric changed.
//
// Find takes one value per run, in run order, and cuts the history into segments of constant
// level. The repeats within a run are not more evidence of when something changed: they
// share everything particular to their run. So the unit is the median of a run, and the
// noise is the spread between runs.
//
// # Method
//
// Seeded binary segmentation on ranks. A fixed set of overlapping intervals of all lengths
// is searched (Kovács, Bühlmann, Li and Munk: Seeded binary segmentation: a general
// methodology for fast and optimal changepoint detection, 2023); in each, every place is
// tested with the standardised Mann–Whitney statistic. The place with the greatest statistic
// is taken first, the intervals that contain it are set aside, and so on. Then each change
// point is placed again between its two neighbours, and dropped if it is not significant
// against them alone. Searching intervals of all lengths finds a level that came and went
// again, which is lost in the whole when a history is only ever halved.
//
// Significance is decided by permutation: the greatest statistic of all intervals is
// compared with that of the same values in random orders. So the p of a change point is
// already corrected for all places and intervals searched (the single-step maximum of
// Westfall and Young, 1993), and Options.Level bounds the chance of finding any change point
// in a history that has none. The bound is for one history: across a hundred, expect one
// false change point at .01.
//
// Permutations ignore memory: values that resemble the preceding ones look like steps. So
// the autocorrelation of the residuals around the steps found is estimated, and everything
// is weighed again with all statistics divided by what it adds to the variance of a mean,
// (1+rho)/(1-rho). The exception is where the history leaps, five times as far as any other
// two neighbours lie apart: noise with memory wanders. Without the exception, a link that
// carried a tenth after 6 of 16 runs was missed in one history of twelve, because of the
// memory that chance had put into the rest.
//
// # Alternatives not chosen
//
// E-divisive with means (Matteson and James, 2014) is what performance teams use: MongoDB
// (Daly and others: The use of change point detection to identify software performance
// regressions in a continuous integration system, 2020), Chromium's dashboard, and Apache
// Otava, formerly Hunter, which replaced its permutations by t-tests (Fleming and others:
// Hunter: using change point detection to hunt for performance regressions, 2023). The idea
// of deciding by permutation is kept. Its means are not: one slow run moves a mean but not a
// rank. PELT needs a penalty, which says nothing about how often it is wrong.
//
// # Limitations
//
// A slow drift comes out as a staircase. A level of fewer than Options.Least runs is never a
// segment, and with fewer than ten runs in total nothing is significant at .01: to find out
// what happened last night, compare two runs. This package reads no store, prints nothing
// and knows no metric.
package trend
