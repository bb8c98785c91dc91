package term

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"assay/report/block"
)

// Options says how to show a document.
type Options struct {
	// Width is the number of columns; 0 means 80, and less than 40 means 40.
	Width int
	// Color allows colour. The caller decides, by terminal and NO_COLOR.
	Color bool
}

func newPage(o Options) *page {
	p := &page{columns: o.Width, color: o.Color}
	if p.columns <= 0 {
		p.columns = 80
	}
	p.columns = max(p.columns, 40)
	return p
}

// Render prints the whole document at once. The error is w's.
func Render(w io.Writer, d block.Document, o Options) error {
	d = d.Printable()
	p := newPage(o)
	if d.Title != "" {
		for _, l := range wrap(clean(d.Title), p.columns) {
			p.put(line{l, strong})
		}
	}
	p.say(strings.Join(d.About, " · "), "", dim)
	p.blocks(d.Blocks)
	_, err := w.Write(p.Bytes())
	return err
}

// styles maps kinds to styles.
var styles = map[block.Kind]style{block.Good: green, block.Bad: red, block.Doubt: yellow, block.Limit: cyan, block.Next: blue}

func (p *page) blocks(all block.Blocks) {
	var last block.Block
	for i := 0; i < len(all); i++ {
		b := all[i]
		if silent(b) {
			continue
		}
		if p.Len() > 0 && apartFrom(last, b) {
			p.put()
		}
		last = b
		switch b := b.(type) {
		case block.Heading:
			p.title(b)
		case block.Sentence:
			n := points(all[i:])
			if n == 0 {
				p.paragraph(b)
				continue
			}
			p.sentences(all[i : i+n])
			i += n - 1
		case block.List:
			for _, text := range b.Items {
				p.hang(line{"  - ", yellow}, text, plain)
			}
		case block.Code:
			for _, l := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
				p.put(line{"  " + l, plain})
			}
		case block.Details:
			if b.Brief != "" {
				p.say(b.Brief, "", dim)
				continue
			}
			p.put(line{clean(b.Summary), strong})
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
			p.bars(b)
		case block.Intervals:
			p.intervals(b)
		case block.Lanes:
			p.lanes(b)
		case block.Plot:
			p.plot(b)
		case block.Timeline:
			p.timelines(b)
		}
	}
}

// apartFrom reports whether an empty line separates a block from the one before
// it.
func apartFrom(last, b block.Block) bool {
	switch last := last.(type) {
	case block.Heading:
		return false
	case block.Sentence:
		if last.Quiet {
			return false
		}
	case block.Values, block.Plot, block.Timeline, block.Bars:
		if s, is := b.(block.Sentence); is && isPoint(s) {
			return false
		}
		if last.Kind() == b.Kind() {
			return b.Kind() == block.Bars{}.Kind()
		}
	}
	if h, is := b.(block.Heading); is {
		return h.Level > 1 // a rule adds its own
	}
	d, folded := b.(block.Details)
	return !folded || d.Brief == "" || d.Apart
}

// silent reports whether a block is left out: tables have its figures.
func silent(b block.Block) bool {
	switch b := b.(type) {
	case block.Plot:
		return b.Told
	case block.Intervals:
		return b.Told
	}
	return false
}

func isPoint(s block.Sentence) bool { return s.Is != "" || s.Word != "" }

// points counts the leading sentences that are points of one list.
func points(all block.Blocks) (n int) {
	for _, b := range all {
		if s, is := b.(block.Sentence); !is || !isPoint(s) {
			break
		}
		n++
	}
	return n
}

func (p *page) title(h block.Heading) {
	if h.Level <= 1 {
		p.rule(join(" · ", clean(h.Text), clean(h.Aside)))
		return
	}
	p.strong(h.Text, h.Aside)
}

// strong writes a title, with a dimmer aside after it or below it.
func (p *page) strong(title, aside string) {
	title, aside = clean(title), clean(aside)
	if title != "" && aside != "" && width(title)+3+width(aside) <= p.columns {
		p.put(line{title, strong}, line{" · " + aside, dim})
		return
	}
	indent := ""
	for _, l := range wrap(title, p.columns) {
		p.put(line{l, strong})
		indent = "  "
	}
	p.say(aside, indent, dim)
}

func (p *page) paragraph(s block.Sentence) {
	st := plain
	if s.Quiet {
		st = dim
	}
	p.say(s.Text, "", st)
	p.say(s.Sum, "  ", dim)
	p.next(s.Advice, "  ")
}

// sentences writes sentences after their words.
func (p *page) sentences(all block.Blocks) {
	var words []string
	word := func(s block.Sentence) string {
		return cmp.Or(s.Word, string(s.Is))
	}
	for _, b := range all {
		words = append(words, word(b.(block.Sentence)))
	}
	longest := max(widest(words, max(16, p.columns/4)), 5)
	for _, b := range all {
		s := b.(block.Sentence)
		mark := p.titled(word(s), longest, styles[s.Is])
		indent := strings.Repeat(" ", width(mark.text))
		p.hang(mark, s.Text, plain)
		p.say(s.Sum, indent, dim)
		p.next(s.Advice, indent)
	}
}

// widest returns the width of the widest title that has room in a column.
func widest(titles []string, room int) int {
	n := 0
	for _, t := range titles {
		if w := width(clean(t)); w <= room {
			n = max(n, w)
		}
	}
	return n
}

// titled returns the column of a title. One without room there gets a line of its own:
// cut, it could be any of several names.
func (p *page) titled(title string, columns int, st style) line {
	title = clean(title)
	if width(title) > columns {
		for _, l := range wrap(title, p.columns-2) {
			p.put(line{"  " + l, st})
		}
		title = ""
	}
	return line{"  " + pad(title, columns, false) + "  ", st}
}

func (p *page) next(advice, indent string) {
	if advice != "" {
		// Long numbers must leave room for words.
		indent = indent[:min(len(indent), p.columns/2)]
		p.hang(line{indent + "next: ", dim}, advice, plain)
	}
}

// notes writes footnotes, each under the number that cites it; those that say
// the same follow their common text.
func (p *page) notes(f block.Footnotes) {
	digits := len(strconv.Itoa(len(f.Notes)))
	for i := 0; i < len(f.Notes); {
		end := i + 1
		for end < len(f.Notes) && f.Notes[end].Text == "" {
			end++
		}
		p.alike(f.Notes[i:end], digits)
		i = end
	}
}

// alike writes notes that share a text, which the first one has.
func (p *page) alike(notes []block.Footnote, digits int) {
	const indent = "         "
	first := notes[0]
	word := line{pad(clean(first.Word), 7, false) + "  ", styles[first.Is]}
	number := func(n block.Footnote) string { return pad(fmt.Sprintf("[%d]", n.Number), digits+2, true) + " " }
	if len(notes) == 1 && first.Text != "" {
		word.text = number(first) + word.text
		p.hang(word, join(" ", first.Text, "("+join("; ", first.About, first.Name)+")"), plain)
		behind := strings.Repeat(" ", width(word.text))
		p.say(first.Sum, behind, dim)
		p.next(join(" ", first.Advice, first.Shared), behind)
		return
	}
	if first.Text != "" {
		p.hang(word, join(" ", first.Text, "("+first.Name+")"), plain)
	}
	for _, n := range notes {
		p.hang(line{indent + number(n), styles[n.Is]}, join(": ", n.About, n.Sum), dim)
		p.next(n.Advice, indent+strings.Repeat(" ", width(number(n))))
	}
	p.next(first.Shared, indent)
}

// values writes a line for each group, so that what belongs together stays
// together.
func (p *page) values(v block.Values) {
	const most = 18
	widest := 0
	for _, g := range v.Groups {
		widest = max(widest, min(width(clean(g.Title)), most))
	}
	for _, g := range v.Groups {
		title := clean(g.Title)
		if width(title) > most {
			p.say(title, "", dim)
			title = ""
		}
		mark := line{"  " + pad(title, widest, false) + "  ", strong}
		if widest == 0 {
			mark.text = "  "
		}
		at := 0
		var pieces []line
		flush := func() {
			if len(pieces) > 0 {
				p.put(append([]line{mark}, pieces...)...)
				mark = line{strings.Repeat(" ", width(mark.text)), plain}
			}
			pieces, at = nil, 0
		}
		room := p.prose() - width(mark.text)
		for _, item := range g.Items {
			text := join(" ", clean(item.Name), join(" ", oneLineOf(item.Cell)))
			if at > 0 && at+width(text) > room {
				flush()
			}
			parts := wrap(text, room)
			for i, part := range parts {
				if i > 0 {
					flush()
				}
				pieces = append(pieces, line{part, cellStyle(item.Cell)}, line{"   ", plain})
				at += width(part) + 3
			}
		}
		flush()
	}
}
