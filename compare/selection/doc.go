// Package selection is a small filter language for selecting what to compare: words of the
// form key=value, with vs between columns.
//
//	host=pve1 suite=baseline vs host=pve2 suite=baseline
//	20261101-2005 20261122-0301 case=randread-4k
//
// A word without an operator is a run. Without vs, each run is a column of its own and the
// other words apply to all of them.
//
// Keys are run, host, suite, probe, case (also probe/case), subject (name or id), metric,
// date, imported (yes or no), label.NAME (of the run or the host) and setting.NAME (as it
// happened, else as requested). Operators are = and !=; date also has <, <=, > and >=. A value
// may be a comma-separated list, of which one must match (with != none may), and * matches any
// characters. All words of one column must match. A space is part of the value before it,
// unless a word, or vs, follows it.
//
// Imported runs are somebody else's, whatever their hosts are called: a column includes one
// only if it names that run, or asks for imported ones (imported=yes, imported=*).
//
// Dates are days (2026-11-01), months (2026-11), minutes (2026-11-01T20:05) or RFC 3339, in
// UTC like the names of runs; all but the last are spans of time: date=2026-11 matches every
// run of that month, and date<=2026-11-01 includes those of that day.
//
// The package is pure, and never looks anything up: the caller provides the runs.
package selection
