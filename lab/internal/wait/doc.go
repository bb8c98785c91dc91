// Package wait looks again and again until something is so, or its context ends.
package wait
