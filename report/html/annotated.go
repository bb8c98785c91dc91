package html

import (
	"fmt"

	"assay/internal/prose"
	"assay/report/block"
)

// annotatedView is a text in pieces: each begins with an annotated line, so that
// the notes stand beside it. Where a line's notes are taller than the lines up to
// the next annotated line, the piece includes that one too.
type annotatedView struct {
	Title  string
	Pieces []pieceView
}

type pieceView struct {
	First textLine
	Rest  []textLine
	Notes []marginNote

	room int // lines by which the notes exceed the text
}

type textLine struct {
	block.AnnotatedLine
	ID, Class, LeftOut string
}

type marginNote struct {
	pointView
	Line   int
	LineID string
}

// newAnnotated returns the view of a text; prefix makes the ids of its lines unique on
// the page.
func newAnnotated(a block.Annotated, prefix string) annotatedView {
	v := annotatedView{Title: a.Title}
	for i, l := range a.Lines {
		shown := textLine{AnnotatedLine: l, ID: fmt.Sprintf("%s-%d", prefix, l.Number), Class: knownKind(string(l.Is))}
		if l.Left > 0 {
			shown.LeftOut = prose.Plural(l.Left, "line") + " left out"
		}
		if last := len(v.Pieces) - 1; i > 0 && (len(l.Notes) == 0 || v.Pieces[last].room > 0) {
			v.Pieces[last].Rest = append(v.Pieces[last].Rest, shown)
			v.Pieces[last].room--
		} else {
			v.Pieces = append(v.Pieces, pieceView{First: shown})
		}
		piece := &v.Pieces[len(v.Pieces)-1]
		for _, n := range l.Notes {
			piece.Notes = append(piece.Notes, marginNote{newPoint(n), l.Number, shown.ID})
			piece.room += marginLines(n)
		}
	}
	return v
}

// marginLines estimates the height of a note in lines of the text.
func marginLines(n block.Sentence) int {
	const text, sum = 52, 46 // characters per line of the margin
	return 1 + (len(n.Text)+len(n.Word))/text + (len(n.Sum)+sum-1)/sum
}
