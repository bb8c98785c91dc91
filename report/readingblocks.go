package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/prose"
	"assay/report/block"
)

// readingWriter turns a reading into blocks. It names a single file only once,
// gives each piece of advice once, and numbers footnotes throughout.
type readingWriter struct {
	r    Reading
	file string            // "" where there are several
	note int               // the last footnote's number
	said map[string]string // where each piece of advice was given

	shorten *strings.Replacer // drops the file name; nil until needed
}

// Document returns the reading as blocks.
func (r Reading) Document() block.Document {
	w := readingWriter{r: r, file: r.onlyFile(), said: map[string]string{}}
	d := block.Document{Name: "Audit", Title: w.file}
	d.Add(block.Sentence{Text: r.Summary})
	parts := w.parts()
	d.Add(w.worst(parts)...)
	if len(r.Texts) > 0 {
		d.Add(w.annotated()...)
		d.Add(w.beside(parts)...)
	} else {
		d.Add(w.listed(parts)...)
	}
	if len(r.Across) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Across outputs"})
		for _, f := range r.Across {
			d.Add(w.verdictOn(f, f.Subject, "the comparison above"))
		}
	}
	if len(r.Known) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Hardware facts"}, FactValues(r.Known))
	}
	if len(r.Open) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Skipped checks (missing facts)"})
		d.Add(wantedBlocks(r.Open)...)
	}
	if len(r.Unread) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Not read"})
		for _, u := range r.Unread {
			d.Add(block.Sentence{Is: block.Doubt, Word: w.place(u.File, u.Line), Text: w.short(u.Why), Advice: u.Hint})
		}
	}
	return d
}

// part is a table, one output, or several results of one output: its jobs.
type part struct {
	file    string
	line    int
	table   *PrintedTable
	outputs []Output
}

// parts returns what was read, in the order of its files and lines.
func (w *readingWriter) parts() []part {
	tabled := w.r.tabled()
	var all []part
	at := map[string]int{}
	for _, o := range w.r.Outputs {
		if tabled[o.ID] {
			continue
		}
		if i, known := at[o.From]; known {
			all[i].outputs = append(all[i].outputs, o)
			continue
		}
		at[o.From] = len(all)
		file, line := splitPlace(o.From)
		all = append(all, part{file: file, line: line, outputs: []Output{o}})
	}
	for i := range w.r.Tables {
		t := &w.r.Tables[i]
		p := part{file: t.File, line: t.Line, table: t}
		for _, o := range w.r.Outputs {
			if slices.ContainsFunc(t.Cells, func(c PrintedCell) bool { return c.Output == o.ID }) {
				p.outputs = append(p.outputs, o)
			}
		}
		all = append(all, p)
	}
	var files []string
	for _, p := range all {
		files = addNew(files, p.file)
	}
	order.Stable(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(slices.Index(files, a.file), slices.Index(files, b.file)), cmp.Compare(a.line, b.line))
	})
	return all
}

// listed returns all parts, one after the other.
func (w *readingWriter) listed(parts []part) (all block.Blocks) {
	for _, p := range parts {
		all = append(all, w.part(p, 1)...)
	}
	return all
}

// beside returns the parts if the text itself is shown: its tables, and all
// figures folded away.
func (w *readingWriter) beside(parts []part) (all block.Blocks) {
	var rest block.Blocks
	for _, p := range parts {
		if p.table != nil {
			all = append(all, w.part(p, 1)...)
		} else {
			rest = append(rest, w.part(p, 2)...)
		}
	}
	if len(rest) > 0 {
		all = append(all, block.Heading{Level: 1, Text: "Figures"}, block.Details{Summary: "All figures that were read, output by output", Blocks: rest})
	}
	return all
}

// mostSingly is how many results of one output are shown one by one; more
// become a table.
const mostSingly = 2

func (w *readingWriter) part(p part, level int) block.Blocks {
	switch {
	case p.table != nil:
		return w.published(p, level)
	case len(p.outputs) > mostSingly:
		return w.jobs(p, level)
	}
	var all block.Blocks
	for _, o := range p.outputs {
		all = append(all, w.output(o, level)...)
	}
	return all
}

func (w *readingWriter) output(o Output, level int) block.Blocks {
	file, line := splitPlace(o.From)
	at := w.place(file, line)
	all := block.Blocks{block.Heading{Level: level, Text: strings.TrimSpace(at + "  " + o.named())}}
	if o.Settings != "" {
		all = append(all, block.Sentence{Text: o.Settings, Quiet: true})
	}
	var figures block.Values
	for _, f := range o.Figures {
		i := slices.IndexFunc(figures.Groups, func(g block.Group) bool { return g.Title == f.Group })
		if i < 0 {
			figures.Groups, i = append(figures.Groups, block.Group{Title: f.Group}), len(figures.Groups)
		}
		figures.Groups[i].Items = append(figures.Groups[i].Items, block.Value{Name: f.Name, Cell: f.cell(o.Host)})
	}
	if len(figures.Groups) > 0 {
		all = append(all, figures)
	}
	for _, f := range o.Findings {
		all = append(all, w.verdictOn(f, "", at))
	}
	return all
}

// named returns the title with the host.
func (o Output) named() string {
	if o.Host == "" {
		return o.Title
	}
	return o.Title + " on " + o.Host
}

func (f Reported) cell(host string) block.Cell {
	return block.Cell{Text: f.Text, Figure: &block.Figure{
		Host: host, Metric: f.Metric, Unit: string(f.Unit), Rejected: f.Rejected,
		Value: block.Number(f.Value), Low: block.Number(f.Value), High: block.Number(f.Value),
	}}
}

// FactValues returns facts, group by group.
func FactValues(groups []FactGroup) block.Values {
	var v block.Values
	for _, g := range groups {
		one := block.Group{Title: g.Title}
		for _, f := range g.Rows {
			one.Items = append(one.Items, block.Value{Name: f.Name, Cell: block.Cell{Text: f.Value}})
		}
		v.Groups = append(v.Groups, one)
	}
	return v
}

// severities says how findings of each severity are shown.
var severities = map[assay.Severity]struct {
	kind block.Kind
	word string
}{
	assay.Rejects: {block.Bad, "rejects"}, assay.Warns: {block.Doubt, "warns"}, assay.Informs: {block.Limit, "informs"},
	assay.NotChecked: {block.Next, "not checked"},
}

// verdictOn returns a finding as a point: what it means, the arithmetic, what
// to do. at is its location.
func (w *readingWriter) verdictOn(f assay.Finding, about, at string) block.Sentence {
	s := severities[f.Severity]
	behind := f.Rule
	if about != "" {
		behind = w.short(about) + "; " + f.Rule
	}
	return block.Sentence{
		Is: s.kind, Word: s.word, Text: w.short(f.Message) + " (" + behind + ")", Sum: w.short(f.Arithmetic), Advice: w.advice(f.Advice, at),
	}
}

// advice gives each piece of advice once, and refers to it afterwards.
func (w *readingWriter) advice(text, at string) string {
	if text == "" {
		return ""
	}
	if before, said := w.said[text]; said {
		if before == at {
			return "the same"
		}
		return "as for " + before
	}
	w.said[text] = at
	return w.short(text)
}

// place returns a location: the line alone if there is one file.
func (w *readingWriter) place(file string, line int) string {
	if w.file != "" && file == w.file && line > 0 {
		return "line " + strconv.Itoa(line)
	}
	return Place(file, line)
}

// short removes the name of the only file from a text.
func (w *readingWriter) short(text string) string {
	if w.file == "" || !strings.Contains(text, w.file) {
		return text
	}
	if w.shorten == nil {
		w.shorten = strings.NewReplacer(w.file+": ", "", w.file+":", "line ")
	}
	return w.shorten.Replace(text)
}

// onlyFile returns the file of everything that was read, or "" if there are
// several.
func (r Reading) onlyFile() string {
	var files []string
	for _, o := range r.Outputs {
		file, _ := splitPlace(o.From)
		files = addNew(files, file)
	}
	for _, u := range r.Unread {
		files = addNew(files, u.File)
	}
	if len(files) != 1 {
		return ""
	}
	return files[0]
}

// tabled returns the outputs that stand in a table.
func (r Reading) tabled() map[string]bool {
	all := map[string]bool{}
	for _, t := range r.Tables {
		for _, c := range t.Cells {
			all[c.Output] = true
		}
	}
	return all
}

// splitPlace splits file:line.
func splitPlace(place string) (file string, line int) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place, 0
	}
	line, err := strconv.Atoi(place[i+1:])
	if err != nil {
		return place, 0
	}
	return place[:i], line
}

// wantedBlocks lists the facts that would decide unchecked rules: first those that
// can be given, then the rest.
func wantedBlocks(open []Wanted) block.Blocks {
	var given, others []string
	for _, w := range open {
		text := w.Fact
		if w.Hint != "" {
			text += ": " + w.Hint
		}
		text += " (" + strings.Join(w.Rules, ", ") + ")"
		if w.Given {
			given = append(given, text)
		} else {
			others = append(others, text)
		}
	}
	var all block.Blocks
	if len(given) > 0 {
		all = append(all, block.List{Items: given})
	}
	if len(others) > 0 {
		all = append(all, block.Details{
			Summary: "Facts that only the run itself could provide",
			Brief:   countOf(len(others), "other fact") + " that only the run itself could provide; --format markdown lists them",
			Blocks:  block.Blocks{block.List{Items: others}},
		})
	}
	return all
}

// The size from which a reading gets a summary of its findings.
const (
	longParts    = 4
	longFindings = 5
	mostWorst    = 5
)

// worst opens a long reading with what was read and its gravest findings, before
// the details.
func (w *readingWriter) worst(parts []part) block.Blocks {
	folds := fold(w.r.Outputs, butForNumbers)
	if len(parts) < longParts || len(folds) < longFindings {
		return nil
	}
	order.Stable(folds, func(a, b folded) int {
		return cmp.Or(cmp.Compare(rank(a.first.Severity), rank(b.first.Severity)), cmp.Compare(len(b.outputs), len(a.outputs)))
	})
	all := block.Blocks{block.Sentence{Text: "Read: " + readOf(parts) + ".", Quiet: true}, block.Heading{Level: 1, Text: "Worst findings"}}
	for _, f := range folds[:min(mostWorst, len(folds))] {
		s := severities[f.first.Severity]
		file, line := splitPlace(f.outputs[0].From)
		at := w.place(file, line)
		if n := len(f.outputs) - 1; n > 0 {
			at += fmt.Sprintf(" and %d more", n)
		}
		all = append(all, block.Sentence{Is: s.kind, Word: s.word, Text: w.short(f.first.Message) + " (" + at + "; " + f.first.Rule + ")", Sum: w.short(f.first.Arithmetic)})
	}
	if n := len(folds) - mostWorst; n > 0 {
		all = append(all, block.Sentence{Text: countOf(n, "more finding") + " below, with what to do about each.", Quiet: true})
	}
	return all
}

// readOf counts what was read, by tool.
func readOf(parts []part) string {
	var names []string
	count, tables := map[string]int{}, 0
	for _, p := range parts {
		if p.table != nil {
			tables++
			continue
		}
		names = addNew(names, p.outputs[0].Tool)
		count[p.outputs[0].Tool]++
	}
	var words []string
	for _, n := range names {
		words = append(words, strconv.Itoa(count[n])+" × "+n)
	}
	if tables > 0 {
		words = append(words, countOf(tables, "table"))
	}
	return prose.Enumerate(words, len(words))
}

func rank(s assay.Severity) int {
	return slices.Index([]assay.Severity{assay.Rejects, assay.Warns, assay.Informs}, s)
}

// folded is a finding shared by several outputs.
type folded struct {
	first   assay.Finding
	all     []assay.Finding
	outputs []Output
}

// exactly folds findings with the same message.
func exactly(_ Output, f assay.Finding) string { return f.Message }

// onOneLine folds findings with the same message about the same line.
func onOneLine(o Output, f assay.Finding) string {
	return strconv.Itoa(o.lineOf(f)) + ":" + f.Message
}

// butForNumbers folds findings whose messages differ only in their numbers.
func butForNumbers(_ Output, f assay.Finding) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == ',' {
			return -1
		}
		return r
	}, f.Message)
}

// fold joins findings of one rule and severity for which alike returns the same key,
// in the order of the first of each.
func fold(outputs []Output, alike func(Output, assay.Finding) string) []folded {
	var all []folded
	at := map[[3]string]int{}
	for _, o := range outputs {
		for _, f := range o.Findings {
			key := [3]string{f.Rule, string(f.Severity), alike(o, f)}
			i, known := at[key]
			if !known {
				i = len(all)
				at[key], all = i, append(all, folded{first: f})
			}
			all[i].all = append(all[i].all, f)
			if n := len(all[i].outputs); n == 0 || all[i].outputs[n-1].ID != o.ID {
				all[i].outputs = append(all[i].outputs, o)
			}
		}
	}
	return all
}

// sumOf returns the arithmetic of the first of them.
func (w *readingWriter) sumOf(f folded) string {
	sum := w.short(f.first.Arithmetic)
	if n := len(f.all) - 1; n > 0 && sum != "" {
		sum += fmt.Sprintf("; and %d more like it", n)
	}
	return sum
}
