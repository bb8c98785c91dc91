// Package named knows benchmark and system tools whose output assay does not
// read, by the lines with which they begin. What cannot be read is then called by
// its name, with what its figure means and what would answer the question.
package named
