// Package matrix plants faults on hosts of lab/hosts and scores a report on them: the
// right culprit, direction and cause, or an innocent host accused.
//
// The kinds of fault are data (tuned.yaml, kept.yaml): what a kind does to a host, to
// a path between two, or to this machine's control groups, and the right answers.
// Where this kernel cannot produce an effect, a file or program on the host fakes the
// fact, and the kind is marked as planted. Draw places kinds at random; Bed brings up
// identical hosts and plants them; Judge is a pure function of a report.
//
// It never measures anything: lab/bench runs assay on what it plants.
package matrix
