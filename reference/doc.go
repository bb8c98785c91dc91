// Package reference holds published figures as data: vendors' ratings of their
// drives (drives.yaml), and measurements of drives, replicated storage and links
// (figures.yaml). Every entry names its source and how it was measured, and Place
// ranks a user's own figure among those measured alike.
//
// It never measures and never guesses: a drive that is not in drives.yaml is
// unknown, a figure that its source does not give is 0, and figures with different
// settings are not compared. doc/reference.md lists all figures; a test writes it.
package reference
