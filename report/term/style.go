package term

import (
	"bytes"
	"strings"
)

// style is an SGR parameter for the terminal's own sixteen colours, so that
// themes apply.
type style string

const (
	plain  style = ""
	strong style = "1"
	dim    style = "2"
	red    style = "1;31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
	cyan   style = "36"
)

// line is a text in one style.
type line struct {
	text  string
	style style
}

// box is the lines of one cell.
type box []line

func styled(s style, texts ...string) box {
	var b box
	for _, t := range texts {
		b = append(b, line{t, s})
	}
	return b
}

// page collects the lines of a report.
type page struct {
	bytes.Buffer
	columns int
	color   bool
}

// paint applies a style to a text, if there is colour.
func (p *page) paint(s string, st style) string {
	if !p.color || st == plain || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// put writes one line made of pieces.
func (p *page) put(pieces ...line) {
	// Draw nothing after the last piece that holds more than spaces.
	for len(pieces) > 0 && strings.TrimSpace(pieces[len(pieces)-1].text) == "" {
		pieces = pieces[:len(pieces)-1]
	}
	for i, l := range pieces {
		if i == len(pieces)-1 {
			l.text = strings.TrimRight(l.text, " ")
		}
		p.WriteString(p.paint(l.text, l.style))
	}
	p.WriteByte('\n')
}

// prose returns the width at which sentences wrap: longer lines are hard to
// follow.
func (p *page) prose() int { return min(p.columns, 110) }

// say writes wrapped prose, each line indented.
func (p *page) say(text, indent string, st style) {
	for _, l := range wrap(clean(text), p.prose()-width(indent)) {
		p.put(line{indent, plain}, line{l, st})
	}
}

// hang writes wrapped prose after a mark; further lines are indented as far.
func (p *page) hang(mark line, text string, st style) {
	for _, l := range wrap(clean(text), p.prose()-width(mark.text)) {
		p.put(mark, line{l, st})
		mark = line{strings.Repeat(" ", width(mark.text)), plain}
	}
}

// rule writes a heading with a line that fills the width.
func (p *page) rule(title string) {
	p.put()
	lines := wrap(clean(title), p.columns)
	for i, l := range lines {
		rest := p.columns - width(l) - 1
		if i < len(lines)-1 || rest < 1 {
			p.put(line{l, strong})
			continue
		}
		p.put(line{l, strong}, line{" " + strings.Repeat("─", rest), dim})
	}
}
