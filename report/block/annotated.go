package block

// Annotated is a text as somebody published it, with what is said of its lines
// beside them.
type Annotated struct {
	Title string          `json:"title,omitempty"`
	Lines []AnnotatedLine `json:"lines"`
}

// AnnotatedLine is one line of it.
type AnnotatedLine struct {
	Number int    `json:"number"`
	Text   string `json:"text" oneline:"blanks"` // its blanks count
	// Is says of a line from which figures were read how the worst of them is: a
	// Note where nothing is wrong.
	Is Kind `json:"is,omitempty"`
	// Left is how many lines before it are left out.
	Left  int        `json:"left,omitempty"`
	Notes []Sentence `json:"notes,omitempty"`
}

// Kind names the block.
func (Annotated) Kind() string { return "annotated" }
