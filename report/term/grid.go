package term

import (
	"slices"
	"strings"

	"assay/report"
)

// shape is how the parts of a row lie to each other.
type shape int

const (
	oneLine  shape = iota // title, settings, and each value with its spread behind it
	twoLines              // settings under the title, spread under the value
	headed                // title and settings on a line of their own, then as twoLines
)

// layout is one way to set the rows of a table as a grid.
type layout struct {
	kinds []kind
	shape shape

	text   int   // columns for titles, and what is under them
	beside int   // oneLine: columns for settings
	spark  int   // columns for the repeats, 0 for none
	values []int // columns of each kind
	trails []int // oneLine: columns of spread and marks
}

// fit measures the grid; false where it is too wide.
func (l *layout) fit(t table, columns int) bool {
	l.values, l.trails = make([]int, len(l.kinds)), make([]int, len(l.kinds))
	for i, k := range l.kinds {
		for _, word := range strings.Fields(k.label) {
			l.values[i] = max(l.values[i], width(word))
		}
	}
	for _, r := range t.rows {
		l.measure(t, r)
	}
	over := total(l.columns()) - columns
	if l.shape == headed && over < 0 {
		l.text += min(-over, 14) // so that titles stand out to the left
	}
	// A title may wrap in a column of some width; one line that wraps is none.
	if l.shape == twoLines && over > 0 {
		take := min(over, max(l.text-36, 0))
		l.text, over = l.text-take, over-take
	}
	return over <= 0
}

// measure widens the columns for one row.
func (l *layout) measure(t table, r report.Row) {
	all := layers(r, l.kinds)
	title, settings := width(titleOf(r)), width(t.settings(r))
	if len(all) > 1 {
		title += width(", " + layerName(all[0]))
	}
	switch l.shape {
	case oneLine:
		l.text, l.beside = max(l.text, min(title, 44)), max(l.beside, min(settings, 52))
	case twoLines:
		l.text = max(l.text, min(title, 44), min(settings+2, 44))
	case headed:
		for _, layer := range all {
			if len(all) > 1 {
				l.text = max(l.text, 2+width(layerName(layer)))
			}
		}
	}
	for _, layer := range all {
		for i, f := range layer {
			switch {
			case f == nil:
			case l.shape == oneLine:
				l.values[i] = max(l.values[i], width(value(*f)))
				l.trails[i] = max(l.trails[i], width(trail(*f)))
			default:
				l.values[i] = max(l.values[i], width(value(*f)), width(spread(*f)), width(marks(*f)))
			}
		}
	}
	if len(r.Figures) > 0 && len(r.Figures[0].Repeats) > 1 {
		// Twelve repeats are all that an eye takes in; more are averaged.
		l.spark = max(l.spark, min(len(r.Figures[0].Repeats), 12), len("repeats"))
	}
}

func (l *layout) columns() []column {
	cols := []column{{width: l.text}}
	if l.beside > 0 {
		cols = append(cols, column{gap: 2, width: l.beside})
	}
	if l.spark > 0 {
		cols = append(cols, column{gap: 2, width: l.spark})
	}
	for i, w := range l.values {
		cols = append(cols, column{gap: 2, width: w, right: true})
		if l.trails[i] > 0 {
			cols = append(cols, column{gap: 1, width: l.trails[i]})
		}
	}
	return cols
}

func (p *page) grid(t table, l layout) {
	cols := l.columns()
	p.row(cols, l.header())
	for _, r := range t.rows {
		all := layers(r, l.kinds)
		if l.shape == headed {
			p.heading(t, r)
		} else if len(all) == 0 {
			all = [][]*report.Figure{nil}
		}
		for i, layer := range all {
			p.row(cols, l.blocks(l.words(t, r, layer, i, len(all)), layer))
		}
		if r.Absent != nil {
			p.absent(r, "  ")
		}
		p.afterRow(r, l.kinds)
	}
	if hidden := l.hidden(t); hidden != "" {
		p.say("also measured: "+hidden, "", dim)
	}
}

// words makes what is left of the figures of the i-th of n layers: the cell of
// the title, and in oneLine that of the settings.
func (l *layout) words(t table, r report.Row, layer []*report.Figure, i, n int) []box {
	name := ""
	if n > 1 {
		name = layerName(layer)
	}
	if l.shape == headed || i > 0 {
		text := box(nil)
		if name != "" {
			text = styled(plain, "  "+name)
		}
		if l.beside > 0 {
			return []box{text, nil}
		}
		return []box{text}
	}
	text := styled(plain, wrap(join(", ", titleOf(r), name), l.text)...)
	switch {
	case l.beside > 0:
		return []box{text, styled(dim, wrap(t.settings(r), l.beside)...)}
	case l.shape == twoLines:
		for _, s := range wrap(t.settings(r), l.text-2) {
			text = append(text, line{"  " + s, dim})
		}
	}
	return []box{text}
}

// blocks puts the figures of one layer behind its words.
func (l *layout) blocks(words []box, layer []*report.Figure) []box {
	blocks := words
	if l.spark > 0 {
		var repeats box
		if i := slices.IndexFunc(layer, func(f *report.Figure) bool { return f != nil }); i >= 0 && len(layer[i].Repeats) > 1 {
			repeats = styled(cyan, sparkRepeats(fewer(layer[i].Repeats, l.spark)))
		}
		blocks = append(blocks, repeats)
	}
	for i := range l.kinds {
		var number, behind box
		if i < len(layer) && layer[i] != nil {
			number, behind = l.figure(*layer[i])
		}
		blocks = append(blocks, number)
		if l.trails[i] > 0 {
			blocks = append(blocks, behind)
		}
	}
	return blocks
}

// figure makes the cell of a value, and in oneLine the one behind it.
func (l *layout) figure(f report.Figure) (number, behind box) {
	number = styled(valueStyle(f), value(f))
	if l.shape == oneLine {
		return number, styled(trailStyle(f), trail(f))
	}
	if s := spread(f); s != "" {
		number = append(number, line{s, dim})
	}
	if m := marks(f); m != "" {
		number = append(number, line{m, yellow})
	}
	return number, nil
}

// header sets each heading over its values, flush at the bottom.
func (l *layout) header() []box {
	blocks := []box{nil}
	if l.beside > 0 {
		blocks = append(blocks, nil)
	}
	if l.spark > 0 {
		blocks = append(blocks, styled(dim, "repeats"))
	}
	for i, k := range l.kinds {
		blocks = append(blocks, styled(dim, wrap(k.label, l.values[i])...))
		if l.trails[i] > 0 {
			blocks = append(blocks, nil)
		}
	}
	height := 0
	for _, b := range blocks {
		height = max(height, len(b))
	}
	for i, b := range blocks {
		blocks[i] = append(make(box, height-len(b)), b...)
	}
	return blocks
}

// hidden names the kinds that had no room.
func (l *layout) hidden(t table) string {
	var names []string
	for _, k := range t.kinds {
		if !slices.Contains(l.kinds, k) {
			names = append(names, k.label)
		}
	}
	return strings.Join(names, ", ")
}

// trail is what stands behind a value.
func trail(f report.Figure) string { return join(" ", spread(f), marks(f)) }

func trailStyle(f report.Figure) style {
	if len(f.Footnotes) > 0 {
		return yellow
	}
	return dim
}

// fewer averages neighbours until there are at most n values.
func fewer(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	points := make([][2]float64, len(values))
	for i, v := range values {
		points[i] = [2]float64{float64(i), v}
	}
	return resample(points, n)
}
