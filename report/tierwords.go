package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/compare"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// TierLegend says once what the numbers of a table are; where says where a ratio
// stands, as seen from its figure.
func TierLegend(t TierTable, where string) string {
	level, ratios, refused := 0., false, false
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.Figure != nil {
				level = max(level, c.Figure.Level)
			}
			ratios, refused = ratios || c.Against != nil, refused || c.Refused != ""
		}
	}
	words := "Medians"
	if count := t.Count(); count != "" {
		words += " of " + count
	}
	if level > 0 {
		words += fmt.Sprintf(" with their %.0f %% confidence interval", 100*level)
	}
	if ratios {
		words += "; " + where + ", the ratio with its interval, and ~ where the repeats cannot tell the two apart"
	}
	if refused {
		words += "; ≠ marks a different load"
	}
	return words + "."
}

// tierVerdict is the verdict on tiers: how each compares with the base, what
// binds, and what is not to be believed.
func tierVerdict(d Document, run assay.Run) []Sentence {
	out := awaySentences(d)
	var compared, bound []Sentence
	var storage []string
	for _, t := range d.Tiers.Tables {
		columns := t.Columns
		switch t.ID {
		case "storage":
			storage = columns
		case "beside": // the others were held against the base already
			columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return slices.Contains(storage, c) })
		}
		compared = append(compared, comparisons(t, columns)...)
	}
	out = append(out, few(compared, "tier")...)
	if len(d.Tiers.Notes) > 0 && strings.HasPrefix(d.Tiers.Notes[0], "Synchronous") {
		out = append(out, Sentence{"note", d.Tiers.Notes[0]})
	}
	for _, bind := range d.Tiers.Binds {
		if bind.Kind == "limit" || bind.Kind == "doubt" {
			bound = append(bound, Sentence{bind.Kind, bind.Text + "."})
		}
	}
	out = append(out, few(bound, "limit")...)
	if d.Side != nil {
		for _, s := range standingOut(d.Side) {
			if s.Kind != "good" { // of tiers nobody asks whether they are alike
				out = append(out, s)
			}
		}
	}
	out = append(out, append(append(append(health(d), standing(d, run)...), company(d)...), doubts(d)...)...)
	return append(append(out, knownSentences(d)...), nextStep(d)...)
}

// mostTiers is how much of one kind the verdict says.
const mostTiers = 6

// few gives the first sentences of many, and counts the others.
func few(all []Sentence, what string) []Sentence {
	if len(all) <= mostTiers {
		return all
	}
	more := Sentence{"note", fmt.Sprintf("%s: see the tables.", prose.Plural(len(all)-mostTiers+1, "more "+what))}
	return append(slices.Clone(all[:mostTiers-1]), more)
}

// comparisons sums up each column against the base, by what the cases are about.
func comparisons(t TierTable, columns []string) []Sentence {
	var out []Sentence
	for i, name := range t.Columns {
		if !slices.Contains(columns, name) {
			continue
		}
		ways := map[string]*ratioRange{"faster": {}, "slower": {}, "higher": {}, "lower": {}}
		var same, open []string
		for _, r := range t.Rows {
			a := r.Cells[i].Against
			switch {
			case !r.Headline || a == nil:
			case a.Verdict == compare.Equivalent:
				same = append(same, r.Title)
			case r.Cells[i].Same():
				open = append(open, r.Title)
			default:
				ways[howBetter(a.Verdict)].add(a.Ratio, r.Title)
			}
		}
		var parts []string
		for _, way := range []string{"faster", "slower", "higher", "lower"} {
			if w := ways[way]; len(w.titles) > 0 {
				parts = append(parts, fmt.Sprintf("%s%s than %s (%s)", w, way, t.Base, prose.Enumerate(w.titles, 3)))
			}
		}
		if len(same) > 0 {
			parts = append(parts, fmt.Sprintf("as fast as %s (%s)", t.Base, prose.Enumerate(same, 3)))
		}
		text := name + " is " + strings.Join(parts, ", and ")
		switch {
		case len(parts) == 0 && len(open) == 0:
			continue
		case len(parts) == 0:
			text = fmt.Sprintf("%s against %s is undecided (%s)", name, t.Base, prose.Enumerate(open, 3))
		case len(open) > 0:
			text += fmt.Sprintf("; the rest is undecided (%s)", prose.Enumerate(open, 3))
		}
		out = append(out, Sentence{"note", text + "."})
	}
	return out
}

// ratioRange is from where to where some ratios lie, as factors above 1; what is
// compared with nothing, or is itself nothing, has none.
type ratioRange struct {
	titles    []string
	low, high float64
}

func (s *ratioRange) add(ratio float64, title string) {
	s.titles = append(s.titles, title)
	if ratio > 0 && !math.IsInf(ratio, 0) {
		f := factor(ratio)
		if s.high == 0 {
			s.low = f
		}
		s.low, s.high = min(s.low, f), max(s.high, f)
	}
}

func (s *ratioRange) String() string {
	low, high := quantity.Three(s.low), quantity.Three(s.high)
	switch {
	case s.high == 0:
		return ""
	case low == high:
		return low + " × "
	}
	return low + " to " + high + " × "
}
