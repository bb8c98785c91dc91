// Package ingest reads other people's runs: terminal scroll-back, logs, blogs,
// files of one tool or of many. It finds the outputs in a text, passes each to
// its tool's reader, and returns evidence that the audit's rules can judge like
// assay's own. It runs nothing, and never fills in what nobody printed.
package ingest
