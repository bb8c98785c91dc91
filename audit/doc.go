// Package audit says whether a number can be true. It holds measurements
// against the facts of the machine they were taken on, against what the kernel
// counted beside them, and against each other: one rule a file, named after the
// rule.
//
// A rule that lacks a fact says so, as a finding of its own; it never passes
// silently. A rule that does not apply to a trial says nothing.
//
// This package never measures, never changes a number, and never compares two
// runs. It reads nothing but its Evidence.
package audit
