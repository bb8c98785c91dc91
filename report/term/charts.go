package term

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/report"
)

// percent prints a share.
func percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "unknown"
	}
	digits := 0
	switch a := math.Abs(share); {
	case a > 0 && a < .1:
		digits = 1
	case a >= 1e4: // nonsense is printed short
		return strconv.FormatFloat(100*share, 'g', 3, 64) + " %"
	}
	return strconv.FormatFloat(100*share, 'f', digits, 64) + " %"
}

// ceilings draws the figures of a table against what physics allows them, those
// with the same ceiling together.
func (p *page) ceilings(t table) {
	type entry struct {
		title string
		f     report.Figure
	}
	type group struct {
		name    string
		entries []entry
	}
	var groups []group
	places := apart(t.rows)
	longest, share := 0, 0
	for _, r := range t.rows {
		bounded := 0
		for _, f := range r.Figures {
			if f.Ceiling != nil {
				bounded++
			}
		}
		for _, f := range r.Figures {
			if f.Ceiling == nil {
				continue
			}
			title := join(", ", titleOf(r), places[r.Subject])
			if bounded > 1 {
				title = join(", ", title, label(f))
			}
			name := report.Quantity(f.Metric, f.Ceiling.Value) + ", " + clean(f.Ceiling.Name)
			i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
			if i < 0 {
				groups, i = append(groups, group{name: name}), len(groups)
			}
			groups[i].entries = append(groups[i].entries, entry{title, f})
			longest, share = max(longest, width(title)), max(share, width(percent(f.Ceiling.Share)))
		}
	}
	longest = min(longest, max(p.columns/3, 12))
	long := min(p.columns-2-longest-2-2-share-2, 60)
	for _, g := range groups {
		p.put()
		p.say("share of the ceiling: "+g.name, "", dim)
		for _, e := range g.entries {
			st, mark := cyan, ""
			if e.f.Rejected {
				st, mark = red, " ✗"
			}
			p.put(line{"  " + pad(shorten(e.title, longest), longest, false) + "  ", plain},
				line{pad(bar(e.f.Ceiling.Share, long), long, false), st}, line{"▏ ", dim},
				line{pad(percent(e.f.Ceiling.Share), share, true) + mark, valueStyle(e.f)})
		}
	}
}

// apart gives what tells the subjects of some rows from each other: host names
// where only the hosts differ, "" where there is one subject.
func apart(rows []report.Row) map[string]string {
	parts := map[string][]string{}
	var all [][]string
	for _, r := range rows {
		if _, known := parts[r.Subject]; !known {
			parts[r.Subject] = strings.Split(r.Subject, "/")
			all = append(all, parts[r.Subject])
		}
	}
	head, tail := 0, 0
	same := func(at func(p []string) int) bool {
		for _, p := range all {
			if i := at(p); i < head || i >= len(p) || p[i] != all[0][at(all[0])] {
				return false
			}
		}
		return len(all) > 0
	}
	for same(func([]string) int { return head }) {
		head++
	}
	for same(func(p []string) int { return len(p) - 1 - tail }) {
		tail++
	}
	names := map[string]string{}
	for subject, p := range parts {
		names[subject] = clean(strings.Join(p[head:len(p)-tail], "/"))
	}
	return names
}

// timeline draws what the trials of a table did over time, from zero up.
func (p *page) timeline(t table, all []report.Series) {
	var mine []report.Series
	for _, s := range all {
		if len(s.Points) > 1 && slices.ContainsFunc(t.rows, func(r report.Row) bool { return r.Trial == s.Trial }) {
			mine = append(mine, s)
		}
	}
	if len(mine) > 0 {
		p.put()
		p.say("over time, warm-up included; from 0 to the highest", "", dim)
		p.series(mine, true)
	}
}

// heat draws what the watch saw all through the run.
func (p *page) heat(h report.Heat) {
	all := slices.Clone(h.Temps)
	for _, s := range []*report.Series{h.Clock, h.Load} {
		if s != nil {
			all = append(all, *s)
		}
	}
	all = slices.DeleteFunc(all, func(s report.Series) bool { return len(s.Points) < 2 })
	if len(all) == 0 {
		return
	}
	p.rule("Through the run")
	p.say("Each line from its lowest to its highest.", "", dim)
	p.put()
	p.series(all, false)
}

// series draws each series as one line with its extent in words behind it.
func (p *page) series(all []report.Series, fromZero bool) {
	longest, words := 0, 0
	extents := make([]string, len(all))
	for i, s := range all {
		low, high := extent(values(s))
		extents[i] = amount(low, s.Unit) + " to " + amount(high, s.Unit)
		longest, words = max(longest, width(clean(s.Title))), max(words, width(extents[i]))
	}
	longest = min(longest, max(p.columns/3, 10))
	room := min(p.columns-2-longest-2-2-words, 60)
	for i, s := range all {
		low, high := extent(values(s))
		if fromZero {
			low = math.Min(low, 0)
		}
		drawn := ""
		if room >= 8 {
			drawn = pad(spark(resample(s.Points, room), low, high), room, false) + "  "
		}
		p.put(line{"  " + pad(shorten(clean(s.Title), longest), longest, false) + "  ", plain},
			line{drawn, cyan}, line{shorten(extents[i], p.columns-4-longest), plain})
	}
}

func values(s report.Series) []float64 {
	var vs []float64
	for _, point := range s.Points {
		vs = append(vs, point[1])
	}
	return vs
}

// amount prints a value over time; a number of unit 1 between 0 and 1 is a share.
func amount(v float64, u assay.Unit) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case u == assay.One && v >= 0 && v <= 1:
		return percent(v)
	}
	return strings.TrimSpace(clean(report.Amount(v, u)))
}
