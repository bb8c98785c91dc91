// Package gate decides whether one side of a comparison is worse than the other by
// more than allowed: a gate between a change and its release.
//
// A figure has regressed if the statistics support "worse by more than the limit":
// the whole interval of its ratio lies beyond the limit, and the one-sided test
// against a base shifted by the limit gives p below .05 after Holm's correction
// over all figures of the gate. So a gate over figures that are no worse than
// their limits fails at most once in twenty, however many figures it has, and one
// over two equal sides almost never.
//
// A figure has passed if the whole interval lies within the limit. Anything else
// gets a verdict of its own and a reason, and never counts as passed: too noisy to
// decide, too few repeats, missing, failed, measured differently.
//
// The package is pure: a comparison in, verdicts out, also as JUnit XML. It reads
// no store and prints nothing.
package gate
