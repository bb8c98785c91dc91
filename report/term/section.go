package term

import (
	"slices"
	"strings"

	"assay/report"
)

// table is a section on its way to the page: what its rows have in common is
// said once, above them.
type table struct {
	rows    []report.Row
	kinds   []kind
	subject string // of all rows; "" where they differ
	count   string // what all figures rest on; "" where they differ
	quick   bool   // all rows with numbers are quick looks
}

func newTable(s report.Section) table {
	t := table{rows: s.Rows, kinds: kinds(s.Rows), quick: true}
	var figures []report.Figure
	for i, r := range s.Rows {
		if subject := clean(r.Subject); i == 0 {
			t.subject = subject
		} else if subject != t.subject {
			t.subject = ""
		}
		figures = append(figures, r.Figures...)
		t.quick = t.quick && (r.Quick || len(r.Figures) == 0)
	}
	t.count, _ = counts(figures)
	t.quick = t.quick && len(figures) > 0
	return t
}

func (p *page) section(s report.Section, plots report.Plots) {
	title := clean(s.Title)
	if title == "" {
		title = clean(s.ID)
	}
	t := newTable(s)
	p.rule(join(" · ", title, t.subject))
	p.say(s.Note, "", dim)
	p.say(t.legend(), "", dim)
	p.put()
	if len(s.Rows) == 0 {
		p.say("nothing was measured", "", plain)
	}
	p.rows(t)
	p.ceilings(t)
	p.timeline(t, plots.Timeline)
}

// legend says once what every number below rests on.
func (t table) legend() string {
	var some, several, unsure bool
	level := 0.0
	for _, r := range t.rows {
		for _, f := range r.Figures {
			some = true
			several = several || f.N > 1
			unsure = unsure || spread(f) == "± ?"
			level = max(level, f.Level)
		}
	}
	if !some {
		return ""
	}
	words := "single readings, so without a spread"
	if several {
		words = "median of the repeats"
	}
	parts := []string{join(", ", words, t.count)}
	if level > 0 {
		parts = append(parts, "± is how far its "+percent(level)+" interval reaches")
	}
	if unsure {
		parts = append(parts, "± ? is too few repeats for one")
	}
	text := strings.Join(parts, "; ")
	if t.quick {
		text += ". A quick look: too short to settle an argument"
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// settings is the dim line under a title: all that the table has not said yet.
func (t table) settings(r report.Row) string {
	var subject, count, quick string
	if t.subject == "" {
		subject = clean(r.Subject)
	}
	if t.count == "" {
		count = rowCounts(r)
	}
	if r.Quick && !t.quick {
		quick = "quick look"
	}
	return join(" · ", subject, clean(r.Settings), count, quick)
}

// rows shows the rows in the roomiest way that the width allows: one line a
// row, spread under the number, figures under a title of the full width, or a
// list of figures under each title.
func (p *page) rows(t table) {
	main := slices.DeleteFunc(slices.Clone(t.kinds), func(k kind) bool { return !k.main })
	for _, way := range []layout{
		{kinds: t.kinds, shape: oneLine},
		{kinds: t.kinds, shape: twoLines},
		{kinds: t.kinds, shape: headed},
		{kinds: main, shape: twoLines},
		{kinds: main, shape: headed},
	} {
		if len(way.kinds) > 0 && way.fit(t, p.columns) {
			p.grid(t, way)
			return
		}
	}
	p.stack(t)
}

// heading writes a title with its settings: beside it, or below where the line
// is too short for both.
func (p *page) heading(t table, r report.Row) {
	title, settings := titleOf(r), t.settings(r)
	if width(title)+3+width(settings) <= p.columns && settings != "" {
		p.put(line{title, strong}, line{" · " + settings, dim})
		return
	}
	for _, l := range wrap(title, p.columns) {
		p.put(line{l, strong})
	}
	for _, l := range wrap(settings, p.columns-2) {
		p.put(line{"  " + l, dim})
	}
}

func titleOf(r report.Row) string {
	if title := clean(r.Title); title != "" {
		return title
	}
	return clean(r.Trial)
}

// afterRow says in words what the numbers of a row alone cannot.
func (p *page) afterRow(r report.Row, shown []kind) {
	var rejected, noted []string
	for _, f := range r.Figures {
		if f.Rejected {
			rejected = append(rejected, join(" ", label(f), marks(f)))
		}
		hidden := !slices.ContainsFunc(shown, func(k kind) bool { return k.label == label(f) })
		if hidden && (f.Rejected || len(f.Footnotes) > 0) {
			noted = append(noted, sentence(f))
		}
	}
	if r.Fewer != "" {
		p.hang(line{"  – ", yellow}, clean(r.Fewer), yellow)
	}
	if len(noted) > 0 {
		p.hang(line{"  also ", dim}, strings.Join(noted, ", "), plain)
	}
	if len(rejected) > 0 {
		p.hang(line{"  ✗ ", red}, "rejected: "+strings.Join(rejected, ", "), red)
	}
}

// absent says why a row has no number.
func (p *page) absent(r report.Row, indent string) {
	p.hang(line{indent + "– ", yellow}, string(r.Absent.Word)+": "+r.Absent.Why, yellow)
	if r.Absent.Hint != "" {
		p.hang(line{indent + "  hint: ", dim}, r.Absent.Hint, plain)
	}
}
