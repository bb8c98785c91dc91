package report

import (
	"cmp"
	"fmt"
	"slices"

	"assay"
	"assay/report/block"
)

// Bounds on how much of a text is shown: of a longer one, the lines near those from
// which figures were read.
const (
	wholeText = 1500 // lines
	nearLines = 15
	mostShown = 6000
)

// annotated are the texts with what was found beside the lines that it is about.
func (w *readingWriter) annotated() block.Blocks {
	all := block.Blocks{block.Heading{Level: 1, Text: "The text"}}
	for _, t := range w.r.Texts {
		a := block.Annotated{}
		if w.file == "" {
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

// marks are the lines of a file from which figures were read, each with the worst
// that is said of it.
func (w *readingWriter) marks(file string) map[int]block.Kind {
	marks := map[int]block.Kind{}
	for _, o := range w.r.Outputs {
		of, _ := splitPlace(o.From)
		if of != file {
			continue
		}
		for _, line := range o.lines {
			if marks[line] == "" {
				marks[line] = block.Note
			}
		}
		for _, f := range o.Findings {
			kind := severities[f.Severity].kind
			if line := o.lineOf(f); kind == block.Bad || marks[line] != block.Bad && kind == block.Doubt {
				marks[line] = kind
			}
		}
	}
	for _, u := range w.r.Unread {
		if u.File == file && marks[u.Line] == "" {
			marks[u.Line] = block.Doubt
		}
	}
	return marks
}

// lineOf is the line of the first figure that a finding is about, else that of the
// output.
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

// margin is what is said of each line of a file. What was said before is named,
// with its own arithmetic.
func (w *readingWriter) margin(file string) map[int][]block.Sentence {
	notes := map[int][]block.Sentence{}
	said := map[string]int{}
	type noted struct {
		line    int
		finding assay.Finding
		times   int
	}
	var all []noted
	for _, o := range w.r.Outputs {
		if of, _ := splitPlace(o.From); of != file {
			continue
		}
		for _, f := range o.Findings {
			line := o.lineOf(f)
			i := slices.IndexFunc(all, func(n noted) bool {
				return n.line == line && n.finding.Rule == f.Rule && n.finding.Message == f.Message
			})
			if i >= 0 {
				all[i].times++
				continue
			}
			all = append(all, noted{line, f, 1})
		}
	}
	slices.SortStableFunc(all, func(a, b noted) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(rank(a.finding.Severity), rank(b.finding.Severity)))
	})
	for _, n := range all {
		f := n.finding
		says := severities[f.Severity]
		s := block.Sentence{Is: says.kind, Word: says.word, Text: w.short(f.Message) + " (" + f.Rule + ")", Sum: w.short(f.Arithmetic), Advice: w.short(f.Advice)}
		if n.times > 1 {
			s.Sum += fmt.Sprintf("; and %d more like it", n.times-1)
		}
		key := f.Rule + "\x00" + f.Message
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
