// Package pasted reads the figures of benchmark and system tools that assay never
// runs and that people paste, one file per tool. The audit's rule tool-limits
// says what such a figure shows and what it cannot.
//
// It returns figures as printed, in base units. A figure whose direction or unit
// the output does not show is an error, never a guess.
package pasted
