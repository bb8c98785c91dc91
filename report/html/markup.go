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

// lines are nodes with a line break after each.
func lines[T any](all []T, node func(T) g.Node) g.Node {
	return g.Map(all, func(one T) g.Node { return g.Group{node(one), rawNode("\n")} })
}

// optional is an element around a text; nil where there is no text.
func optional(element func(...g.Node) g.Node, text string, more ...g.Node) g.Node {
	if text == "" {
		return nil
	}
	return element(g.Group(more), textNode(text))
}

// before is a node after a blank; nil without a node.
func before(node g.Node) g.Node {
	if node == nil {
		return nil
	}
	return g.Group{textNode(" "), node}
}

func sub(text string) g.Node { return optional(h.Span, text, classAttr("sub")) }

func aside(text string) g.Node { return before(optional(h.Span, text, classAttr("aside"))) }

// next is the advice in an element of a class; nil where there is none.
func next(element func(...g.Node) g.Node, class, advice string) g.Node {
	if advice == "" {
		return nil
	}
	return element(classAttr(class), h.B(textNode("next:")), textNode(" "+advice))
}

// classes are those that are not "".
func classes(all ...string) g.Node { return classAttr(joined(" ", all...)) }

// hidden is said to those who do not see the page.
func hidden(text string) g.Node { return spanOf(classAttr("hidden"), textNode(text)) }

func icon(name string) g.Node {
	return h.SVG(classAttr("icon"), viewBox("0 0 16 16"), ariaAttr("hidden", "true"), shape("use", "href", "#i-"+name))
}

func (d documentPage) markup() g.Node {
	return h.Doctype(h.HTML(
		h.Lang("en"),
		h.Head(
			rawNode("\n"), h.Meta(h.Charset("utf-8")),
			rawNode("\n"), h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(d.Policy)),
			rawNode("\n"), h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			rawNode("\n"), h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			rawNode("\n"), h.Meta(h.Name("referrer"), h.Content("no-referrer")),
			rawNode("\n"), h.Meta(h.Name("generator"), h.Content("assay")),
			rawNode("\n"), h.TitleEl(textNode(d.Title)),
			rawNode("\n"), h.StyleEl(rawNode(style)), rawNode("\n"),
		),
		h.Body(
			rawNode("\n"), rawNode(symbols), d.header(),
			h.Main(g.If(d.Plots, d.plotless()), rawNode("\n"), rawNode(d.Body)),
			d.footer(),
			g.If(d.Script != "", g.Group{
				h.Script(h.Type("application/json"), h.ID("plot-data"), rawNode(d.Data)), rawNode("\n"),
				h.Script(rawNode(d.Script)), rawNode("\n"),
			}),
		),
	))
}

func (d documentPage) header() g.Node {
	return h.Header(
		divOf(
			classAttr("bar"), h.P(classAttr("brand"), textNode("assay")),
			h.Button(h.Type("button"), h.ID("theme"), g.Attr("hidden"), textNode("theme: auto")),
		),
		rawNode("\n"), h.H1(textNode(d.Title)),
		rawNode("\n"), optional(h.P, d.About, classAttr("meta")),
		g.If(len(d.Tally) > 0, h.Ul(classAttr("tally"), g.Map(d.Tally, func(p pointView) g.Node {
			return h.Li(classAttr(p.Class), textNode(p.Text))
		}))),
		g.If(len(d.Parts) > 0, h.Nav(ariaAttr("label", "contents"), g.Map(d.Parts, func(p part) g.Node {
			return h.A(h.Href("#"+p.Anchor), textNode(p.Text))
		}))),
		rawNode("\n"),
	)
}

func (d documentPage) plotless() g.Node {
	if d.Script == "" {
		return h.P(classAttr("none"), textNode("plots are missing from this build: run make build"))
	}
	return h.NoScript(h.P(classAttr("none"), textNode("The plots need JavaScript; every number is in the tables.")))
}

func (d documentPage) footer() g.Node {
	const drawn = "The plots are drawn by Apache ECharts (Apache License 2.0) with zrender (BSD 3-Clause) and tslib (0BSD), all of them inside this file."
	return h.Footer(
		g.If(d.Licences != "", h.Details(
			classAttr("licences"), h.Summary(textNode("Licences of the plots in this file")),
			h.P(textNode(drawn)), h.Pre(h.TabIndex("0"), textNode(d.Licences)),
		)),
		h.P(textNode("Written by assay. This file asks no network for anything.")), rawNode("\n"),
	)
}

func headingMarkup(b block.Heading, size int, anchor string) g.Node {
	element := [...]func(...g.Node) g.Node{h.H2, h.H3, h.H4}[size-2]
	return g.Group{element(h.ID(anchor), textNode(b.Text), aside(b.Aside)), rawNode("\n")}
}

func sentenceMarkup(s block.Sentence) g.Node {
	return g.Group{h.P(
		g.If(s.Quiet, classAttr("note")), textNode(s.Text),
		before(optional(h.Span, s.Sum, classAttr("arithmetic"))), before(next(h.Span, "advice", s.Advice)),
	), rawNode("\n")}
}

func pointsMarkup(all []pointView) g.Node {
	return g.Group{h.Ul(classAttr("verdict"), rawNode("\n"), lines(all, func(p pointView) g.Node {
		return h.Li(classAttr(p.Class), icon(p.Icon), spanOf(classAttr("word"), textNode(p.Label)), spanOf(
			textNode(p.Text), optional(h.Span, p.Sum, classAttr("sub arithmetic")), next(h.Span, "sub advice", p.Advice),
		))
	})), rawNode("\n")}
}

func listMarkup(class string, items []string) g.Node {
	return g.Group{h.Ul(classAttr(class), lines(items, func(item string) g.Node { return h.Li(textNode(item)) })), rawNode("\n")}
}

func codeMarkup(c block.Code) g.Node {
	return g.Group{h.Pre(h.TabIndex("0"), textNode(c.Text)), rawNode("\n")}
}

func detailsMarkup(d block.Details, inside string) g.Node {
	return g.Group{h.Details(g.If(d.Open, g.Attr("open", "open")), h.Summary(textNode(d.Summary)), rawNode("\n"), rawNode(inside)), rawNode("\n")}
}

func (v annotatedView) markup() g.Node {
	return g.Group{optional(h.H3, v.Title), divOf(classAttr("card annotated"), rawNode("\n"), lines(v.Pieces, pieceView.markup)), rawNode("\n")}
}

func (v pieceView) markup() g.Node {
	piece := "piece"
	if len(v.Notes) > 0 {
		piece += " noted"
	}
	return divOf(
		classAttr(piece), v.First.markup(),
		g.If(len(v.Notes) > 0, h.Ul(classAttr("margin"), lines(v.Notes, marginNote.markup))),
		g.If(len(v.Rest) > 0, divOf(classAttr("rest"), lines(v.Rest, textLine.markup))),
	)
}

func (l textLine) markup() g.Node {
	line := "line"
	if l.Class != "" {
		line += " read " + l.Class
	}
	return g.Group{
		optional(h.P, l.LeftOut, classAttr("left")),
		divOf(classAttr(line), h.ID(l.ID), spanOf(classAttr("at"), textNode(strconv.Itoa(l.Number))), h.Code(textNode(l.Text))),
	}
}

func (n marginNote) markup() g.Node {
	folded := n.Sum
	if folded == "" {
		folded = "what to do"
	}
	return h.Li(
		classAttr(n.Class), spanOf(classAttr("word"), icon(n.Icon), textNode(n.Label)), textNode(" "),
		h.A(h.Href("#"+n.LineID), ariaAttr("label", "line "+strconv.Itoa(n.Line)), textNode(strconv.Itoa(n.Line))), textNode(" "+n.Text),
		g.If(n.Sum != "" || n.Advice != "", h.Details(h.Summary(textNode(folded)), next(h.P, "advice", n.Advice))),
	)
}

func footnotesMarkup(all []noteView) g.Node {
	return g.Group{h.Ol(classAttr("findings"), rawNode("\n"), lines(all, noteView.markup)), rawNode("\n")}
}

func (n noteView) markup() g.Node {
	return h.Li(
		classes("card", n.Class),
		h.H3(g.If(n.Word != "", spanOf(classes("tag", n.Class), icon(n.Icon), textNode(n.Word))), textNode(n.Text)),
		g.If(n.Name != "", h.P(classAttr("sub"), h.Code(textNode(n.Name)))),
		lines(n.Each, eachNote.markup),
		next(h.P, "advice", n.Shared),
	)
}

func (n eachNote) markup() g.Node {
	about := textNode(n.About)
	if n.Row != "" {
		about = h.A(h.Href("#"+n.Row), about)
	}
	number := strconv.Itoa(n.Number)
	return divOf(
		h.ID("finding-"+number), classAttr("each"), spanOf(classAttr("number"), textNode(number)),
		divOf(g.If(n.About != "", h.P(classAttr("sub"), about)), optional(h.P, n.Sum, classAttr("arithmetic")), next(h.P, "advice", n.Advice)),
	)
}
