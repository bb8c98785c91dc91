// Package matrix plants faults on hosts of lab/hosts and scores what a report makes
// of them: the right culprit, direction and cause, or an innocent host accused.
//
// The kinds of fault are data (tuned.yaml, kept.yaml): what a kind does to a host, to
// a path between two, or to this machine's control groups, and what is true of it.
// Where this kernel cannot have an effect, a fact is planted by a file or a program
// of the host that says so, and the kind is marked as planted. Draw places kinds at
// random; Bed brings up hosts that are alike and plants them; Judge is a pure
// function of a report.
//
// It never measures anything: lab/bench runs assay on what it plants.
package matrix
