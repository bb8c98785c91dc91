package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/analysis"
	"assay/internal/order"
	"assay/internal/quantity"
	"assay/stats"
)

// alike returns the value that all measured paths of a matrix share, in every
// repeat: "1500 B on all 12 ways, n=1"; "" if they differ, or if one of them needs
// a remark.
func alike(m analysis.Matrix) string {
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

// matrixName names the matrix without its network: "TCP, one flow, throughput".
func matrixName(m analysis.Matrix) string {
	if m.Label == m.Title || m.Label == "" {
		return m.Title
	}
	return m.Title + ", " + m.Label
}

// matrixHeading names the matrix: "storage: TCP, one flow, throughput in bit/s".
func matrixHeading(m analysis.Matrix) string {
	if m.Label == m.Title { // a round trip is all that such a trial measures
		return m.Network + ": " + m.Title
	}
	return strings.TrimSuffix(m.Network+": "+m.Title+", "+quantity.Heading(m.Label, m.Metric), ", ")
}

// way is a figure of a matrix with its ends.
type way struct {
	from, to string
	figure   Figure
}

// waysOf returns the figures of a matrix that the audit does not reject, worst
// first; if neither direction is better, smallest first.
func waysOf(m analysis.Matrix) []way {
	var all []way
	for from, row := range m.Cells {
		for to, c := range row {
			if c.Figure != nil && !c.Figure.Rejected {
				all = append(all, way{m.Hosts[from], m.Hosts[to], *c.Figure})
			}
		}
	}
	order.Stable(all, func(a, b way) int {
		less := a.figure.Value < b.figure.Value
		switch {
		case a.figure.Value == b.figure.Value:
			return 0
		case less == (m.Better != "lower"):
			return -1
		}
		return 1
	})
	return all
}

// summary sums up a matrix in a line: "915 Mbit/s (pve4 → pve2, 97 % of the line) to 9.26
// Gbit/s (pve2 → pve1), median 8.10 Gbit/s, 12 ways"; "" if no path has a figure.
func summary(m analysis.Matrix) string {
	if text := alike(m); text != "" {
		return text
	}
	ways := waysOf(m)
	if len(ways) == 0 {
		return ""
	}
	var values []float64
	for _, w := range ways {
		values = append(values, w.figure.Value)
	}
	worst, best := ways[0], ways[len(ways)-1]
	if len(ways) == 1 {
		return wayWords(m, worst)
	}
	if text := quantity.Of(m.Metric, worst.figure.Value); text == quantity.Of(m.Metric, best.figure.Value) {
		return fmt.Sprintf("%s on all %d paths", text, len(ways))
	}
	return fmt.Sprintf("%s to %s, median %s, %d ways", wayWords(m, worst), wayWords(m, best), quantity.Of(m.Metric, stats.Median(values)), len(ways))
}

func wayWords(m analysis.Matrix, w way) string {
	of := ""
	if c := w.figure.Ceiling; c != nil {
		of = fmt.Sprintf(", %.0f %% of the line", 100*c.Share)
	}
	return fmt.Sprintf("%s (%s → %s%s)", quantity.Of(m.Metric, w.figure.Value), w.from, w.to, of)
}

// settingsOfKinds returns, once for each kind of link trial, how it was measured:
// "TCP, one flow: tcp, 1 flow". The rows show any differences.
func settingsOfKinds(s Section) []string {
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
		case len(r.Settings) < len(before): // the others add details of their path
			said[title] = r.Settings
		}
	}
	for i, title := range order {
		order[i] = title + ": " + said[title]
	}
	return order
}

// lack is a set of rows of a section that share one remark.
type lack struct {
	text   string // why they have no figures, or fewer repeats
	hint   string
	titles []string
}

// lacksOf groups the rows that have no figures, or rest on fewer repeats, by
// reason.
func lacksOf(s Section) []lack {
	var all []lack
	add := func(text, hint, title string) {
		i := slices.IndexFunc(all, func(l lack) bool { return l.text == text && l.hint == hint })
		if i < 0 {
			all, i = append(all, lack{text: text, hint: hint}), len(all)
		}
		all[i].titles = append(all[i].titles, title)
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
