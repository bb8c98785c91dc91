package table

import (
	"strings"

	"assay/internal/lazyregexp"
)

// grid is a table as it stands in a text: a header and rows of the same length.
type grid struct {
	line   int // of the header
	header []string
	rows   []gridRow
	above  context
}

type gridRow struct {
	line  int
	cells []string
}

var (
	pipeRule  = lazyregexp.New(`^\s*\|?(\s*:?-{2,}:?\s*\|)+\s*(:?-{2,}:?)?\s*\|?\s*$`)
	plainRule = lazyregexp.New(`^\s*[-=_─━]{3,}[-=_─━+\s]*$`)
	gap       = lazyregexp.New(`\s{2,}|\t+`)
	boxes     = strings.NewReplacer("│", "|", "┃", "|", "║", "|", "┊", "|")
	markup    = lazyregexp.New(`\*\*|__|` + "`" + `|<[^<>]{1,80}>|\{\{[^{}]{0,200}\}\}|!?\[([^\[\]]{0,120})\]\([^()]{0,300}\)`)
)

// clean takes Markdown's marks off a cell.
func clean(cell string) string {
	if strings.ContainsAny(cell, "*_`<{[") {
		cell = markup.ReplaceAllString(cell, "$1")
	}
	return strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(cell), "*")), " ")
}

// grids returns the tables of a text, in order.
func grids(lines []string) []grid {
	var all []grid
	var above context
	for i := 0; i < len(lines); {
		if g, next, ok := gridAt(lines, i, above); ok {
			all = append(all, g)
			i = next
			continue
		}
		above.read(lines[i])
		i++
	}
	return all
}

// gridAt reads the table that begins on line i and returns the line after it.
func gridAt(lines []string, i int, above context) (grid, int, bool) {
	for _, form := range []func([]string, int) (grid, int, bool){pipeGrid, htmlGrid, wideGrid, tightGrid} {
		if g, next, ok := form(lines, i); ok {
			g.above = above.copied()
			return g, next, true
		}
	}
	return grid{}, 0, false
}

// pipeGrid reads a table in Markdown or drawn with box characters.
func pipeGrid(lines []string, i int) (grid, int, bool) {
	if i+1 >= len(lines) || !strings.Contains(lines[i], "|") || !pipeRule.MatchString(lines[i+1]) || !strings.Contains(lines[i+1], "|") {
		return grid{}, 0, false
	}
	g := grid{line: i + 1, header: pipeCells(lines[i])}
	next := i + 2
	for ; next < len(lines) && strings.Contains(boxes.Replace(lines[next]), "|"); next++ {
		if cells := pipeCells(boxes.Replace(lines[next])); len(cells) == len(g.header) {
			g.rows = append(g.rows, gridRow{next + 1, cells})
		}
	}
	return g, next, len(g.header) > 1 && len(g.rows) > 0
}

func pipeCells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var cells []string
	for _, c := range strings.Split(line, "|") {
		cells = append(cells, clean(c))
	}
	return cells
}

// wideGrid reads columns at least two blanks apart, under a header with a rule
// below it.
func wideGrid(lines []string, i int) (grid, int, bool) {
	if i+2 >= len(lines) || !plainRule.MatchString(lines[i+1]) {
		return grid{}, 0, false
	}
	g := grid{line: i + 1, header: wideCells(lines[i])}
	if len(g.header) < 2 {
		return grid{}, 0, false
	}
	next := i + 2
	for ; next < len(lines); next++ {
		cells := wideCells(lines[next])
		if len(cells) != len(g.header) {
			break
		}
		g.rows = append(g.rows, gridRow{next + 1, cells})
	}
	return g, next, len(g.rows) > 0
}

func wideCells(line string) []string {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	var cells []string
	for _, c := range gap.Split(line, -1) {
		cells = append(cells, clean(c))
	}
	return cells
}

// tightGrid reads what a PDF makes of a table: a header made only of measures
// with units, one blank apart, and rows that end in that many numbers. Blank
// lines between rows do not end it.
func tightGrid(lines []string, i int) (grid, int, bool) {
	if !numbersFollow(lines, i) {
		return grid{}, 0, false
	}
	measures := tightHeader(lines[i])
	if len(measures) < 2 {
		return grid{}, 0, false
	}
	g := grid{line: i + 1, header: append([]string{""}, measures...)}
	next, last := i+1, i
	for ; next < len(lines) && next-last < 3; next++ {
		words := strings.Fields(lines[next])
		if len(words) == 0 {
			continue
		}
		cells, ok := tightRow(words, len(measures))
		if !ok {
			break
		}
		g.rows = append(g.rows, gridRow{next + 1, cells})
		last = next
	}
	return g, last + 1, len(g.rows) > 1
}

// numbersFollow reports whether the next non-blank line ends in a number, like the
// rows of a table without rules. Prose hardly ever does.
func numbersFollow(lines []string, i int) bool {
	for next := i + 1; next < len(lines) && next-i < 3; next++ {
		if line := strings.TrimSpace(lines[next]); line != "" {
			line = strings.TrimSuffix(line, ".")
			return line != "" && line[len(line)-1] >= '0' && line[len(line)-1] <= '9'
		}
	}
	return false
}

// tightHeader splits a header into measures; nil if it holds anything else.
func tightHeader(line string) []string {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 24 {
		return nil
	}
	var all []string
	for len(words) > 0 {
		took := 0
		for n := min(4, len(words)); n > 0; n-- { // the longest first
			p := readPhrase(strings.Join(words[:n], " "))
			if p.measures() == 1 && p.whole() && (p.unit != "" || p.measure == "iops") {
				took = n
				break
			}
		}
		if took == 0 {
			return nil
		}
		all, words = append(all, strings.Join(words[:took], " ")), words[took:]
	}
	return all
}

func tightRow(words []string, n int) ([]string, bool) {
	if len(words) <= n {
		return nil, false
	}
	cut := len(words) - n
	for _, w := range words[cut:] {
		if _, err := number(w); err != nil {
			return nil, false
		}
	}
	return append([]string{clean(strings.Join(words[:cut], " "))}, words[cut:]...), true
}
