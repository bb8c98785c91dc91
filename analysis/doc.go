// Package analysis finds what there is to say about a run: who stands out and why,
// where totals stop growing, how storage tiers compare, what limits them, how well
// all of that is known, and what of it the verdict names. Everything is typed, with
// evidence and without sentences; package report words and formats it.
package analysis
