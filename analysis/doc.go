// Package analysis finds what there is to say of a run: who stands out and why,
// where totals stop growing, how tiers of storage compare, what binds them, and
// how well all that is known. It gives findings with their evidence; package
// report words and shapes them.
package analysis
