// Package plan turns an inventory and a suite into an ordered list of trials
// that fits the time budget.
//
// It is pure: it touches no machine, and the same input with the same seed
// gives the same plan. `assay plan` prints it before anything is touched.
package plan
