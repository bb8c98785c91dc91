// Package gate says whether one side of a comparison is worse than the other by
// more than is allowed: what stands between a change and its release.
//
// A figure regressed where the statement "worse by more than the limit" is
// there in the statistics: the whole interval of its ratio lies beyond the limit,
// and the one-sided test against a base that is moved by the limit gives p below
// .05 after Holm's correction over all figures of the gate. So a gate over
// figures that are no worse than their limits fails at most once in twenty,
// however many figures it has, and one over two sides that are equal nearly never.
//
// A figure passed where the whole interval lies within the limit. Anything else
// has a word of its own and a reason, and is never taken for passed: too noisy to
// decide, too few repeats, missing, failed, measured otherwise.
//
// It is pure: a comparison in, verdicts out, also as JUnit XML. It reads no store
// and prints nothing.
package gate
