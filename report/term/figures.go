package term

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/report"
)

// kind is a column of figures: those with one label.
type kind struct {
	label string
	main  bool // shown also where room is short
}

// kinds gives the columns of a section, in the order in which its rows bring
// them up.
func kinds(rows []report.Row) []kind {
	var all []kind
	percentiles := false
	for _, r := range rows {
		for _, f := range r.Figures {
			_, is := assay.Percentile(f.Metric)
			percentiles = percentiles || is
		}
	}
	for _, r := range rows {
		for _, f := range r.Figures {
			i := slices.IndexFunc(all, func(k kind) bool { return k.label == label(f) })
			if i < 0 {
				all, i = append(all, kind{label: label(f)}), len(all)
			}
			all[i].main = all[i].main || isMain(f.Metric, percentiles)
		}
	}
	return all
}

// isMain says whether a figure belongs to the few that are looked at first. A
// mean latency does only where there are no percentiles.
func isMain(metric string, percentiles bool) bool {
	if p, ok := assay.Percentile(metric); ok {
		return p == 50 || p == 99 || p == 99.9
	}
	for _, minor := range []string{".latency.stddev", ".latency.min", ".latency.max"} {
		if strings.HasSuffix(metric, minor) {
			return false
		}
	}
	return !percentiles || !strings.HasSuffix(metric, ".latency.mean")
}

// label is the heading of a figure, as one clean line.
func label(f report.Figure) string {
	if l := clean(f.Label); l != "" {
		return l
	}
	return clean(f.Metric)
}

// value prints a figure; a unit that its heading names is not said twice.
func value(f report.Figure) string {
	v := strings.TrimSuffix(report.Quantity(f.Metric, f.Value), " "+label(f))
	if f.Rejected {
		return "✗ " + v
	}
	return v
}

// spread prints how far the interval reaches. "± ?" says that there are
// repeats but too few for one; a single reading has nothing to spread.
func spread(f report.Figure) string {
	if s := report.Spread(f); s != "" {
		return s
	}
	if f.N > 1 && f.Level == 0 {
		return "± ?"
	}
	return ""
}

// marks prints the numbers of a figure's footnotes: "[1,4]".
func marks(f report.Figure) string {
	if len(f.Footnotes) == 0 {
		return ""
	}
	var ns []string
	for _, n := range f.Footnotes {
		ns = append(ns, strconv.Itoa(n))
	}
	return "[" + strings.Join(ns, ",") + "]"
}

// sentence prints a figure with its heading and all that belongs to it.
func sentence(f report.Figure) string {
	return join(" ", label(f), value(f), spread(f), marks(f))
}

func valueStyle(f report.Figure) style {
	if f.Rejected {
		return red
	}
	return plain
}

// layers sorts the figures of a row under the kinds. A second figure of the
// same kind (the writes of a mixed load) opens a second layer.
func layers(r report.Row, ks []kind) [][]*report.Figure {
	var all [][]*report.Figure
	depth := make([]int, len(ks))
	for i := range r.Figures {
		k := slices.IndexFunc(ks, func(k kind) bool { return k.label == label(r.Figures[i]) })
		if k < 0 {
			continue
		}
		if depth[k] == len(all) {
			all = append(all, make([]*report.Figure, len(ks)))
		}
		all[depth[k]][k] = &r.Figures[i]
		depth[k]++
	}
	return all
}

// layerName tells the layers of a mixed load apart by their direction.
func layerName(layer []*report.Figure) string {
	for _, f := range layer {
		if f == nil {
			continue
		}
		if parts := strings.Split(f.Metric, "."); len(parts) > 2 && parts[0] == "storage" {
			return clean(parts[1])
		}
	}
	return "also"
}

// counts prints what the figures rest on. all is false where they differ.
func counts(figures []report.Figure) (text string, all bool) {
	for i, f := range figures {
		switch c := report.Count(f); {
		case i == 0:
			text = c
		case c != text:
			return "", false
		}
	}
	return text, true
}

// rowCounts prints what the figures of one row rest on; the odd ones are named.
func rowCounts(r report.Row) string {
	text, all := counts(r.Figures)
	if all || len(r.Figures) == 0 {
		return text
	}
	text = report.Count(r.Figures[0])
	for _, f := range r.Figures[1:] {
		if c := report.Count(f); c != report.Count(r.Figures[0]) {
			text += fmt.Sprintf(", %s %s", label(f), c)
		}
	}
	return text
}

// join puts sep between the words that are there.
func join(sep string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), sep)
}
