// Package precision says how well the figure of a result is known, against how
// well it was to be known, and what it would take.
//
// It is what the engine goes by when it adds repeats, and what a report says of
// figures that did not converge. It knows no clock and no order.
package precision
