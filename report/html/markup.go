package html

import (
	_ "embed" // of the symbols
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"assay/report/block"
)

// symbols are what <use> elements draw.
//
//go:embed symbols.svg
var symbols string

// lines returns nodes with a line break after each.
func lines[T any](all []T, node func(T) g.Node) g.Node {
	return g.Map(all, func(one T) g.Node { return g.Group{node(one), g.Raw("\n")} })
}

// optional returns an element around a text, or nil without text.
func optional(element func(...g.Node) g.Node, text string, more ...g.Node) g.Node {
	if text == "" {
		return nil
	}
	return element(g.Group(more), g.Text(text))
}

// before returns a node after a space, or nil without a node.
func before(node g.Node) g.Node {
	if node == nil {
		return nil
	}
	return g.Group{g.Text(" "), node}
}

func sub(text string) g.Node { return optional(h.Span, text, h.Class("sub")) }

func aside(text string) g.Node { return before(optional(h.Span, text, h.Class("aside"))) }

// next returns the advice in an element of that class, or nil without advice.
func next(element func(...g.Node) g.Node, class, advice string) g.Node {
	if advice == "" {
		return nil
	}
	return element(h.Class(class), h.B(g.Text("next:")), g.Text(" "+advice))
}

// classes joins those that are not "".
func classes(all ...string) g.Node { return h.Class(joined(" ", all...)) }

// hidden returns text for screen readers only.
func hidden(text string) g.Node { return h.Span(h.Class("hidden"), g.Text(text)) }

func icon(name string) g.Node {
	return h.SVG(h.Class("icon"), viewBox("0 0 16 16"), h.Aria("hidden", "true"), shape("use", "href", "#i-"+name))
}

func (d documentPage) markup() g.Node {
	return h.Doctype(h.HTML(
		h.Lang("en"),
		h.Head(
			g.Raw("\n"), h.Meta(h.Charset("utf-8")),
			g.Raw("\n"), h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(d.Policy)),
			g.Raw("\n"), h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			g.Raw("\n"), h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			g.Raw("\n"), h.Meta(h.Name("referrer"), h.Content("no-referrer")),
			g.Raw("\n"), h.Meta(h.Name("generator"), h.Content("assay")),
			g.Raw("\n"), h.TitleEl(g.Text(d.Title)),
			g.Raw("\n"), h.StyleEl(g.Raw(style)), g.Raw("\n"),
		),
		h.Body(
			g.Raw("\n"), g.Raw(symbols), d.header(),
			h.Main(g.If(d.Plots, d.plotless()), g.Raw("\n"), g.Raw(d.Body)),
			d.footer(),
			g.If(d.Script != "", g.Group{
				h.Script(h.Type("application/json"), h.ID("plot-data"), g.Raw(d.Data)), g.Raw("\n"),
				h.Script(g.Raw(d.Script)), g.Raw("\n"),
			}),
		),
	))
}

func (d documentPage) header() g.Node {
	return h.Header(
		h.Div(
			h.Class("bar"), h.P(h.Class("brand"), g.Text("assay")),
			h.Button(h.Type("button"), h.ID("theme"), g.Attr("hidden"), g.Text("theme: auto")),
		),
		g.Raw("\n"), h.H1(g.Text(d.Title)),
		g.Raw("\n"), optional(h.P, d.About, h.Class("meta")),
		g.If(len(d.Tally) > 0, h.Ul(h.Class("tally"), g.Map(d.Tally, func(p pointView) g.Node {
			return h.Li(h.Class(p.Class), g.Text(p.Text))
		}))),
		g.If(len(d.Parts) > 0, h.Nav(h.Aria("label", "contents"), g.Map(d.Parts, func(p part) g.Node {
			return h.A(h.Href("#"+p.Anchor), g.Text(p.Text))
		}))),
		g.Raw("\n"),
	)
}

func (d documentPage) plotless() g.Node {
	if d.Script == "" {
		return h.P(h.Class("none"), g.Text("plots are missing from this build: run make build"))
	}
	return h.NoScript(h.P(h.Class("none"), g.Text("The plots need JavaScript; every number is in the tables.")))
}

func (d documentPage) footer() g.Node {
	const drawn = "The plots are drawn by Apache ECharts (Apache License 2.0) with zrender (BSD 3-Clause) and tslib (0BSD), all of them inside this file."
	return h.Footer(
		g.If(d.Licences != "", h.Details(
			h.Class("licences"), h.Summary(g.Text("Licences of the plots in this file")),
			h.P(g.Text(drawn)), h.Pre(h.TabIndex("0"), g.Text(d.Licences)),
		)),
		h.P(g.Text("Written by assay. This file makes no network requests.")), g.Raw("\n"),
	)
}

func headingMarkup(b block.Heading, size int, anchor string) g.Node {
	element := [...]func(...g.Node) g.Node{h.H2, h.H3, h.H4}[size-2]
	return g.Group{element(h.ID(anchor), g.Text(b.Text), aside(b.Aside)), g.Raw("\n")}
}

func sentenceMarkup(s block.Sentence) g.Node {
	return g.Group{h.P(
		g.If(s.Quiet, h.Class("note")), g.Text(s.Text),
		before(optional(h.Span, s.Sum, h.Class("arithmetic"))), before(next(h.Span, "advice", s.Advice)),
	), g.Raw("\n")}
}

func pointsMarkup(all []pointView) g.Node {
	return g.Group{h.Ul(h.Class("verdict"), g.Raw("\n"), lines(all, func(p pointView) g.Node {
		return h.Li(h.Class(p.Class), icon(p.Icon), h.Span(h.Class("word"), g.Text(p.Label)), h.Span(
			g.Text(p.Text), optional(h.Span, p.Sum, h.Class("sub arithmetic")), next(h.Span, "sub advice", p.Advice),
		))
	})), g.Raw("\n")}
}

func listMarkup(class string, items []string) g.Node {
	return g.Group{h.Ul(h.Class(class), lines(items, func(item string) g.Node { return h.Li(g.Text(item)) })), g.Raw("\n")}
}

func codeMarkup(c block.Code) g.Node {
	return g.Group{h.Pre(h.TabIndex("0"), g.Text(c.Text)), g.Raw("\n")}
}

func detailsMarkup(d block.Details, inside string) g.Node {
	return g.Group{h.Details(g.If(d.Open, g.Attr("open", "open")), h.Summary(g.Text(d.Summary)), g.Raw("\n"), g.Raw(inside)), g.Raw("\n")}
}

func (v annotatedView) markup() g.Node {
	return g.Group{optional(h.H3, v.Title), h.Div(h.Class("card annotated"), g.Raw("\n"), lines(v.Pieces, pieceView.markup)), g.Raw("\n")}
}

func (v pieceView) markup() g.Node {
	piece := "piece"
	if len(v.Notes) > 0 {
		piece += " noted"
	}
	return h.Div(
		h.Class(piece), v.First.markup(),
		g.If(len(v.Notes) > 0, h.Ul(h.Class("margin"), lines(v.Notes, marginNote.markup))),
		g.If(len(v.Rest) > 0, h.Div(h.Class("rest"), lines(v.Rest, textLine.markup))),
	)
}

func (l textLine) markup() g.Node {
	line := "line"
	if l.Class != "" {
		line += " read " + l.Class
	}
	return g.Group{
		optional(h.P, l.LeftOut, h.Class("left")),
		h.Div(h.Class(line), h.ID(l.ID), h.Span(h.Class("at"), g.Text(strconv.Itoa(l.Number))), h.Code(g.Text(l.Text))),
	}
}

func (n marginNote) markup() g.Node {
	folded := n.Sum
	if folded == "" {
		folded = "what to do"
	}
	return h.Li(
		h.Class(n.Class), h.Span(h.Class("word"), icon(n.Icon), g.Text(n.Label)), g.Text(" "),
		h.A(h.Href("#"+n.LineID), h.Aria("label", "line "+strconv.Itoa(n.Line)), g.Text(strconv.Itoa(n.Line))), g.Text(" "+n.Text),
		g.If(n.Sum != "" || n.Advice != "", h.Details(h.Summary(g.Text(folded)), next(h.P, "advice", n.Advice))),
	)
}

func footnotesMarkup(all []noteView) g.Node {
	return g.Group{h.Ol(h.Class("findings"), g.Raw("\n"), lines(all, noteView.markup)), g.Raw("\n")}
}

func (n noteView) markup() g.Node {
	return h.Li(
		classes("card", n.Class),
		h.H3(g.If(n.Word != "", h.Span(classes("tag", n.Class), icon(n.Icon), g.Text(n.Word))), g.Text(n.Text)),
		g.If(n.Name != "", h.P(h.Class("sub"), h.Code(g.Text(n.Name)))),
		lines(n.Each, eachNote.markup),
		next(h.P, "advice", n.Shared),
	)
}

func (n eachNote) markup() g.Node {
	about := g.Text(n.About)
	if n.Row != "" {
		about = h.A(h.Href("#"+n.Row), about)
	}
	number := strconv.Itoa(n.Number)
	return h.Div(
		h.ID("finding-"+number), h.Class("each"), h.Span(h.Class("number"), g.Text(number)),
		h.Div(g.If(n.About != "", h.P(h.Class("sub"), about)), optional(h.P, n.Sum, h.Class("arithmetic")), next(h.P, "advice", n.Advice)),
	)
}
