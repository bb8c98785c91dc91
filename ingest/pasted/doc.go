// Package pasted reads the figures of benchmark and system tools that assay never
// runs and that people paste: a file a tool. What such a figure shows, and what
// it cannot, is said by the audit's rule tool-limits.
//
// It gives what was printed, in base units. A figure whose direction or unit the
// output does not tell is an error, never a guess.
package pasted
