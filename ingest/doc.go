// Package ingest reads what other people ran: terminal scroll-back, logs,
// blogs, files of one tool or of many. It finds the outputs in a text, hands
// each to the reader of its tool, and gives evidence that the audit's rules can
// judge like assay's own. It runs nothing, and it never fills in what nobody
// printed.
package ingest
