package html

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"assay/report/block"
)

func citations(all []citation) g.Node {
	return g.Map(all, func(c citation) g.Node {
		number := strconv.Itoa(c.Number)
		mark := textNode("[" + number + "]")
		if c.Here {
			mark = h.A(h.Href("#finding-"+number), ariaAttr("label", "footnote "+number), mark)
		}
		return h.Sup(mark)
	})
}

func absent(a block.Absent) g.Node {
	return g.Group{
		spanOf(classAttr("tag next"), icon("absent"), textNode(a.Word)), textNode(" " + a.Why),
		g.If(a.Hint != "", g.Group{textNode(" "), sub("hint: " + a.Hint)}),
	}
}

// markup is the cell as the name of a row.
func (v cellView) nameMarkup() g.Node {
	return g.Group{spanOf(classAttr("name"), textNode(v.Text)), citations(v.Cited), g.Map(v.Under, sub)}
}

func (v cellView) markup() g.Node {
	all := g.Group{}
	if v.Absent != nil {
		all = append(all, absent(*v.Absent))
	} else {
		all = append(all, v.odd(), v.shown(), citations(v.Cited), v.restsOn(), g.Map(v.Under, func(text string) g.Node {
			return spanOf(classAttr("sub under"), textNode(text))
		}))
	}
	if v.Spark != nil {
		all = append(all, v.Spark.markup())
	}
	return all
}

// odd marks a figure that is clearly worse or better than those of others.
func (v cellView) odd() g.Node {
	if v.Figure == nil || v.Figure.Odd == "" {
		return nil
	}
	arrow := "▲"
	if v.Figure.Odd == "worse" {
		arrow = "▼"
	}
	return g.Group{spanOf(classes("odd", v.Figure.Odd), roleAttr("img"), ariaAttr("label", "clearly "+v.Figure.Odd+" than the others"), textNode(arrow)), textNode(" ")}
}

func (v cellView) shown() g.Node {
	switch {
	case v.Rejected:
		return h.S(classAttr("v"), textNode(v.Text))
	case v.Figure != nil:
		return spanOf(classAttr("v"), textNode(v.Text))
	case v.Is != "":
		return spanOf(classes("is", string(v.Is)), textNode(v.Text))
	}
	return textNode(v.Text)
}

// restsOn is what a figure is made of: its spread, interval and count.
func (v cellView) restsOn() g.Node {
	f := v.Figure
	if f == nil {
		return nil
	}
	all := g.Group{}
	if !v.Brief {
		all = append(all, before(optional(h.Span, f.Spread, classAttr("spread"))))
	}
	if v.Rejected {
		all = append(all, textNode(" "), spanOf(classAttr("tag bad"), icon("bad"), textNode("rejected")))
	}
	if !v.Brief {
		all = append(all, sub(f.Interval), sub(f.Count))
	}
	return all
}

func (v tableView) grid() g.Node {
	return h.Table(
		classAttr(v.Class), roleAttr("table"),
		g.If(v.Headed, h.THead(roleAttr("rowgroup"), h.Tr(roleAttr("row"), g.Map(v.Columns, func(c block.Column) g.Node {
			return columnHeading(g.If(c.Right, classAttr("num")), textNode(c.Heading))
		})))),
		rawNode("\n"), h.TBody(roleAttr("rowgroup"), rawNode("\n"), lines(v.Rows, func(r rowView) g.Node { return r.markup(v.Span, v.Rest) })),
	)
}

func columnHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("col"), roleAttr("columnheader"), g.Group(inside))
}

func rowHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("row"), roleAttr("rowheader"), g.Group(inside))
}

func groupHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("rowgroup"), roleAttr("rowheader"), g.Group(inside))
}

func cell(inside ...g.Node) g.Node { return h.Td(roleAttr("cell"), g.Group(inside)) }

// markup is a row of a table of span columns, rest of which are behind the first.
func (r rowView) markup(span, rest int) g.Node {
	id := g.If(r.ID != "", h.ID(r.ID))
	if r.Head {
		var name g.Node
		if r.Name != nil {
			name = r.Name.nameMarkup()
		}
		return h.Tr(roleAttr("row"), classAttr("head"), id, groupHeading(h.ColSpan(strconv.Itoa(span)), divOf(name, r.remarks())))
	}
	if r.Absent != nil {
		return h.Tr(roleAttr("row"), id, rowHeading(r.name(), r.remarks()), cell(classAttr("absent"), h.ColSpan(strconv.Itoa(rest)), absent(*r.Absent)))
	}
	return h.Tr(roleAttr("row"), id, rowHeading(r.name(), r.remarks()), g.Map(r.Cells, cellView.tableCell))
}

func (r rowView) name() g.Node {
	switch {
	case r.Name == nil:
		return nil
	case r.Again:
		return hidden(r.Name.Text)
	case r.Name.Figure != nil:
		return r.Name.markup()
	}
	return r.Name.nameMarkup()
}

func (r rowView) remarks() g.Node {
	return g.Map(r.Remarks, func(s block.Sentence) g.Node {
		return spanOf(classAttr("sub is "+string(s.Is)), textNode(s.Text))
	})
}

func (v cellView) tableCell() g.Node {
	inside := divOf(v.markup())
	switch {
	case v.Self:
		inside = nil
	case v.Empty:
		inside = spanOf(ariaAttr("label", "nothing"), textNode("–"))
	}
	return cell(g.If(v.Class != "", classAttr(v.Class)), g.If(v.Label != "", h.Data("label", v.Label)), inside)
}

// frame scrolls what is wider than the page; its title has the anchor.
func (v tableView) frame(class string) g.Node {
	name := ariaAttr("label", "table")
	if v.Title != "" {
		name = ariaAttr("labelledby", v.Anchor)
	}
	return divOf(classAttr(class), h.TabIndex("0"), roleAttr("region"), name, v.grid())
}

func (v tableView) markup() g.Node {
	return g.Group{
		g.If(v.Title != "", h.H4(h.ID(v.Anchor), textNode(v.Title), aside(v.Aside))),
		v.frame("card scroll"), rawNode("\n"), optional(h.P, v.Legend, classAttr("note")),
	}
}

func (v tableView) matrixMarkup() g.Node {
	class := "card"
	if v.Broad {
		class += " wide"
	}
	return g.Group{
		h.Figure(classAttr(class), h.FigCaption(optional(h.B, v.Title, h.ID(v.Anchor)), spanOf(classAttr("sub"), textNode(v.Note))), v.frame("scroll")),
		rawNode("\n"),
	}
}

func valuesMarkup(all []valuesView) g.Node {
	return divOf(classAttr("facts"), lines(all, func(v valuesView) g.Node {
		return divOf(classAttr("card"), optional(h.H4, v.Title), h.Dl(g.Map(v.Items, func(item itemView) g.Node {
			return divOf(h.Dt(textNode(item.Name)), h.Dd(item.Cell.markup()))
		})))
	}))
}
