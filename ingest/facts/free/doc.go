// Package free learns a machine's total and available memory from the output of
// free. It never guesses a unit other than free's default.
package free
