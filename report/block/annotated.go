package block

// Annotated is a published text with remarks beside its lines.
type Annotated struct {
	Title string          `json:"title,omitempty"`
	Lines []AnnotatedLine `json:"lines"`
}

// AnnotatedLine is one line of it.
type AnnotatedLine struct {
	Number int    `json:"number"`
	Text   string `json:"text" oneline:"blanks"` // its blanks count
	// Is is the worst kind among the figures read from a line: a Note if nothing
	// is wrong.
	Is Kind `json:"is,omitempty"`
	// Left is how many lines before it were left out.
	Left  int        `json:"left,omitempty"`
	Notes []Sentence `json:"notes,omitempty"`
}

// Kind names the block.
func (Annotated) Kind() string { return "annotated" }
