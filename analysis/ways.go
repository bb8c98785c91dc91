package analysis

import (
	"fmt"
	"slices"
	"strings"

	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/stats"
)

// Alike says what all ways of a matrix that have a figure have in common, in every
// repeat: "1500 B on all 12 ways, n=1"; "" where they differ, or where something
// is to be said of one.
func (m Matrix) Alike() string {
	text, count, ways := "", "", 0
	for from, row := range m.Cells {
		for to, c := range row {
			switch {
			case from == to || c.Figure == nil:
				continue
			case c.Figure.Rejected || len(c.Figure.Footnotes) > 0 || c.Odd != "" || c.Via != "":
				return ""
			case ways == 0:
				text, count = quantity.Of(m.Metric, c.Figure.Value), Count(*c.Figure)
			case text != quantity.Of(m.Metric, c.Figure.Value):
				return ""
			case count != Count(*c.Figure):
				return ""
			}
			for _, v := range c.Figure.Repeats {
				if text != quantity.Of(m.Metric, v) {
					return "" // it has a spread to show
				}
			}
			ways++
		}
	}
	if ways < 2 {
		return ""
	}
	return fmt.Sprintf("%s on all %d paths, %s", text, ways, count)
}

// Name names the matrix without its network: "TCP, one flow, throughput".
func (m Matrix) Name() string {
	if m.Label == m.Title || m.Label == "" {
		return m.Title
	}
	return m.Title + ", " + m.Label
}

// Way is a figure of a matrix with its ends.
type Way struct {
	From, To string
	Figure   Figure
}

// Ways gives the figures of a matrix that the audit does not reject, the worst
// first; where neither direction is better, the least first.
func (m Matrix) Ways() []Way {
	var all []Way
	for from, row := range m.Cells {
		for to, c := range row {
			if c.Figure != nil && !c.Figure.Rejected {
				all = append(all, Way{m.Hosts[from], m.Hosts[to], *c.Figure})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Way) int {
		less := a.Figure.Value < b.Figure.Value
		switch {
		case a.Figure.Value == b.Figure.Value:
			return 0
		case less == (m.Better != "lower"):
			return -1
		}
		return 1
	})
	return all
}

// Summary sums up a matrix in a line: "915 Mbit/s (pve4 → pve2, 97 % of the line) to 9.26 Gbit/s
// (pve2 → pve1), median 8.10 Gbit/s, 12 ways"; "" where no way has a figure.
func (m Matrix) Summary() string {
	if alike := m.Alike(); alike != "" {
		return alike
	}
	ways := m.Ways()
	if len(ways) == 0 {
		return ""
	}
	var values []float64
	for _, w := range ways {
		values = append(values, w.Figure.Value)
	}
	worst, best := ways[0], ways[len(ways)-1]
	if len(ways) == 1 {
		return m.way(worst)
	}
	if text := quantity.Of(m.Metric, worst.Figure.Value); text == quantity.Of(m.Metric, best.Figure.Value) {
		return fmt.Sprintf("%s on all %d paths", text, len(ways))
	}
	return fmt.Sprintf("%s to %s, median %s, %d ways", m.way(worst), m.way(best), quantity.Of(m.Metric, stats.Median(values)), len(ways))
}

func (m Matrix) way(w Way) string {
	of := ""
	if c := w.Figure.Ceiling; c != nil {
		of = fmt.Sprintf(", %.0f %% of the line", 100*c.Share)
	}
	return fmt.Sprintf("%s (%s → %s%s)", quantity.Of(m.Metric, w.Figure.Value), w.From, w.To, of)
}

// Settings says once for each kind of trial on links how it was measured: "TCP,
// one flow: tcp, 1 flow". Where that differs, it stands with the rows.
func (s Section) Settings() []string {
	said, order := map[string]string{}, []string{}
	for _, r := range s.Rows {
		_, title, is := strings.Cut(r.Title, ": ")
		if !is || r.Settings == "" {
			continue
		}
		before, known := said[title]
		switch {
		case !known:
			said[title], order = r.Settings, append(order, title)
		case len(r.Settings) < len(before): // the others say more, of their own way
			said[title] = r.Settings
		}
	}
	for i, title := range order {
		order[i] = title + ": " + said[title]
	}
	return order
}

// Lack is rows of a section of which the same is to be said.
type Lack struct {
	Text   string // why they have no figures, or fewer repeats
	Hint   string
	Titles []string
}

// Lacks puts the rows together that have no figures, or rest on fewer repeats,
// for the same reason.
func (s Section) Lacks() []Lack {
	var all []Lack
	add := func(text, hint, title string) {
		i := slices.IndexFunc(all, func(l Lack) bool { return l.Text == text && l.Hint == hint })
		if i < 0 {
			all, i = append(all, Lack{Text: text, Hint: hint}), len(all)
		}
		all[i].Titles = append(all[i].Titles, title)
	}
	for _, r := range s.Rows {
		if r.Absent != nil {
			add(string(r.Absent.Word)+": "+r.Absent.Why, r.Absent.Hint, r.Title)
		}
		if r.Fewer != "" {
			add(r.Fewer, "", r.Title)
		}
	}
	return all
}

// Names lists the first few of the rows and counts the others.
func (l Lack) Names() string { return prose.Enumerate(l.Titles, 3) }
