// Package reference holds what others publish, as data: what vendors rate their
// drives at (drives.yaml), and what was measured of drives, replicated storage and
// links (figures.yaml). Every entry names its source and how it was measured, and
// Place says where somebody's own figure stands among those measured alike.
//
// It never measures and never guesses: a drive that is not in drives.yaml is
// unknown, a figure that its source does not give is 0, and where settings differ
// nothing is compared. doc/reference.md lists all figures; a test writes it.
package reference
