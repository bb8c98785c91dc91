// Package traits is the single table of the facts that tell machines apart:
// between the hosts of a cluster, between two looks at one host, between the
// columns of a comparison, and where a host stands out.
//
// Code that asks which facts differ selects from it. An unknown fact reads "",
// and 0 as a number: it differs from nothing.
package traits

import "assay"

// Trait is one fact of a thing: of a host, a drive or a directory.
type Trait[T any] struct {
	Name    string         // in the field's terms, so that "governor was powersave" is a sentence
	Counted bool           // it counts what Name says
	Text    func(T) string // in words
	Also    func(T) string // reported with it but not a fact of its own: nil for most
	Number  func(T) float64

	// Among returns what things must have in common to be comparable; among is
	// false for one that is not comparable at all. Nil: all are comparable.
	Among func(T) (common string, among bool)

	Uses Use
	// Replaces says that a change means a different thing in its place.
	Replaces bool
}

// Use says what a trait is used for.
type Use uint8

const (
	// Alike is for what the hosts of a cluster should have in common.
	Alike Use = 1 << iota
	// Resume is for what must not change if figures from before and after are to
	// be combined.
	Resume
	// Compare is for what is shown beside compared figures.
	Compare
	// Diagnose is for what may explain a figure and is used nowhere else.
	Diagnose
)

// For reports whether the trait is for that use.
func (t Trait[T]) For(u Use) bool { return t.Uses&u != 0 }

// Of returns the text of a host's trait by its name; "" if it is unknown.
func Of(name string, f assay.Facts) string {
	for _, t := range Host {
		if t.Name == name {
			return t.Text(f)
		}
	}
	return ""
}
