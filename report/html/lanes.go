package html

import (
	"math"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"assay/report/block"
)

// leastStretch is the narrowest visible stretch: something is never drawn as
// nothing.
const leastStretch = .003

// lanesMarkup draws lanes above each other on a shared axis of seconds.
func lanesMarkup(b block.Lanes) g.Node {
	return g.Group{
		optional(h.P, b.Title, h.Class("note")),
		h.Div(h.Class("card"), h.Table(
			h.Class("bars ranked lanes"), h.Role("table"),
			h.THead(h.Role("rowgroup"), h.Tr(
				h.Role("row"), columnHeading(hidden("what")), columnHeading(h.Class("axis"), hidden("over time"), ticksMarkup(secondTicks(b))), columnHeading(hidden("in words")),
			)),
			g.Raw("\n"), h.TBody(h.Role("rowgroup"), lines(b.Lanes, func(l block.Lane) g.Node {
				return h.Tr(h.Role("row"), rowHeading(g.Text(l.Title)), cell(h.Class("axis"), laneMarkup(b, l)), cell(h.Class("against"), g.Text(l.Words)))
			})),
		)),
		g.Raw("\n"),
	}
}

// laneMarkup draws one lane: stretches that are not good are thin, so that colour
// alone shows nothing.
func laneMarkup(b block.Lanes, l block.Lane) g.Node {
	all := g.Group{}
	for _, s := range l.Stretches {
		from, to, ok := b.Ends(s)
		if !ok {
			continue
		}
		y, height := "3", "12"
		if s.Is != block.Good {
			y, height = "7", "4"
		}
		all = append(all, shape("rect", "class", knownKind(string(s.Is)), "x", percent(from), "y", y, "width", percent(max(to-from, leastStretch)), "height", height))
	}
	for _, m := range l.Marks {
		if at, ok := b.Share(m.At); ok {
			all = append(all, line("marker thin", percent(at), "0", percent(at), "18"))
		}
	}
	return h.SVG(h.Width("100%"), h.Height("18"), h.Role("img"), h.Aria("label", laneWords(l)), h.TitleEl(g.Text(laneWords(l))), all)
}

// laneWords describes a lane for screen readers.
func laneWords(l block.Lane) string {
	var words []string
	for _, s := range l.Stretches {
		words = append(words, s.Text)
	}
	for _, m := range l.Marks {
		words = append(words, m.Text)
	}
	return joined(": ", l.Title, strings.Join(words, ", "))
}

// mostTicks is how many ticks fit on the axis.
const mostTicks = 8

// secondTicks returns ticks at round seconds.
func secondTicks(b block.Lanes) (all []shareTick) {
	whole := float64(b.To - b.From)
	if !(whole > 0) || math.IsInf(whole, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(whole/mostTicks)))
	for _, times := range []float64{1, 2, 5, 10} {
		if whole/(step*times) <= mostTicks {
			step *= times
			break
		}
	}
	for n := int(math.Ceil(float64(b.From) / step)); len(all) <= mostTicks; n++ {
		at := float64(n) * step
		if at > float64(b.To) {
			break
		}
		share, _ := b.Share(block.Number(at))
		all = append(all, shareTick{percent(share), strconv.FormatFloat(at, 'g', 6, 64) + " s"})
	}
	return all
}
