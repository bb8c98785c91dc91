// Package documents holds figures that others published, as data: hosts,
// settings and results of benchmarks in blogs and white papers, each with its
// source by title. The audit is tested on them, since the mistakes in them are
// known.
//
// It holds no prose of theirs, never corrects a figure, and never supplies a
// setting that a document does not give.
package documents
