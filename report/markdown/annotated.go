package markdown

import (
	"fmt"
	"strings"

	"assay/internal/prose"
	"assay/report/block"
)

// annotated writes a text in pieces: each ends with an annotated line, followed
// by its notes.
func (p *page) annotated(a block.Annotated) {
	if a.Title != "" {
		p.block(bold(a.Title))
	}
	var text strings.Builder
	for i, l := range a.Lines {
		if l.Left > 0 {
			fmt.Fprintf(&text, "… %s left out\n", prose.Plural(l.Left, "line"))
		}
		fmt.Fprintf(&text, "%d  %s\n", l.Number, l.Text)
		if len(l.Notes) == 0 && i < len(a.Lines)-1 {
			continue
		}
		p.code(text.String())
		text.Reset()
		var notes []string
		for _, n := range l.Notes {
			notes = append(notes, "- "+point(n))
		}
		if len(notes) > 0 {
			p.block(notes...)
		}
	}
}
