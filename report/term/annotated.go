package term

import (
	"fmt"
	"strconv"

	"assay/internal/prose"
	"assay/report/block"
)

// annotated prints a text with line numbers, and the notes on a line below it.
func (p *page) annotated(a block.Annotated) {
	if a.Title != "" {
		p.strong(a.Title, "")
	}
	digits := 1
	for _, l := range a.Lines {
		digits = max(digits, len(strconv.Itoa(l.Number)))
	}
	for _, l := range a.Lines {
		if l.Left > 0 {
			p.say("… "+prose.Plural(l.Left, "line")+" left out", "  ", dim)
		}
		p.hang(line{fmt.Sprintf("%*d  ", digits, l.Number), dim}, l.Text, styles[l.Is])
		notes := make(block.Blocks, len(l.Notes))
		for i, n := range l.Notes {
			notes[i] = n
		}
		if len(notes) > 0 {
			p.sentences(notes)
		}
	}
}
