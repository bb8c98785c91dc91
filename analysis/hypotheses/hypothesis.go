package hypotheses

import "strings"

// Hypothesis is one fault: what it predicts, what shows it, and how to fix it.
type Hypothesis struct {
	ID    string
	Layer string // id of the section it belongs to: storage, network, cpu, memory, thermal; system
	Of    Scope
	Name  string // as in "possible: a rate limit outside the host"
	// Usual is how many in a thousand suspects have it before anything is known.
	Usual float64
	Slows Slows
	Clues []Clue
	// Standing faults are worth reporting if a clue proves them, even if no figure
	// is slow yet.
	Standing bool
	// Slower means that the host does what it is built or set up to do: nothing
	// is broken.
	Slower bool
	// Decides is the one measurement that tells the fault from its remaining
	// rivals.
	Decides string
	Remedy  string // with {host}, {peer}, {network}
}

// Scope is what can have a fault.
type Scope uint8

// A fault belongs to a host, or to the path between two.
const (
	OfHost Scope = iota
	OfPath
)

// Clue is evidence besides the figures for or against a fault.
type Clue struct {
	Ask func(*Suspect) Answer
	// If and Else are the probabilities that the clue shows with the fault, and
	// without it.
	If, Else float64
	Proves   bool   // it is the mechanism itself: a counter, a limit, a negotiated rate
	Says     string // with {own} and {theirs}; "" where it is not worth a word: see say
	// Test is the case of plan/suite/extra/deciders.yaml whose result the clue needs; ""
	// if it needs no measurement of its own.
	Test string
}

// say returns the clue in words. Its comparison, from the last comma before {theirs}, is
// left out if there is nothing to compare with.
func (c Clue) say(a Answer) string {
	text := c.Says
	if before, after, compares := strings.Cut(text, "{theirs}"); compares && a.Theirs == "" {
		text = before[:max(strings.LastIndex(before, ", "), 0)] + after
	}
	return strings.NewReplacer("{own}", a.Own, "{theirs}", a.Theirs).Replace(text)
}

// Answer is what a clue shows about a suspect.
type Answer struct {
	Is          Is
	Own, Theirs string // Theirs is "" if the host is compared with nothing
}

// Is says whether a clue shows.
type Is int8

// Unknown means that the fact is missing.
const (
	Unknown Is = iota
	Yes
	No
)

func is(b bool) Is {
	if b {
		return Yes
	}
	return No
}

// unexplained returns the hypothesis that stands for all unlisted faults of a layer.
// It wins if no fault fits, and then no cause is named.
func unexplained(layer string, scope Scope, remedy string, loads ...Load) Hypothesis {
	return Hypothesis{ID: layer + unknownSuffix, Layer: layer, Of: scope, Usual: 20, Slows: slows(.5, loads...), Remedy: remedy}
}

const unknownSuffix = "-unexplained"
