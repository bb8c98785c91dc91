// Package reference holds what others publish, as data: what vendors rate their
// drives at. Every entry names its source.
//
// It never measures and never guesses: a drive that is not in drives.yaml is
// unknown, and a figure that its source does not give is 0.
package reference
