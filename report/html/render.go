package html

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	g "maragu.dev/gomponents"

	"assay/report/block"
)

// Render writes a document as one self-contained HTML page. Points that are not
// numbers are left out of the plots. The errors are those of w.
func Render(w io.Writer, d block.Document) error {
	return renderWith(w, d, built(dist))
}

func renderWith(w io.Writer, d block.Document, b bundle) error {
	p, err := newDocumentPage(d.Printable(), b)
	if err == nil {
		var out bytes.Buffer
		if err = p.markup().Render(&out); err == nil {
			_, err = w.Write(out.Bytes())
		}
	}
	if err != nil {
		return fmt.Errorf("write the HTML page: %w", err)
	}
	return nil
}

// documentPage is the page around the blocks.
type documentPage struct {
	Title    string
	Policy   string
	Script   string // "" in a build without the bundle
	Data     string // JSON
	Licences string
	About    string
	Tally    []pointView
	Parts    []part
	Body     string // HTML
	Plots    bool
}

// part is a heading that the contents link to.
type part struct{ Anchor, Text string }

func newDocumentPage(d block.Document, b bundle) (documentPage, error) {
	p := painter{noted: map[int]bool{}, rows: map[int]string{}}
	p.collect(d.Blocks)
	p.points = pointsEach(p.series)
	p.blocks(d.Blocks)
	if p.drawings == nil {
		p.drawings = []any{}
	}
	data, err := json.Marshal(map[string]any{"plots": p.drawings})
	page := documentPage{
		Policy: policy(b.script), Script: b.script,
		Data:     string(data), // encoding/json has escaped what could end the element
		Licences: b.licences, Plots: len(p.drawings) > 0, About: strings.Join(d.About, " · "), Parts: p.parts,
		Body: p.out.String(),
	}
	page.Title = cmp.Or(d.Title, d.Name, "assay")
	for _, s := range d.Tally {
		page.Tally = append(page.Tally, newPoint(s))
	}
	return page, err
}

// painter turns blocks into HTML.
type painter struct {
	out      bytes.Buffer
	noted    map[int]bool   // existing footnotes: others are not linked
	rows     map[int]string // anchors of the rows that cite them first
	worst    []string       // columns with a figure worse than the others'
	anchors  int
	parts    []part
	open     bool // a section is
	drawings []any
	series   int // lines on the page
	points   int // per line, at most

	explained bool // how warm-ups are drawn
}

// collect looks ahead for the existing footnotes, the columns that stand out, and
// the number of lines drawn.
func (p *painter) collect(all block.Blocks) {
	for _, b := range all {
		switch b := b.(type) {
		case block.Footnotes:
			for _, n := range b.Notes {
				p.noted[n.Number] = true
			}
		case block.Details:
			p.collect(b.Blocks)
		case block.Table:
			p.compare(b)
		case block.Plot:
			p.series += len(b.Lines)
		case block.Timeline:
			p.series += len(b.Series)
		}
	}
}

// compare notes the columns of a table in which some figure is worse.
func (p *painter) compare(t block.Table) {
	if !t.Wide {
		return
	}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c.Figure != nil && c.Figure.Odd == "worse" && i < len(t.Columns) && !slices.Contains(p.worst, t.Columns[i].Heading) {
				p.worst = append(p.worst, t.Columns[i].Heading)
			}
		}
	}
}

// paint writes markup. Writing to a buffer does not fail.
func (p *painter) paint(node g.Node) { _ = node.Render(&p.out) }

func (p *painter) anchor() string {
	p.anchors++
	return fmt.Sprintf("part-%d", p.anchors)
}

// blocks paints blocks in sections: each first-level heading begins one.
func (p *painter) blocks(all block.Blocks) {
	p.inside(all)
	if p.open {
		p.out.WriteString("</section>\n")
		p.open = false
	}
}

func (p *painter) inside(all block.Blocks) {
	for i := 0; i < len(all); {
		if n := run(all[i:], isPoint); n > 0 {
			var views []pointView
			for _, b := range all[i : i+n] {
				views = append(views, newPoint(b.(block.Sentence)))
			}
			p.paint(pointsMarkup(views))
			i += n
			continue
		}
		if n := run(all[i:], is[block.Plot]); n > 1 {
			p.beside("pair", all[i:i+n])
			for _, b := range all[i : i+n] {
				p.numbers(b.(block.Plot))
			}
			i += n
			continue
		}
		if n := run(all[i:], is[block.Matrix]); n > 0 {
			p.beside("maps", all[i:i+n])
			i += n
			continue
		}
		if n := run(all[i:], is[block.Links]); n > 1 {
			p.beside("pair", all[i:i+n])
			i += n
			continue
		}
		p.block(all[i])
		if plot, drawn := all[i].(block.Plot); drawn {
			p.numbers(plot)
		}
		i++
	}
}

// run counts the leading blocks that are alike.
func run(all block.Blocks, alike func(block.Block) bool) (n int) {
	for n < len(all) && alike(all[n]) {
		n++
	}
	return n
}

func isPoint(b block.Block) bool {
	s, is := b.(block.Sentence)
	return is && (s.Is != "" || s.Word != "")
}

func is[B block.Block](b block.Block) bool {
	_, yes := b.(B)
	return yes
}

// beside paints blocks side by side where there is room.
func (p *painter) beside(class string, all block.Blocks) {
	fmt.Fprintf(&p.out, "<div class=%q>\n", class)
	for _, b := range all {
		p.block(b)
	}
	p.out.WriteString("</div>\n")
}

func (p *painter) block(b block.Block) {
	switch b := b.(type) {
	case block.Heading:
		p.heading(b)
	case block.Details:
		outer := p.out
		p.out = bytes.Buffer{}
		p.inside(b.Blocks)
		inside := p.out.String()
		p.out = outer
		p.paint(detailsMarkup(b, inside))
	case block.Annotated:
		p.paint(newAnnotated(b, p.anchor()).markup())
	case block.Footnotes:
		p.paint(footnotesMarkup(p.notes(b)))
	case block.Table:
		p.paint(p.table(b).markup())
	case block.Matrix:
		p.paint(p.heatMap(b).matrixMarkup())
	case block.Links:
		p.paint(newLinks(b).markup())
	case block.Values:
		p.paint(valuesMarkup(p.values(b)))
	case block.Bars:
		p.paint(p.bars(b).markup())
	case block.Intervals:
		p.paint(newForest(b).markup())
	case block.Lanes:
		p.paint(lanesMarkup(b))
	case block.Plot:
		p.plot(b)
	case block.Timeline:
		p.timeline(b)
	case block.Sentence:
		p.paint(sentenceMarkup(b))
	case block.List:
		p.paint(listMarkup("open", b.Items))
	case block.Code:
		p.paint(codeMarkup(b))
	}
}

func (p *painter) heading(h block.Heading) {
	anchor := p.anchor()
	size := min(max(h.Level, 1), 3) + 1
	if size == 2 {
		if p.open {
			p.out.WriteString("</section>\n\n")
		}
		p.open = true
		fmt.Fprintf(&p.out, "<section aria-labelledby=%q>\n", anchor)
		p.parts = append(p.parts, part{anchor, h.Text})
	}
	p.paint(headingMarkup(h, size, anchor))
}

// pointView is a sentence with its word and its icon.
type pointView struct {
	block.Sentence
	Class, Icon, Label string
}

func newPoint(s block.Sentence) pointView {
	v := pointView{Sentence: s, Class: kindOf(string(s.Is)), Icon: iconOf(string(s.Is)), Label: s.Word}
	if v.Label == "" {
		v.Label = string(s.Is)
	}
	return v
}

// noteView is what several footnotes share, and each of them.
type noteView struct {
	block.Footnote
	Class, Icon string
	Each        []eachNote
}

type eachNote struct {
	block.Footnote
	Row string // anchor of the row that cites it; "" where none does
}

func (p *painter) notes(f block.Footnotes) []noteView {
	var all []noteView
	for _, n := range f.Notes {
		if n.Text != "" || len(all) == 0 {
			all = append(all, noteView{Footnote: n, Class: kindOf(string(n.Is)), Icon: iconOf(string(n.Is))})
		}
		last := &all[len(all)-1]
		last.Each = append(last.Each, eachNote{n, p.rows[n.Number]})
	}
	return all
}
