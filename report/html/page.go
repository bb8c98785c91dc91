package html

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"assay"
	"assay/report"
)

// atOnce is how many timelines are shown before the rest is folded away.
const atOnce = 12

// page is what the template sees.
type page struct {
	Title       string
	Policy      string
	Style       template.CSS
	Script      template.JS // "" in a build without the bundle
	Data        template.JS
	Licences    string
	Run         report.Header
	Hosts       string
	Started     string // for people
	StartedISO  string
	Elapsed     string
	Budget      string
	Tally       []tallied
	Verdict     []sentence
	Away        []report.Away
	Tiers       *tiersView // nil where there are none
	Side        *sideView  // nil where there is one host
	Scaling     []scalingView
	ScalingNote string
	Ceilings    ceilings
	Tables      []table
	Among       []report.Among
	AmongNote   string
	AmongFrom   []string
	Curves      []curveRow
	CurvesWhy   string // why there is no latency plot
	LatencyAlt  string
	Timelines   []timelineView
	More        []timelineView // folded away
	Heat        []string
	HeatLegend  bool
	Findings    []groupView
	Open        []findingView
	OpenCount   string
	Facts       []report.FactGroup
	Missing     []assay.MissingFact
}

// sentence is one of the verdict, with its word and its icon.
type sentence struct {
	Kind string
	Icon string
	Word string
	Text string
}

// tallied is a number of something at the top of the page.
type tallied struct {
	Kind string
	Text string
}

// groupView is what several footnotes have in common, and each of them.
type groupView struct {
	findingView
	Each []findingView
}

// findingView is a footnote with the row it speaks of.
type findingView struct {
	report.Footnote
	Word  string
	Kind  string
	Icon  string
	About string
	Row   string // anchor, "" for a host
	Own   string // advice that its group does not share
}

func newPage(d report.Document, b bundle) (page, error) {
	data := newPlotData(d.Plots)
	var scalings []scalingView
	scalings, data.Scaling = newScaling(d.Scaling)
	text, err := data.script()
	if err != nil {
		return page{}, err
	}
	p := page{
		Style: template.CSS(style), Script: template.JS(b.script), //nolint:gosec // our own files, embedded at build
		Data: text, Licences: b.licences,
		Run: d.Run, Hosts: d.Run.On(),
		Elapsed: report.Amount(d.Run.Elapsed, assay.Seconds), Budget: report.Amount(d.Run.Budget, assay.Seconds),
		Ceilings: newCeilings(d), Curves: curveRows(d.Plots.Latency), Heat: heatWords(data.Heat),
		HeatLegend: len(data.Heat.Temps) > 1, Facts: d.Facts, Missing: d.Missing,
		Policy: policy(b.script), Away: d.Away, Side: newSide(d), Tiers: newTiers(d.Tiers), Scaling: scalings, ScalingNote: report.ScalingNote,
		Among: d.Among, AmongNote: report.AmongNote, AmongFrom: report.AmongSources(d.Among),
	}
	if p.Hosts == "" {
		p.Hosts = "unnamed host"
	}
	if len(data.Latency) > 0 {
		p.LatencyAlt = fmt.Sprintf("latency by percentile, %s; the table below has the numbers", plural(len(data.Latency), "curve"))
	}
	p.Title = p.Hosts + ", " + d.Run.Suite
	if !d.Run.Started.IsZero() {
		p.Title += ", " + d.Run.Started.Format("2006-01-02")
		p.Started, p.StartedISO = d.Run.Started.Format("2006-01-02 15:04 MST"), d.Run.Started.Format("2006-01-02T15:04:05Z07:00")
	}
	for _, s := range d.Verdict {
		p.Verdict = append(p.Verdict, sentence{Kind: kindOf(s.Kind), Icon: iconOf(s.Kind), Word: s.Kind, Text: s.Text})
	}
	rows := map[string]tableRow{}
	for i, s := range d.Sections {
		t := newTable(i+1, s)
		t.fold(s, d)
		p.Tables = append(p.Tables, t)
		for j, r := range s.Rows {
			if _, taken := rows[r.Trial]; !taken && r.Trial != "" {
				rows[r.Trial] = t.Rows[j]
			}
		}
	}
	for _, g := range report.Groups(d.Findings) {
		p.Findings = append(p.Findings, newGroup(g, rows))
	}
	for _, f := range d.Open {
		p.Open = append(p.Open, newFinding(report.Footnote{Finding: f}, rows))
	}
	p.Timelines = timelineViews(data.Timeline)
	if len(p.Timelines) > atOnce {
		p.Timelines, p.More = p.Timelines[:atOnce], p.Timelines[atOnce:]
	}
	p.OpenCount, p.Tally = plural(len(d.Open), "rule"), tally(d)
	return p, nil
}

func newGroup(g report.Group, rows map[string]tableRow) groupView {
	v := groupView{findingView: newFinding(g.Same(), rows)}
	for _, f := range g {
		each := newFinding(f, rows)
		if f.Advice != v.Advice {
			each.Own = f.Advice
		}
		v.Each = append(v.Each, each)
	}
	return v
}

func newFinding(f report.Footnote, rows map[string]tableRow) findingView {
	v := findingView{Footnote: f, About: f.Subject}
	switch f.Severity {
	case assay.Rejects:
		v.Word, v.Kind, v.Icon = "rejects", "bad", "bad"
	case assay.Warns:
		v.Word, v.Kind, v.Icon = "warns", "doubt", "doubt"
	case assay.Informs:
		v.Word, v.Kind, v.Icon = "informs", "limit", "info"
	default:
		v.Word, v.Kind, v.Icon = "not checked", "next", "absent"
	}
	if r, known := rows[f.Subject]; known {
		v.About, v.Row = r.Title, r.Anchor
		if r.Subject != "" {
			v.About += ", " + r.Subject
		}
	}
	return v
}

// iconOf names the picture of a kind of sentence.
func iconOf(kind string) string {
	if kind == "note" {
		return "info"
	}
	return kindOf(kind)
}

// kindOf keeps a word that the style sheet does not know out of a class name.
func kindOf(kind string) string {
	switch kind {
	case "good", "bad", "limit", "doubt", "next":
		return kind
	case "note":
		return "limit"
	}
	return "next"
}

// tally counts what a reader must not overlook.
func tally(d report.Document) []tallied {
	figures, rejected, absent := 0, 0, 0
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if r.Absent != nil || len(r.Figures) == 0 {
				absent++
			}
			for _, f := range r.Figures {
				figures++
				if f.Rejected {
					rejected++
				}
			}
		}
	}
	warnings := 0
	for _, f := range d.Findings {
		if f.Severity == assay.Warns {
			warnings++
		}
	}
	out := []tallied{{"plain", plural(figures, "figure")}}
	add := func(n int, kind, text string) {
		if n > 0 {
			out = append(out, tallied{kind, text})
		}
	}
	add(rejected, "bad", fmt.Sprintf("%d rejected", rejected))
	add(warnings, "doubt", plural(warnings, "warning"))
	add(absent, "next", fmt.Sprintf("%d without a number", absent))
	add(len(d.Open), "next", plural(len(d.Open), "rule")+" not checked")
	return out
}

// policy allows the one script by its hash and nothing from anywhere else.
// The plots set style attributes, which cannot be hashed one by one: styles
// are allowed inline, and can load nothing.
func policy(script string) string {
	scripts := "'none'"
	if script != "" {
		sum := sha256.Sum256([]byte(script))
		scripts = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + scripts + "; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func joinWords(words ...string) string {
	var kept []string
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, ", ")
}
