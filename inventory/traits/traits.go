// Package traits is the one table of the facts by which machines are told apart:
// between the hosts of a cluster, between two looks at one host, between the
// columns of a comparison, and where a host stands out.
//
// Whoever asks which facts differ selects from it. A fact that is not known reads
// "", and 0 as a number: it differs from nothing.
package traits

import "assay"

// Trait is one fact of a thing: of a host, a drive or a directory.
type Trait[T any] struct {
	Name    string         // in the field's terms, so that "governor was powersave" is a sentence
	Counted bool           // it is a number of what Name says
	Text    func(T) string // in words
	Also    func(T) string // what is told with it but is no fact of its own: nil for most
	Number  func(T) float64

	// Among gives what things must have in common to be comparable; comparable is
	// false for one that is not comparable at all. Nil: each with each.
	Among func(T) (common string, among bool)

	Uses Use
	// Replaces says that, where it changed, something else stands in its place.
	Replaces bool
}

// Use says who asks for a trait.
type Use uint8

const (
	// Alike is for what hosts of a cluster should have alike.
	Alike Use = 1 << iota
	// Resume is for what must not change if figures of before and after are to be
	// put together.
	Resume
	// Compare is for what is said beside figures that are compared.
	Compare
	// Diagnose is for what may explain a figure and is asked for nowhere else.
	Diagnose
)

// For reports whether the trait is for that use.
func (t Trait[T]) For(u Use) bool { return t.Uses&u != 0 }

// Of gives the text of a trait of a host by its name; "" for one that is unknown.
func Of(name string, f assay.Facts) string {
	for _, t := range Host {
		if t.Name == name {
			return t.Text(f)
		}
	}
	return ""
}
