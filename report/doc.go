// Package report turns a run into a Document and holds what its voices share.
//
// It words the findings of the analysis; the folders below it (term, html, markdown,
// json) decide how they look. It measures nothing and judges nothing: figures come
// from the run, findings from the audit, and what matters from the analysis.
//
// Hosts are shown side by side to see which of them is odd. Storage tiers are meant
// to differ: they are compared by ratios to the first, only for figures of the same
// load, and with the limit of each, as far as facts show it; none of that is repeated
// among the hosts.
package report
