// Package compare sets results of several runs, hosts, drives or dates side by side: which is
// faster, with what confidence, and what else differs.
//
// Columns are matched by probe, case, metric and kind of subject. Subjects need not have the
// same name if each column has just one of the kind; otherwise they are matched by host and
// name, then by name alone. A subject whose figure failed or was rejected in another column is
// not paired with a different one. Whatever has no partner is listed with the reason.
//
// The first column is the base, with which all others are compared. The way of measuring must
// be alike (block size, depth, direct, sync, size, length): a row whose settings differ is
// refused unless Options.Unlike is set. Lengths that adapt to the available time are alike up
// to a factor of two if the figure does not change with time; if the same bytes were moved,
// the time taken is the result, not a setting. Differences in what was measured (drive,
// kernel, versions) are mostly the point of the comparison: they are listed, and refuse
// nothing.
//
// Only headline figures are judged unless more is requested: each further figure makes every
// other verdict harder to reach, because p values are corrected over all figures that one
// comparison judges.
//
// Figures that the audit rejected are never compared.
//
// The package is pure: runs in, a table out. It prints nothing, and takes its statistics from
// package stats.
package compare
