// Package compare sets results of several runs, hosts, drives or dates side by
// side: which of them is faster, with what confidence, and what else differs.
//
// Columns are matched by probe, case, metric and kind of subject. Subjects need
// not have the same name where each column has one of the kind; else they are
// matched by host and name, then by name alone. A subject whose figure failed or was
// rejected in another column waits for no other partner. What has no partner is
// listed with the reason.
//
// The first column is the base: every other one is held against it. How it was
// measured must be alike (block size, depth, direct, sync, size, length): a row
// whose settings differ is refused unless Options.Unlike is set. Lengths that adapt to
// the time there is are alike up to a factor of two, where the figure does not change
// with time; where the same bytes were moved, the time that took is the result, and no
// setting. What it was measured on (drive, kernel, versions) is mostly what the comparison is about:
// such differences are listed and refuse nothing.
//
// Only headline figures are judged unless more is asked for: each further figure
// makes every other verdict harder to reach, for p values are corrected over all
// that one comparison judges.
//
// Figures that the audit rejected are never compared.
//
// It is pure: runs in, a table out. It prints nothing, and takes its statistics
// from package stats.
package compare
