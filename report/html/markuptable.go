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
		mark := g.Text("[" + number + "]")
		if c.Here {
			mark = h.A(h.Href("#finding-"+number), h.Aria("label", "footnote "+number), mark)
		}
		return h.Sup(mark)
	})
}

func absent(a block.Absent) g.Node {
	return g.Group{
		h.Span(h.Class("tag next"), icon("absent"), g.Text(a.Word)), g.Text(" " + a.Why),
		g.If(a.Hint != "", g.Group{g.Text(" "), sub("hint: " + a.Hint)}),
	}
}

// nameMarkup returns the cell as a row name.
func (v cellView) nameMarkup() g.Node {
	return g.Group{h.Span(h.Class("name"), g.Text(v.Text)), citations(v.Cited), g.Map(v.Under, sub)}
}

func (v cellView) markup() g.Node {
	all := g.Group{}
	if v.Absent != nil {
		all = append(all, absent(*v.Absent))
	} else {
		all = append(all, v.odd(), v.shown(), citations(v.Cited), v.restsOn(), g.Map(v.Under, func(text string) g.Node {
			return h.Span(h.Class("sub under"), g.Text(text))
		}))
	}
	if v.Spark != nil {
		all = append(all, v.Spark.markup())
	}
	return all
}

// odd marks a figure that is clearly worse or better than the others.
func (v cellView) odd() g.Node {
	if v.Figure == nil || v.Figure.Odd == "" {
		return nil
	}
	arrow := "▲"
	if v.Figure.Odd == "worse" {
		arrow = "▼"
	}
	return g.Group{h.Span(classes("odd", v.Figure.Odd), h.Role("img"), h.Aria("label", "clearly "+v.Figure.Odd+" than the others"), g.Text(arrow)), g.Text(" ")}
}

func (v cellView) shown() g.Node {
	switch {
	case v.Rejected:
		return h.S(h.Class("v"), g.Text(v.Text))
	case v.Figure != nil:
		return h.Span(h.Class("v"), g.Text(v.Text))
	case v.Is != "":
		return h.Span(classes("is", string(v.Is)), g.Text(v.Text))
	}
	return g.Text(v.Text)
}

// restsOn shows what a figure rests on: its spread, interval and count.
func (v cellView) restsOn() g.Node {
	f := v.Figure
	if f == nil {
		return nil
	}
	all := g.Group{}
	if !v.Brief {
		all = append(all, before(optional(h.Span, f.Spread, h.Class("spread"))))
	}
	if v.Rejected {
		all = append(all, g.Text(" "), h.Span(h.Class("tag bad"), icon("bad"), g.Text("rejected")))
	}
	if !v.Brief {
		all = append(all, sub(f.Interval), sub(f.Count))
	}
	return all
}

func (v tableView) grid() g.Node {
	return h.Table(
		h.Class(v.Class), h.Role("table"),
		g.If(v.Headed, h.THead(h.Role("rowgroup"), h.Tr(h.Role("row"), g.Map(v.Columns, func(c block.Column) g.Node {
			return columnHeading(g.If(c.Right, h.Class("num")), g.Text(c.Heading))
		})))),
		g.Raw("\n"), h.TBody(h.Role("rowgroup"), g.Raw("\n"), lines(v.Rows, func(r rowView) g.Node { return r.markup(v.Span, v.Rest) })),
	)
}

func columnHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("col"), h.Role("columnheader"), g.Group(inside))
}

func rowHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("row"), h.Role("rowheader"), g.Group(inside))
}

func groupHeading(inside ...g.Node) g.Node {
	return h.Th(h.Scope("rowgroup"), h.Role("rowheader"), g.Group(inside))
}

func cell(inside ...g.Node) g.Node { return h.Td(h.Role("cell"), g.Group(inside)) }

// markup returns a row of a table with span columns, rest of them after the
// first.
func (r rowView) markup(span, rest int) g.Node {
	id := g.If(r.ID != "", h.ID(r.ID))
	if r.Head {
		var name g.Node
		if r.Name != nil {
			name = r.Name.nameMarkup()
		}
		return h.Tr(h.Role("row"), h.Class("head"), id, groupHeading(h.ColSpan(strconv.Itoa(span)), h.Div(name, r.remarks())))
	}
	if r.Absent != nil {
		return h.Tr(h.Role("row"), id, rowHeading(r.name(), r.remarks()), cell(h.Class("absent"), h.ColSpan(strconv.Itoa(rest)), absent(*r.Absent)))
	}
	return h.Tr(h.Role("row"), id, rowHeading(r.name(), r.remarks()), g.Map(r.Cells, cellView.tableCell))
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
		return h.Span(h.Class("sub is "+string(s.Is)), g.Text(s.Text))
	})
}

func (v cellView) tableCell() g.Node {
	inside := h.Div(v.markup())
	switch {
	case v.Self:
		inside = nil
	case v.Empty:
		inside = h.Span(h.Aria("label", "nothing"), g.Text("–"))
	}
	return cell(g.If(v.Class != "", h.Class(v.Class)), g.If(v.Label != "", h.Data("label", v.Label)), inside)
}

// frame scrolls a table that is wider than the page; its title has the anchor.
func (v tableView) frame(class string) g.Node {
	name := h.Aria("label", "table")
	if v.Title != "" {
		name = h.Aria("labelledby", v.Anchor)
	}
	return h.Div(h.Class(class), h.TabIndex("0"), h.Role("region"), name, v.grid())
}

func (v tableView) markup() g.Node {
	return g.Group{
		g.If(v.Title != "", h.H4(h.ID(v.Anchor), g.Text(v.Title), aside(v.Aside))),
		v.frame("card scroll"), g.Raw("\n"), optional(h.P, v.Legend, h.Class("note")),
	}
}

func (v tableView) matrixMarkup() g.Node {
	class := "card"
	if v.Broad {
		class += " wide"
	}
	return g.Group{
		h.Figure(h.Class(class), h.FigCaption(optional(h.B, v.Title, h.ID(v.Anchor)), h.Span(h.Class("sub"), g.Text(v.Note))), v.frame("scroll")),
		g.Raw("\n"),
	}
}

func valuesMarkup(all []valuesView) g.Node {
	return h.Div(h.Class("facts"), lines(all, func(v valuesView) g.Node {
		return h.Div(h.Class("card"), optional(h.H4, v.Title), h.Dl(g.Map(v.Items, func(item itemView) g.Node {
			return h.Div(h.Dt(g.Text(item.Name)), h.Dd(item.Cell.markup()))
		})))
	}))
}
