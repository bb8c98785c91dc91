package html

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// shape is an element of a picture; pairs are its attributes' names and values.
func shape(name string, pairs ...string) g.Node {
	all := g.Group{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, g.Attr(pairs[i], pairs[i+1]))
	}
	return g.El(name, all)
}

// textAt is a text in a picture.
func textAt(class, x, y, text string) g.Node {
	return g.El("text", g.If(class != "", classAttr(class)), g.Attr("x", x), g.Attr("y", y), textNode(text))
}

func viewBox(corners string) g.Node { return g.Attr("viewBox", corners) }

// line goes from a point to another; places are units or percentages. Its class may be "".
func line(class, x1, y1, x2, y2 string) g.Node {
	return g.El("line", g.If(class != "", classAttr(class)), g.Attr("x1", x1), g.Attr("y1", y1), g.Attr("x2", x2), g.Attr("y2", y2))
}

func units(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (l linkLine) markup() g.Node {
	return line(l.Class, units(l.X1), units(l.Y1), units(l.X2), units(l.Y2))
}

func (a linkArrow) markup() g.Node {
	shaft := linkLine{a.X1, a.Y1, a.X2, a.Y2, ""} // the arrow's class is that of both
	return g.El("g", classAttr(a.Class), h.TitleEl(textNode(a.Words)), shaft.markup(), shape("polygon", "points", a.Head))
}

func (b hostBox) markup() g.Node {
	name := b.Short()
	if b.Marked {
		name = "▼ " + name
	}
	return g.El(
		"g", classes("host", b.Class), h.TitleEl(textNode(b.Words)),
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
	return h.Li(h.SVG(classAttr(k.Class), viewBox("0 0 28 10"), ariaAttr("hidden", "true"), line(k.Class, "1", "5", "27", "5"), head), textNode(k.Text))
}

func (v linksView) markup() g.Node {
	class := "card links"
	if v.Many {
		class += " many"
	}
	return g.Group{h.Figure(
		classAttr(class), h.FigCaption(optional(h.B, v.Title), spanOf(classAttr("sub"), textNode(v.Aside))), rawNode("\n"),
		h.SVG(
			viewBox("0 0 "+units(v.Width)+" "+units(v.Height)), roleAttr("img"), ariaAttr("label", v.Words),
			h.TitleEl(textNode(v.Title)), g.El("desc", textNode(v.Words)), rawNode("\n"),
			lines(v.Lines, linkLine.markup), lines(v.Arrows, linkArrow.markup), lines(v.Hosts, hostBox.markup),
		),
		g.If(len(v.Legend) > 0, h.Ul(classAttr("keys"), g.Map(v.Legend, linkKey.markup))),
		g.If(len(v.Said) > 0, pointsMarkup(v.Said)),
	), rawNode("\n")}
}

func ticksMarkup(all []shareTick) g.Node {
	return h.SVG(h.Width("100%"), h.Height("16"), ariaAttr("hidden", "true"), g.Map(all, func(t shareTick) g.Node {
		class := ""
		if t.Text == "0 %" {
			class = "first"
		}
		return textAt(class, t.At, "12", t.Text)
	}))
}

func layerHeading(inside ...g.Node) g.Node {
	return h.Tr(roleAttr("row"), classAttr("layer"), g.Group(inside))
}

func (v barsView) markup() g.Node {
	axis := columnHeading(classAttr("axis"), hidden("bar"), g.If(len(v.Ticks) > 0, ticksMarkup(v.Ticks)))
	return g.Group{
		optional(h.P, v.Title, classAttr("note")),
		divOf(classAttr("card"), h.Table(
			classAttr("bars ranked"), roleAttr("table"),
			h.THead(
				g.If(len(v.Ticks) == 0, classAttr("hidden")), roleAttr("rowgroup"),
				h.Tr(roleAttr("row"), columnHeading(hidden("name")), axis, columnHeading(hidden("figure")), columnHeading(hidden("compared"))),
			),
			rawNode("\n"), lines(v.Groups, func(group barGroup) g.Node {
				return h.TBody(
					roleAttr("rowgroup"), g.If(group.Title != "", layerHeading(groupHeading(h.ColSpan("4"), textNode(group.Title)))),
					lines(group.Bars, func(b barView) g.Node { return b.markup(v.Mark) }),
				)
			}),
		)),
		rawNode("\n"),
	}
}

// markup is a row; mark is where the line is.
func (b barView) markup(mark string) g.Node {
	heading := rowHeading(textNode(b.Title))
	if b.Absent != nil {
		return h.Tr(roleAttr("row"), heading, cell(classAttr("absent"), h.ColSpan("3"), absent(*b.Absent)))
	}
	return h.Tr(
		roleAttr("row"), heading, cell(classAttr("axis"), b.picture(mark)), rawNode("\n"),
		cell(classAttr("num"), b.Cell.markup(), g.If(b.Cut, sub("beyond the picture"))), cell(classAttr("against"), textNode(b.Aside)),
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
	return h.SVG(h.Width("100%"), h.Height("18"), roleAttr("img"), ariaAttr("label", b.Words), all)
}

// ground is what lies under the marks of each row.
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
		optional(h.P, title, classAttr("note")),
		divOf(classAttr("card"), h.Table(
			classAttr(class), roleAttr("table"), rawNode("\n"),
			h.THead(roleAttr("rowgroup"), h.Tr(
				roleAttr("row"), columnHeading(textNode("figure")), columnHeading(classAttr("axis"), hidden("on a logarithmic axis"), ticksMarkup(f.Ticks)),
				columnHeading(textNode("value")), columnHeading(textNode("verdict")),
			)),
			rawNode("\n"), lines(f.Groups, func(group forestGroup) g.Node {
				return h.TBody(roleAttr("rowgroup"), g.If(group.Title != "", layerHeading(
					groupHeading(textNode(group.Title)), cell(classAttr("axis"), h.SVG(ariaAttr("hidden", "true"), f.ground())), cell(h.ColSpan("2")),
				)), g.Map(group.Rows, func(r forestRow) g.Node { return r.markup(f.ground()) }))
			}),
		)),
		rawNode("\n"),
	}
}

// markup is a table row for each mark of the row.
func (r forestRow) markup(ground g.Node) g.Node {
	all := g.Group{}
	for i, m := range r.Marks {
		first := g.Group{}
		if i == 0 {
			first = append(first, classAttr("first"), rowHeading(h.RowSpan(strconv.Itoa(len(r.Marks))), spanOf(classAttr("name"), textNode(r.Title)), sub(r.Under)))
		}
		all = append(all, h.Tr(
			roleAttr("row"), first, rawNode("\n"), cell(classAttr("axis"), m.picture(ground)), rawNode("\n"),
			cell(classAttr("ratio"), g.If(m.Key != "", g.Group{h.B(textNode(m.Key)), textNode(" ")}), textNode(m.Text)),
			cell(g.If(m.Word != "", spanOf(classes("tag", m.Class), h.SVG(
				classes("mark", m.Class), viewBox("-7 -7 14 14"), ariaAttr("hidden", "true"), shape("use", "href", "#m-"+m.Shape),
			), textNode(m.Word)))),
		), rawNode("\n"))
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
	return h.SVG(roleAttr("img"), ariaAttr("label", m.Words()), ground, h.SVG(classAttr(m.Class), g.Attr("y", "50%"), g.Attr("overflow", "visible"), marks))
}

func (i forestInterval) markup() g.Node {
	return g.Group{
		line("reach", i.Low, "0", i.High, "0"),
		g.If(i.LowEnd, line("reach", i.Low, "-4", i.Low, "4")), g.If(i.HighEnd, line("reach", i.High, "-4", i.High, "4")),
		g.If(i.Less, textAt("cut", "0", "5", "‹")),
		g.If(i.More, textAt("cut", "100%", "5", "›")),
	}
}

// frame is where the script draws.
func (v plotView) frame() g.Node {
	return divOf(classes("plot", v.Class), h.Data("plot", strconv.Itoa(v.Index)), roleAttr("img"), ariaAttr("label", v.Words))
}

func (v plotView) markup() g.Node {
	under := v.Aside
	if v.Bands {
		under += " Shaded bands are repeats, darker ones warm-ups; hover over one to see which test ran."
	}
	return g.Group{h.Figure(
		classAttr("card plotted"), h.FigCaption(h.B(textNode(v.Title)), spanOf(classAttr("sub"), textNode(under))), v.frame(),
		divOf(classAttr("legend"), roleAttr("group"), ariaAttr("label", "lines")),
	), rawNode("\n")}
}

func (v timelinesView) markup() g.Node {
	const explained = "Repeats stand end to end, in the order they ran. Shaded and dashed: warm-up, not counted. Ctrl and the wheel zoom."
	return g.Group{
		g.If(v.Title != "", h.H4(textNode(v.Title), aside(v.Aside))),
		g.If(v.Warmups, h.P(classAttr("note js-only"), textNode(explained))),
		divOf(classAttr("pair"), rawNode("\n"), lines(v.Frames, func(f plotView) g.Node {
			return h.Figure(classAttr("card"), h.FigCaption(h.B(textNode(f.Title)), spanOf(classAttr("sub"), textNode(f.Aside))), g.If(f.Index >= 0, f.frame()))
		})),
		rawNode("\n"),
	}
}

func (s spark) markup() g.Node {
	return h.SVG(
		classAttr("spark"), h.Width(strconv.Itoa(s.Width)), h.Height("18"), roleAttr("img"), ariaAttr("label", s.Words), h.TitleEl(textNode(s.Words)),
		g.Map(s.Dots, func(at [2]string) g.Node { return shape("circle", "cx", at[0], "cy", at[1], "r", "2") }),
	)
}
