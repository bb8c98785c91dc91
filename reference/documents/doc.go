// Package documents holds published benchmarks as data: hosts, settings and
// results from blogs and white papers, each with its source by title. The audit
// is tested on them, since their mistakes are known.
//
// It contains none of their prose, never corrects a figure, and never adds a
// setting that a document does not give.
package documents
