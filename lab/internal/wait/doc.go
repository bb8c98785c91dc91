// Package wait polls until a condition holds or its context ends.
package wait
