package markdown

import (
	"fmt"
	"io"
	"strings"

	"assay/report/block"
)

// Render writes the whole document at once. The error is w's.
func Render(w io.Writer, d block.Document) error {
	d = d.Printable()
	p := &page{}
	if d.Title != "" {
		p.block("# " + escape(d.Title))
	}
	if len(d.About) > 0 {
		p.block(paragraph(strings.Join(d.About, " · ")))
	}
	p.blocks(d.Blocks)
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) blocks(all block.Blocks) {
	for i := 0; i < len(all); i++ {
		switch b := all[i].(type) {
		case block.Heading:
			p.block(strings.Repeat("#", min(max(b.Level, 1), 4)+1) + " " + join(" · ", escape(b.Text), escape(b.Aside)))
		case block.Sentence:
			n := points(all[i:])
			if n == 0 {
				p.block(plainSentence(b))
				continue
			}
			var lines []string
			for _, s := range all[i : i+n] {
				lines = append(lines, "- "+point(s.(block.Sentence)))
			}
			p.block(lines...)
			i += n - 1
		case block.List:
			p.items(b.Items)
		case block.Code:
			p.code(b.Text)
		case block.Details:
			p.block("### " + escape(b.Summary))
			p.blocks(b.Blocks)
		case block.Annotated:
			p.annotated(b)
		case block.Footnotes:
			p.notes(b)
		case block.Table:
			p.cells(b)
		case block.Matrix:
			p.cells(b.Table())
		case block.Links:
			p.links(b)
		case block.Values:
			p.values(b)
		case block.Bars:
			if !b.Told {
				p.bars(b)
			}
		case block.Intervals:
			if !b.Told {
				var items []string
				for _, r := range b.Rows {
					items = append(items, join(", ", r.Title, join(" ", r.Key, r.Text), r.Word))
				}
				p.items(items)
			}
		case block.Lanes:
			p.lanes(b)
		case block.Plot:
			if !b.Told {
				p.lines(b)
			}
		case block.Timeline:
			p.timeline(b)
		}
	}
}

// points counts the leading sentences that are points of one list.
func points(all block.Blocks) (n int) {
	for _, b := range all {
		s, is := b.(block.Sentence)
		if !is || s.Is == "" && s.Word == "" {
			break
		}
		n++
	}
	return n
}

func plainSentence(s block.Sentence) string {
	return join(" ", paragraph(s.Text), escape(s.Sum), next(s.Advice))
}

func point(s block.Sentence) string {
	word := s.Word
	if word == "" {
		word = string(s.Is)
	}
	text := "**" + escape(word) + "**: " + escape(s.Text)
	if s.Sum != "" {
		text += ": " + escape(s.Sum)
	}
	if s.Advice != "" {
		text = strings.TrimSuffix(text, ".") + ". " + next(s.Advice)
	}
	return text
}

func next(advice string) string {
	if advice == "" {
		return ""
	}
	return "Next: " + escape(advice)
}

func (p *page) items(items []string) {
	var lines []string
	for _, text := range items {
		lines = append(lines, "- "+escape(text))
	}
	if len(lines) > 0 {
		p.block(lines...)
	}
}

// code writes text between fences that are longer than any in it.
func (p *page) code(text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	p.block(append(append([]string{fence}, strings.Split(strings.TrimRight(text, "\n"), "\n")...), fence)...)
}

// notes writes a numbered list with the numbers that the tables cite, whatever
// they are.
func (p *page) notes(f block.Footnotes) {
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			p.block(lines...)
		}
		lines = nil
	}
	for _, n := range f.Notes {
		if n.Text != "" {
			flush()
			text := "**" + join(" ", escape(n.Word), escape(n.Name)) + "**: " + escape(n.Text)
			if n.Shared != "" {
				text = strings.TrimSuffix(text, ".") + ". " + next(n.Shared)
			}
			p.block(text)
		}
		text := fmt.Sprintf("%d. %s", max(n.Number, 0), join(": ", escape(n.About), escape(n.Sum)))
		if n.Advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + next(n.Advice)
		}
		lines = append(lines, text)
	}
	flush()
}

func (p *page) cells(t block.Table) {
	if t.Title != "" || t.Aside != "" {
		p.block(join(" · ", bold(t.Title), escape(t.Aside)))
	}
	count := len(t.Columns)
	for _, r := range t.Rows {
		count = max(count, len(r.Cells))
		if r.Absent != nil {
			count = max(count, 2)
		}
	}
	if count == 0 {
		return
	}
	header, right := make([]string, count), make([]bool, count)
	for i, c := range t.Columns {
		header[i], right[i] = escape(c.Heading), c.Right
	}
	var rows [][]string
	for n, r := range t.Rows {
		line := make([]string, count)
		for i, c := range r.Cells {
			if i == 0 && t.Continues(n) {
				c.Text = ""
			}
			line[i] = cellText(c)
		}
		if r.Head {
			line[0] = bold(r.Name().Text)
			if u := r.Name().Under; len(u) > 0 {
				line[0] += " " + escape(strings.Join(u, "; "))
			}
		}
		if r.Absent != nil {
			line[1] = absence(*r.Absent)
		}
		for _, s := range r.Remarks {
			line[0] = join("; ", line[0], escape(s.Text))
		}
		rows = append(rows, line)
	}
	p.table(header, right, rows)
	if t.Legend != "" {
		p.block(paragraph(t.Legend))
	}
}

func bold(text string) string {
	if text == "" {
		return ""
	}
	return "**" + escape(text) + "**"
}

// cellText formats one cell: 243k IOPS (240k to 246k) [1]. Rejected figures are
// struck out and marked.
func cellText(c block.Cell) string {
	if c.Absent != nil {
		return absence(*c.Absent)
	}
	if c.Self {
		return "–"
	}
	text := escape(c.Text)
	if f := c.Figure; f != nil {
		if f.Rejected {
			text = "✗ ~~" + text + "~~"
		}
		switch f.Odd {
		case "worse":
			text = "▼ " + text
		case "better":
			text = "▲ " + text
		}
		text = join(" ", text, escape(reach(*f, c.Text)), escape(f.Count))
	}
	if len(c.Under) > 0 {
		text = join(" · ", text, escape(strings.Join(c.Under, " · ")))
	}
	return join(" ", text, cited(c.Notes))
}

func cited(notes []int) string {
	if len(notes) == 0 {
		return ""
	}
	return "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(notes), " ", ", "), "[]") + "]"
}

// reach returns the interval in words, without the unit if the text before it
// has the same: "(240k to 246k)". Brackets are left to footnotes.
func reach(f block.Figure, text string) string {
	low, high, found := strings.Cut(strings.Trim(f.Interval, "[]"), ", ")
	if !found {
		return f.Spread
	}
	if _, unit, has := strings.Cut(text, " "); has {
		shortLow, okLow := strings.CutSuffix(low, " "+unit)
		shortHigh, okHigh := strings.CutSuffix(high, " "+unit)
		if okLow && okHigh {
			low, high = shortLow, shortHigh
		}
	}
	return "(" + low + " to " + high + ")"
}

func absence(a block.Absent) string {
	text := escape(strings.TrimSuffix(a.Word+": "+a.Why, ": "))
	if a.Hint != "" {
		text += "; hint: " + escape(a.Hint)
	}
	return text
}

func (p *page) values(v block.Values) {
	var rows [][]string
	right := false
	for _, g := range v.Groups {
		title := escape(g.Title)
		for _, item := range g.Items {
			right = right || item.Cell.Figure != nil
			rows = append(rows, []string{title, escape(item.Name), cellText(item.Cell)})
			title = "" // said once
		}
	}
	if len(rows) > 0 {
		p.table([]string{"", "", ""}, []bool{false, false, right}, rows)
	}
}

// bars writes the figures; columns that no bar needs are left out.
func (p *page) bars(b block.Bars) {
	grouped, asides := false, false
	for _, bar := range b.Bars {
		grouped, asides = grouped || bar.Group != "", asides || bar.Aside != ""
	}
	t := block.Table{Title: b.Title, Columns: []block.Column{{}, {Right: true}}, Grouped: grouped}
	if grouped {
		t.Columns = append([]block.Column{{}}, t.Columns...)
	}
	for _, bar := range b.Bars {
		cells := []block.Cell{{Text: bar.Title}, withAbsence(bar)}
		if grouped {
			cells = append([]block.Cell{{Text: bar.Group}}, cells...)
		}
		if asides {
			cells = append(cells, block.Cell{Text: bar.Aside})
		}
		t.Rows = append(t.Rows, block.Row{Cells: cells})
	}
	p.cells(t)
}

func withAbsence(b block.Bar) block.Cell {
	c := b.Cell
	if c.Absent == nil {
		c.Absent = b.Absent
	}
	return c
}

// lines writes what a reader would take from each line of a plot.
func (p *page) lines(plot block.Plot) {
	p.block(join(" · ", bold(plot.Title), escape(plot.Aside)))
	var items []string
	for _, l := range plot.Lines {
		items = append(items, join(": ", l.Title, l.Words))
	}
	p.items(items)
}

// lanes writes what a reader would take from each lane.
func (p *page) lanes(b block.Lanes) {
	var items []string
	for _, l := range b.Lanes {
		items = append(items, join(": ", l.Title, l.Words))
	}
	if b.Title != "" {
		p.block(bold(b.Title))
	}
	p.items(items)
}

func (p *page) timeline(t block.Timeline) {
	var items []string
	for _, s := range t.Series {
		if s.Title == "" {
			s.Title = t.Title
		}
		items = append(items, join(": ", s.Title, s.Range))
	}
	if title := join(" · ", bold(t.Title), escape(t.Aside)); title != "" && len(items) > 0 {
		p.block(title)
	}
	p.items(items)
}

// links says what stands out among the paths between hosts.
func (p *page) links(b block.Links) {
	if len(b.Said) == 0 {
		return
	}
	p.block(join(" · ", bold(b.Title), escape(b.Aside)))
	var said []string
	for _, s := range b.Said {
		said = append(said, "- "+point(s))
	}
	p.block(said...)
}
