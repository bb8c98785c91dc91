package assay

// Format tells how to recognise the output of a tool anywhere: in a log, in
// terminal scrollback, in a blog post.
type Format struct {
	// Tool is the tool's name, as in the label tool, and its folder.
	Tool string
	// Commands are the programs whose command lines precede such output: "dd",
	// "ceph". Empty if there is no command line.
	Commands []string
	// Begins reports whether a line starts human-readable output, or is clearly from
	// the middle of one whose beginning was lost. The line comes without line end and
	// terminal escapes, and with its leading blanks. Begins must be false for every
	// line of another tool and for prose. nil: only JSON of this tool is read.
	Begins func(line string) bool
	// Splits reports whether a line for which Begins is true starts a new output
	// while one of this tool is open, with the text so far. nil: always. It is also
	// called with the text of a JSON document before that is added.
	Splits func(sofar []byte, next string) bool
	// Heads reports whether a line names what the output right below it is about,
	// such as a drive. It begins no output. nil: never.
	Heads func(line string) bool
	// Accepts reports whether a JSON document is from this tool, judging by the keys
	// of its outermost object, or of the first object in (nested) arrays. nil: never.
	Accepts func(keys []string) bool
	// Within reports whether a line can only be part of an open output of this tool, so
	// that no other tool need be tried: this speeds up reading long reports. Begins is
	// false for such a line. nil: never.
	Within func(line string) bool
}

// A Reader recognises the output of one tool, whoever ran it. It is also a Measurer
// or a Learner, or both.
type Reader interface {
	Format() Format
}

// A Measurer reads figures. Every probe is one.
type Measurer interface {
	Reader
	// Parse reads the step "measure": Stdout is all that was found of one output, and
	// Argv the command line, if one preceded it. It is pure and total. Every
	// measurement has a Line of Stdout, counted from 1. The labels job and host
	// distinguish several jobs, drives or flows in one output: measurements that
	// agree in both belong to one result.
	Parse(tr Transcript) ([]Measurement, error)
}

// A Learner reads facts: what a machine is, not how fast.
type Learner interface {
	Reader
	// Learn reads the step "measure" as Parse does, and sets the facts that it states
	// in f; others stay unchanged. It is pure and total.
	Learn(tr Transcript, f *Facts) error
}
