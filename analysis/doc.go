// Package analysis finds what there is to say of a run: who stands out and why,
// where totals stop growing, how tiers of storage compare, what binds them, and
// how well all that is known; and which of that a verdict names. All of it is typed,
// with the evidence and without sentences; package report words and shapes it.
package analysis
