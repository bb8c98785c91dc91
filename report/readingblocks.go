package report

import (
	"slices"
	"strings"

	"assay"
	"assay/report/block"
)

// Document is the reading in blocks.
func (r Reading) Document() block.Document {
	d := block.Document{Name: "Audit"}
	d.Add(block.Sentence{Text: r.Summary})
	for _, o := range r.Outputs {
		d.Add(o.blocks()...)
	}
	if len(r.Across) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Across outputs"})
		for _, f := range r.Across {
			d.Add(verdictOn(f, f.Subject))
		}
	}
	if len(r.Known) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Hardware facts"}, FactValues(r.Known))
	}
	if len(r.Open) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Skipped checks (missing facts)"})
		d.Add(wantedBlocks(r.Open)...)
	}
	if len(r.Unread) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Not read"})
		for _, u := range r.Unread {
			d.Add(block.Sentence{Is: block.Doubt, Word: Place(u.File, u.Line), Text: u.Why, Advice: u.Hint})
		}
	}
	return d
}

func (o Output) blocks() block.Blocks {
	title := o.Title
	if o.Host != "" {
		title += " on " + o.Host
	}
	all := block.Blocks{block.Heading{Level: 1, Text: strings.TrimSpace(o.From + "  " + title)}}
	if o.Settings != "" {
		all = append(all, block.Sentence{Text: o.Settings, Quiet: true})
	}
	var figures block.Values
	for _, f := range o.Figures {
		i := slices.IndexFunc(figures.Groups, func(g block.Group) bool { return g.Title == f.Group })
		if i < 0 {
			figures.Groups, i = append(figures.Groups, block.Group{Title: f.Group}), len(figures.Groups)
		}
		figure := block.Figure{
			Host: o.Host, Metric: f.Metric, Unit: string(f.Unit), Rejected: f.Rejected,
			Value: block.Number(f.Value), Low: block.Number(f.Value), High: block.Number(f.Value),
		}
		figures.Groups[i].Items = append(figures.Groups[i].Items, block.Value{Name: f.Name, Cell: block.Cell{Text: f.Text, Figure: &figure}})
	}
	if len(figures.Groups) > 0 {
		all = append(all, figures)
	}
	for _, f := range o.Findings {
		all = append(all, verdictOn(f, ""))
	}
	return all
}

// FactValues are facts, group by group.
func FactValues(groups []FactGroup) block.Values {
	var v block.Values
	for _, g := range groups {
		one := block.Group{Title: g.Title}
		for _, f := range g.Rows {
			one.Items = append(one.Items, block.Value{Name: f.Name, Cell: block.Cell{Text: f.Value}})
		}
		v.Groups = append(v.Groups, one)
	}
	return v
}

// severities are how findings of each severity are said.
var severities = map[assay.Severity]struct {
	kind block.Kind
	word string
}{
	assay.Rejects: {block.Bad, "rejects"}, assay.Warns: {block.Doubt, "warns"}, assay.Informs: {block.Limit, "informs"},
	assay.NotChecked: {block.Next, "not checked"},
}

// verdictOn is a finding as a point: what it means, the arithmetic, what to do.
func verdictOn(f assay.Finding, about string) block.Sentence {
	s := severities[f.Severity]
	behind := f.Rule
	if about != "" {
		behind = about + "; " + f.Rule
	}
	return block.Sentence{Is: s.kind, Word: s.word, Text: f.Message + " (" + behind + ")", Sum: f.Arithmetic, Advice: f.Advice}
}

// wantedBlocks say which facts would decide what could not be checked: first those
// that can be given, then the rest.
func wantedBlocks(open []Wanted) block.Blocks {
	var given, others []string
	for _, w := range open {
		text := w.Fact
		if w.Hint != "" {
			text += ": " + w.Hint
		}
		text += " (" + strings.Join(w.Rules, ", ") + ")"
		if w.Given {
			given = append(given, text)
		} else {
			others = append(others, text)
		}
	}
	var all block.Blocks
	if len(given) > 0 {
		all = append(all, block.List{Items: given})
	}
	if len(others) > 0 {
		all = append(all, block.Details{
			Summary: "Facts that only the run itself could provide",
			Brief:   countOf(len(others), "other fact") + " that only the run itself could provide; --format markdown lists them",
			Blocks:  block.Blocks{block.List{Items: others}},
		})
	}
	return all
}
