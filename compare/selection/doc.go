// Package selection is the small filter language in which people say what is to
// be compared: words of the form key=value, and vs between the columns.
//
//	host=pve1 suite=baseline vs host=pve2 suite=baseline
//	20261101-2005 20261122-0301 case=randread-4k
//
// A word without an operator is a run. Where there is no vs, each run is a
// column of its own and the other words hold for all of them.
//
// Keys are run, host, suite, probe, case (also probe/case), subject (name or
// id), metric, date, imported (yes or no), label.NAME (of the run or the host) and setting.NAME (as it happened,
// else as requested). Operators are = and !=; date also has <, <=, > and >=. A
// value may be several with commas between them, of which one must hold (with
// != none may), and * stands for any letters. Words of one column must all
// hold. A space belongs to the value before it, unless a word, or vs, begins
// behind it.
//
// Runs that were imported are somebody else's, whatever their hosts are called: a column
// has one only if it names that run, or asks for imported ones (imported=yes, imported=*).
//
// Dates are days (2026-11-01), months (2026-11), minutes (2026-11-01T20:05) or
// RFC 3339, in UTC as the names of runs are; all but the last are spans of time:
// date=2026-11 holds for every run of that month, and date<=2026-11-01 still
// for those of that day.
//
// It is pure, and never looks anything up: who calls it gives the runs.
package selection
