// Package report turns a run into a Document and holds what its voices share.
//
// It decides what is said; the folders below it (term, html, markdown, json)
// decide how it looks. It measures nothing and judges nothing: figures come
// from the run, findings from the audit.
package report
