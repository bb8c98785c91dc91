package assay

// Format is how the output of a tool is recognised wherever it turns up: in a
// log, in a terminal's scroll-back, in a blog.
type Format struct {
	// Tool is the tool's name, as in the label tool, and its folder.
	Tool string
	// Commands are the programs whose command lines stand before such output:
	// "dd", "ceph". None where it has no command line.
	Commands []string
	// Begins says whether a line opens an output for people, or is plainly out
	// of the middle of one whose head was lost. The line has no end, no terminal
	// escapes, and keeps its leading blanks. It must be true of no line that
	// another tool prints, nor of prose. nil: this tool is read from JSON alone.
	Begins func(line string) bool
	// Splits says whether a line for which Begins is true opens another output,
	// where one of this tool is open already: so far is its text. nil: always.
	// It is also asked of the text of a JSON document before that is added.
	Splits func(sofar []byte, next string) bool
	// Accepts says whether a JSON document is of this tool, by the keys of its
	// outermost object, or, in an array, of the first object in it, however deep
	// in arrays that is. nil: none is.
	Accepts func(keys []string) bool
}

// A Reader knows what one tool prints, whoever ran it. It is also a Measurer or
// a Learner, or both.
type Reader interface {
	Format() Format
}

// A Measurer reads figures. Every probe is one.
type Measurer interface {
	Reader
	// Parse reads the step "measure": its Stdout is all that was found of one
	// output, its Argv the command line where one stood before it. Pure and
	// total. Every measurement has a Line of Stdout, from 1. Figures of several
	// jobs, drives or flows in one output are told apart by the labels job and
	// host: those that agree in both are one result.
	Parse(tr Transcript) ([]Measurement, error)
}

// A Learner reads facts: what a machine is, not how fast.
type Learner interface {
	Reader
	// Learn reads the step "measure" as Parse does, and sets in f what it says;
	// what it does not say stays as it is. Pure and total.
	Learn(tr Transcript, f *Facts) error
}
