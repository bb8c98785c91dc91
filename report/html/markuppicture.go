package html

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// shape returns an element of a picture; pairs are attribute names and values.
func shape(name string, pairs ...string) g.Node {
	all := g.Group{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, g.Attr(pairs[i], pairs[i+1]))
	}
	return g.El(name, all)
}

// textAt returns a text in a picture.
func textAt(class, x, y, text string) g.Node {
	return g.El("text", g.If(class != "", h.Class(class)), g.Attr("x", x), g.Attr("y", y), g.Text(text))
}

func viewBox(corners string) g.Node { return g.Attr("viewBox", corners) }

// line runs from one point to another; coordinates are units or percentages. Its class may
// be "".
func line(class, x1, y1, x2, y2 string) g.Node {
	return g.El("line", g.If(class != "", h.Class(class)), g.Attr("x1", x1), g.Attr("y1", y1), g.Attr("x2", x2), g.Attr("y2", y2))
}

func units(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (l linkLine) markup() g.Node {
	return line(l.Class, units(l.X1), units(l.Y1), units(l.X2), units(l.Y2))
}

func (a linkArrow) markup() g.Node {
	shaft := linkLine{a.X1, a.Y1, a.X2, a.Y2, ""} // the arrow's class applies to both
	return g.El("g", h.Class(a.Class), h.TitleEl(g.Text(a.Words)), shaft.markup(), shape("polygon", "points", a.Head))
}

func (b hostBox) markup() g.Node {
	name := b.Short()
	if b.Marked {
		name = "▼ " + name
	}
	return g.El(
		"g", classes("host", b.Class), h.TitleEl(g.Text(b.Words)),
		shape("rect", "x", units(b.X), "y", units(b.Y), "width", units(b.Width), "height", units(b.Height), "rx", "4"),
		textAt("", units(b.Middle), units(b.Base), name),
	)
}

func (k linkKey) markup() g.Node {
	var head g.Node
	switch k.Class {
	case "bad", "doubt", detourClass:
		head = shape("polygon", "points", "22,5 13,.5 13,9.5")
	}
	return h.Li(h.SVG(h.Class(k.Class), viewBox("0 0 28 10"), h.Aria("hidden", "true"), line(k.Class, "1", "5", "27", "5"), head), g.Text(k.Text))
}

func (v linksView) markup() g.Node {
	class := "card links"
	if v.Many {
		class += " many"
	}
	return g.Group{h.Figure(
		h.Class(class), h.FigCaption(optional(h.B, v.Title), h.Span(h.Class("sub"), g.Text(v.Aside))), g.Raw("\n"),
		h.SVG(
			viewBox("0 0 "+units(v.Width)+" "+units(v.Height)), h.Role("img"), h.Aria("label", v.Words),
			h.TitleEl(g.Text(v.Title)), g.El("desc", g.Text(v.Words)), g.Raw("\n"),
			lines(v.Lines, linkLine.markup), lines(v.Arrows, linkArrow.markup), lines(v.Hosts, hostBox.markup),
		),
		g.If(len(v.Legend) > 0, h.Ul(h.Class("keys"), g.Map(v.Legend, linkKey.markup))),
		g.If(len(v.Said) > 0, pointsMarkup(v.Said)),
	), g.Raw("\n")}
}

func ticksMarkup(all []shareTick) g.Node {
	return h.SVG(h.Width("100%"), h.Height("16"), h.Aria("hidden", "true"), g.Map(all, func(t shareTick) g.Node {
		class := ""
		if t.Text == "0 %" {
			class = "first"
		}
		return textAt(class, t.At, "12", t.Text)
	}))
}

func layerHeading(inside ...g.Node) g.Node {
	return h.Tr(h.Role("row"), h.Class("layer"), g.Group(inside))
}

func (v barsView) markup() g.Node {
	axis := columnHeading(h.Class("axis"), hidden("bar"), g.If(len(v.Ticks) > 0, ticksMarkup(v.Ticks)))
	return g.Group{
		optional(h.P, v.Title, h.Class("note")),
		h.Div(h.Class("card"), h.Table(
			h.Class("bars ranked"), h.Role("table"),
			h.THead(
				g.If(len(v.Ticks) == 0, h.Class("hidden")), h.Role("rowgroup"),
				h.Tr(h.Role("row"), columnHeading(hidden("name")), axis, columnHeading(hidden("figure")), columnHeading(hidden("compared"))),
			),
			g.Raw("\n"), lines(v.Groups, func(group barGroup) g.Node {
				return h.TBody(
					h.Role("rowgroup"), g.If(group.Title != "", layerHeading(groupHeading(h.ColSpan("4"), g.Text(group.Title)))),
					lines(group.Bars, func(b barView) g.Node { return b.markup(v.Mark) }),
				)
			}),
		)),
		g.Raw("\n"),
	}
}

// markup returns a row; mark is the position of the line.
func (b barView) markup(mark string) g.Node {
	heading := rowHeading(g.Text(b.Title))
	if b.Absent != nil {
		return h.Tr(h.Role("row"), heading, cell(h.Class("absent"), h.ColSpan("3"), absent(*b.Absent)))
	}
	return h.Tr(
		h.Role("row"), heading, cell(h.Class("axis"), b.picture(mark)), g.Raw("\n"),
		cell(h.Class("num"), b.Cell.markup(), g.If(b.Cut, sub("beyond the picture"))), cell(h.Class("against"), g.Text(b.Aside)),
	)
}

func (b barView) picture(mark string) g.Node {
	class, start := "under", b.Start
	if b.Rejected {
		class = "over"
	}
	if start == "" {
		start = "0"
	}
	all := g.Group{}
	if mark != "" {
		all = append(all, shape("rect", "class", "track", "x", "0", "y", "3", "width", mark, "height", "12"))
	}
	all = append(all, shape("rect", "class", class, "x", start, "y", "3", "width", b.Width, "height", "12"))
	if len(b.Interval) == 2 {
		all = append(all, line("marker thin", b.Interval[0], "9", b.Interval[1], "9"))
	}
	if mark != "" {
		all = append(all, line("marker", mark, "0", mark, "18"))
	}
	return h.SVG(h.Width("100%"), h.Height("18"), h.Role("img"), h.Aria("label", b.Words), all)
}

// ground is drawn under the marks of each row.
func (f forest) ground() g.Node {
	return g.Group{
		g.If(f.Band.Width != "", shape("rect", "class", "same-band", "x", f.Band.At, "y", "0", "width", f.Band.Width, "height", "100%")),
		line("one", f.One, "0", f.One, "100%"),
	}
}

func (f forest) markup() g.Node {
	class, title := "bars forest", ""
	if f.Many {
		class += " many"
	}
	if f.Title != "" {
		title = f.Title + ", on a logarithmic axis. Each mark is the ratio of the medians; the line through it is its interval."
		if f.Band.Width != "" {
			title += " Inside the band nothing differs that matters."
		}
	}
	return g.Group{
		optional(h.P, title, h.Class("note")),
		h.Div(h.Class("card"), h.Table(
			h.Class(class), h.Role("table"), g.Raw("\n"),
			h.THead(h.Role("rowgroup"), h.Tr(
				h.Role("row"), columnHeading(g.Text("figure")), columnHeading(h.Class("axis"), hidden("on a logarithmic axis"), ticksMarkup(f.Ticks)),
				columnHeading(g.Text("value")), columnHeading(g.Text("verdict")),
			)),
			g.Raw("\n"), lines(f.Groups, func(group forestGroup) g.Node {
				return h.TBody(h.Role("rowgroup"), g.If(group.Title != "", layerHeading(
					groupHeading(g.Text(group.Title)), cell(h.Class("axis"), h.SVG(h.Aria("hidden", "true"), f.ground())), cell(h.ColSpan("2")),
				)), g.Map(group.Rows, func(r forestRow) g.Node { return r.markup(f.ground()) }))
			}),
		)),
		g.Raw("\n"),
	}
}

// markup returns a table row for each mark of the row.
func (r forestRow) markup(ground g.Node) g.Node {
	all := g.Group{}
	for i, m := range r.Marks {
		first := g.Group{}
		if i == 0 {
			first = append(first, h.Class("first"), rowHeading(h.RowSpan(strconv.Itoa(len(r.Marks))), h.Span(h.Class("name"), g.Text(r.Title)), sub(r.Under)))
		}
		all = append(all, h.Tr(
			h.Role("row"), first, g.Raw("\n"), cell(h.Class("axis"), m.picture(ground)), g.Raw("\n"),
			cell(h.Class("ratio"), g.If(m.Key != "", g.Group{h.B(g.Text(m.Key)), g.Text(" ")}), g.Text(m.Text)),
			cell(g.If(m.Word != "", h.Span(classes("tag", m.Class), h.SVG(
				classes("mark", m.Class), viewBox("-7 -7 14 14"), h.Aria("hidden", "true"), shape("use", "href", "#m-"+m.Shape),
			), g.Text(m.Word)))),
		), g.Raw("\n"))
	}
	return all
}

func (m forestMark) picture(ground g.Node) g.Node {
	marks := g.Group{}
	if m.Interval != nil {
		marks = append(marks, m.Interval.markup())
	}
	if m.Drawn {
		marks = append(marks, shape("use", "class", "mark", "href", "#m-"+m.Shape, "x", m.At))
	}
	return h.SVG(h.Role("img"), h.Aria("label", m.Words()), ground, h.SVG(h.Class(m.Class), g.Attr("y", "50%"), g.Attr("overflow", "visible"), marks))
}

func (i forestInterval) markup() g.Node {
	return g.Group{
		line("reach", i.Low, "0", i.High, "0"),
		g.If(i.LowEnd, line("reach", i.Low, "-4", i.Low, "4")), g.If(i.HighEnd, line("reach", i.High, "-4", i.High, "4")),
		g.If(i.Less, textAt("cut", "0", "5", "‹")),
		g.If(i.More, textAt("cut", "100%", "5", "›")),
	}
}

// frame is the element in which the script draws.
func (v plotView) frame() g.Node {
	return h.Div(classes("plot", v.Class), h.Data("plot", strconv.Itoa(v.Index)), h.Role("img"), h.Aria("label", v.Words))
}

func (v plotView) markup() g.Node {
	under := v.Aside
	if v.Bands {
		under += " Shaded bands are repeats, darker ones warm-ups; hover over one to see which test ran."
	}
	return g.Group{h.Figure(
		h.Class("card plotted"), h.FigCaption(h.B(g.Text(v.Title)), h.Span(h.Class("sub"), g.Text(under))), v.frame(),
		h.Div(h.Class("legend"), h.Role("group"), h.Aria("label", "lines")),
	), g.Raw("\n")}
}

func (v timelinesView) markup() g.Node {
	const explained = "Repeats stand end to end, in the order they ran. Shaded and dashed: warm-up, not counted. Ctrl and the wheel zoom."
	return g.Group{
		g.If(v.Title != "", h.H4(g.Text(v.Title), aside(v.Aside))),
		g.If(v.Warmups, h.P(h.Class("note js-only"), g.Text(explained))),
		h.Div(h.Class("pair"), g.Raw("\n"), lines(v.Frames, func(f plotView) g.Node {
			return h.Figure(h.Class("card"), h.FigCaption(h.B(g.Text(f.Title)), h.Span(h.Class("sub"), g.Text(f.Aside))), g.If(f.Index >= 0, f.frame()))
		})),
		g.Raw("\n"),
	}
}

func (s spark) markup() g.Node {
	return h.SVG(
		h.Class("spark"), h.Width(strconv.Itoa(s.Width)), h.Height("18"), h.Role("img"), h.Aria("label", s.Words), h.TitleEl(g.Text(s.Words)),
		g.Map(s.Dots, func(at [2]string) g.Node { return shape("circle", "cx", at[0], "cy", at[1], "r", "2") }),
	)
}
