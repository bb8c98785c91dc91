package report

import (
	"cmp"
	"fmt"
	"slices"

	"assay"
	"assay/internal/order"
	"assay/report/block"
)

// Limits on how much of a text is shown: of a longer one, only the lines near those
// with a remark.
const (
	wholeText = 1500 // lines
	nearLines = 15
	mostShown = 6000
)

// annotated returns the texts, with findings beside the lines that they are
// about.
func (w *readingWriter) annotated() block.Blocks {
	all := block.Blocks{block.Heading{Level: 1, Text: "The text"}}
	for _, t := range w.r.Texts {
		a := block.Annotated{}
		if t.File != w.file {
			a.Title = t.File
		}
		marks, notes := w.marks(t.File), w.margin(t.File)
		last, left := 0, 0
		for i, line := range t.Lines {
			n := i + 1
			if len(a.Lines) >= mostShown || len(t.Lines) > wholeText && !near(marks, n) {
				left++
				continue
			}
			a.Lines = append(a.Lines, block.AnnotatedLine{Number: n, Text: line, Is: marks[n], Left: left, Notes: notes[n]})
			last, left = n, 0
		}
		all = append(all, a)
		if rest := len(t.Lines) - last + t.More; rest > 0 {
			all = append(all, block.Sentence{Text: countOf(rest, "more line") + " of the text left out.", Quiet: true})
		}
	}
	return all
}

func near(marks map[int]block.Kind, line int) bool {
	for n := line - nearLines; n <= line+nearLines; n++ {
		if marks[n] != "" {
			return true
		}
	}
	return false
}

// marks returns the lines of a file that need a mark: a figure was read from them, or a
// note stands beside them. Each has the worst kind that applies.
func (w *readingWriter) marks(file string) map[int]block.Kind {
	marks := map[int]block.Kind{}
	order := []block.Kind{"", block.Note, block.Doubt, block.Bad}
	mark := func(line int, is block.Kind) {
		if slices.Index(order, is) > slices.Index(order, marks[line]) {
			marks[line] = is
		}
	}
	for _, o := range w.outputsOf(file) {
		for _, line := range o.lines {
			mark(line, block.Note)
		}
		for _, f := range o.Findings {
			is := severities[f.Severity].kind
			if f.Severity == assay.Informs {
				is = block.Note // nothing is wrong
			}
			mark(o.lineOf(f), is)
		}
	}
	for _, u := range w.r.Unread {
		if u.File == file {
			mark(u.Line, block.Doubt)
		}
	}
	return marks
}

// outputsOf returns the outputs found in a file.
func (w *readingWriter) outputsOf(file string) []Output {
	return slices.DeleteFunc(slices.Clone(w.r.Outputs), func(o Output) bool {
		of, _ := splitPlace(o.From)
		return of != file
	})
}

// lineOf returns the line of the first figure that a finding is about, or else
// that of the output.
func (o Output) lineOf(f assay.Finding) int {
	_, line := splitPlace(o.From)
	first := 0
	for _, metric := range f.Metrics {
		if at := o.lines[metric]; at > 0 && (first == 0 || at < first) {
			first = at
		}
	}
	return cmp.Or(first, line)
}

// margin returns the notes on each line of a file. A finding that was explained on
// an earlier line only refers to it, with its own arithmetic.
func (w *readingWriter) margin(file string) map[int][]block.Sentence {
	type noted struct {
		line int
		folded
	}
	var all []noted
	for _, f := range fold(w.outputsOf(file), onOneLine) {
		all = append(all, noted{f.outputs[0].lineOf(f.first), f})
	}
	order.Stable(all, func(a, b noted) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(rank(a.first.Severity), rank(b.first.Severity)))
	})
	notes := map[int][]block.Sentence{}
	said := map[[2]string]int{}
	for _, n := range all {
		f := n.first
		says := severities[f.Severity]
		s := block.Sentence{Is: says.kind, Word: says.word, Text: w.short(f.Message) + " (" + f.Rule + ")", Sum: w.sumOf(n.folded), Advice: w.short(f.Advice)}
		key := [2]string{f.Rule, f.Message}
		if before, again := said[key]; again {
			s.Text, s.Advice = fmt.Sprintf("%s again, as on line %d", f.Rule, before), ""
		} else {
			said[key] = n.line
		}
		notes[n.line] = append(notes[n.line], s)
	}
	for _, u := range w.r.Unread {
		if u.File == file {
			notes[u.Line] = append(notes[u.Line], block.Sentence{Is: block.Doubt, Word: "not read", Text: w.short(u.Why), Advice: u.Hint})
		}
	}
	return notes
}
