package html

import (
	"bytes"
	"cmp"
	_ "embed" // of the template
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"assay/report/block"
)

//go:embed document.tmpl
var documentSource string

// document is the template of a page, and of each kind of block under its name.
var document = sync.OnceValue(func() *template.Template {
	return template.Must(parsePage().New("blocks").Parse(documentSource))
})

// Render writes a document as one HTML page that needs nothing else. Points that
// are no number are left out of the plots. The errors are those of w.
func Render(w io.Writer, d block.Document) error {
	return renderWith(w, d, built(dist))
}

func renderWith(w io.Writer, d block.Document, b bundle) error {
	p, err := newDocumentPage(d, b)
	if err == nil {
		var out bytes.Buffer
		if err = document().ExecuteTemplate(&out, "document", p); err == nil {
			_, err = w.Write(out.Bytes())
		}
	}
	if err != nil {
		return fmt.Errorf("write the HTML page: %w", err)
	}
	return nil
}

// documentPage is what the template sees.
type documentPage struct {
	Title    string
	Policy   string
	Style    template.CSS
	Script   template.JS // "" in a build without the bundle
	Data     template.JS
	Licences string
	About    string
	Tally    []pointView
	Parts    []part
	Body     template.HTML
	Plots    bool
}

// part is a heading that the contents lead to.
type part struct{ Anchor, Text string }

func newDocumentPage(d block.Document, b bundle) (documentPage, error) {
	p := painter{noted: map[int]bool{}}
	p.collect(d.Blocks)
	p.points = pointsEach(p.series)
	p.blocks(d.Blocks)
	if p.err != nil {
		return documentPage{}, p.err
	}
	if p.drawings == nil {
		p.drawings = []any{}
	}
	data, err := json.Marshal(map[string]any{"plots": p.drawings})
	page := documentPage{
		Policy: policy(b.script), Style: template.CSS(style), Script: template.JS(b.script), //nolint:gosec // our own files, embedded at build
		Data:     template.JS(data), //nolint:gosec // encoding/json has escaped what could end the element
		Licences: b.licences, Plots: len(p.drawings) > 0, About: strings.Join(d.About, " · "), Parts: p.parts,
		Body: template.HTML(p.out.String()), //nolint:gosec // made by templates, which have escaped every text
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
	err      error
	noted    map[int]bool // footnotes that there are: others are not linked
	anchors  int
	parts    []part
	open     bool // a section is
	drawings []any
	series   int // lines on the page
	points   int // that each line may have
}

// collect looks ahead: which footnotes there are, and how many lines are drawn.
func (p *painter) collect(all block.Blocks) {
	for _, b := range all {
		switch b := b.(type) {
		case block.Footnotes:
			for _, n := range b.Notes {
				p.noted[n.Number] = true
			}
		case block.Details:
			p.collect(b.Blocks)
		case block.Plot:
			p.series += len(b.Lines)
		case block.Timeline:
			p.series += len(b.Series)
		}
	}
}

func (p *painter) exec(name string, data any) {
	if p.err == nil {
		p.err = document().ExecuteTemplate(&p.out, name, data)
	}
}

func (p *painter) anchor() string {
	p.anchors++
	return fmt.Sprintf("part-%d", p.anchors)
}

// blocks paints blocks in sections: a heading of the first level begins one.
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
			p.exec("points", views)
			i += n
			continue
		}
		if n := run(all[i:], isDrawn); n > 0 {
			if n > 1 {
				p.out.WriteString("<div class=\"pair\">\n")
			}
			for _, b := range all[i : i+n] {
				p.block(b)
			}
			if n > 1 {
				p.out.WriteString("</div>\n")
			}
			i += n
			continue
		}
		p.block(all[i])
		i++
	}
}

// run counts the blocks at the beginning that are alike.
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

func isDrawn(b block.Block) bool {
	switch b := b.(type) {
	case block.Plot:
		return true
	case block.Timeline:
		return b.Joined
	}
	return false
}

func (p *painter) block(b block.Block) {
	switch b := b.(type) {
	case block.Heading:
		p.heading(b)
	case block.Details:
		outer := p.out
		p.out = bytes.Buffer{}
		p.inside(b.Blocks)
		inside := template.HTML(p.out.String()) //nolint:gosec // made by templates, which have escaped every text
		p.out = outer
		p.exec("details", struct {
			block.Details
			Inside template.HTML
		}{b, inside})
	case block.Footnotes:
		p.exec("footnotes", newNotes(b))
	case block.Table:
		p.exec("table", p.table(b, "figures"))
	case block.Matrix:
		p.exec("table", p.table(b.Table(), "side map"))
	case block.Values:
		p.exec("values", p.values(b))
	case block.Bars:
		p.exec("bars", p.bars(b))
	case block.Intervals:
		p.exec("intervals", newForest(b))
	case block.Plot:
		p.plot(b)
	case block.Timeline:
		p.timeline(b)
	default: // what needs no view of its own
		p.exec(b.Kind(), b)
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
	p.exec("heading", struct {
		block.Heading
		Size   int
		Anchor string
	}{h, size, anchor})
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

// noteView is what several footnotes have in common, and each of them.
type noteView struct {
	block.Footnote
	Class, Icon string
	Each        []block.Footnote
}

func newNotes(f block.Footnotes) []noteView {
	var all []noteView
	for _, n := range f.Notes {
		if n.Text != "" || len(all) == 0 {
			all = append(all, noteView{Footnote: n, Class: kindOf(string(n.Is)), Icon: iconOf(string(n.Is))})
		}
		last := &all[len(all)-1]
		last.Each = append(last.Each, n)
	}
	return all
}
