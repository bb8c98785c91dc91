package html

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// The nodes that pages are mostly made of. Where gomponents' functions are called, the
// compiler writes out all that renders the node; these it calls.

//go:noinline
func textNode(s string) g.Node { return g.Text(s) }

//go:noinline
func rawNode(s string) g.Node { return g.Raw(s) }

//go:noinline
func classAttr(s string) g.Node { return h.Class(s) }

//go:noinline
func roleAttr(s string) g.Node { return h.Role(s) }

//go:noinline
func ariaAttr(name, s string) g.Node { return h.Aria(name, s) }

//go:noinline
func spanOf(children ...g.Node) g.Node { return h.Span(children...) }

//go:noinline
func divOf(children ...g.Node) g.Node { return h.Div(children...) }
