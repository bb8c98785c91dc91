// Package audit decides whether a number can be true. It checks measurements
// against the facts of the machine they were taken on, against what the kernel
// counted meanwhile, and against each other: one rule per file, named after the
// rule.
//
// A rule that lacks a fact reports that as a finding of its own; it never
// passes silently. A rule that does not apply to a trial reports nothing.
//
// This package never measures, never changes a number, and never compares two
// runs. It reads only its Evidence.
package audit
