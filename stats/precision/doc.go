// Package precision reports how well the figure of a result is known, how well
// it was to be known, and what that would take.
//
// The engine uses it to add repeats, and reports use it for figures that did
// not converge. It knows no clock and no order.
package precision
