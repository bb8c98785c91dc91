// Package report turns a run into a Document and holds what its voices share.
//
// It words what the analysis found; the folders below it (term, html, markdown, json)
// decide how it looks. It measures nothing and judges nothing: figures come
// from the run, findings from the audit, and what matters from the analysis.
//
// Hosts stand side by side to see which of them is odd. Tiers of storage are
// meant to be unlike: they stand beside each other with ratios to the first, of
// figures of the same load alone, and with what bounds each of them, as far as
// facts tell; nothing of that is repeated side by side.
package report
