// Package named recognises benchmark and system tools whose output assay does not
// read, by their first lines. Unreadable output can then be named, with what its
// figure means and what would answer the question.
package named
