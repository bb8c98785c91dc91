package gate

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/compare"
)

// DefaultLimit is how much worse a figure may be by default.
const DefaultLimit = .05

// Limits are how much worse figures may be, as fractions of the base: 0.05 is a
// rate 5 % lower, or a time 5 % longer.
type Limits struct {
	All float64 `json:"all"`
	Of  []Limit `json:"of"` // of those that have one of their own; the last that matches counts
}

// Limit applies to the figures that match a name: a case, probe/case or a
// metric, where * matches any characters but a slash.
type Limit struct {
	Name string  `json:"name"`
	Most float64 `json:"most"`
}

// ParseLimits parses words like 5% and randread-4k=10%. The last word without a
// name wins. Errors name the word and carry a hint.
func ParseLimits(words []string) (Limits, error) {
	l := Limits{All: DefaultLimit, Of: []Limit{}}
	for _, word := range words {
		name, text, named := strings.Cut(word, "=")
		if !named {
			name, text = "", word
		}
		most, err := share(text)
		if err != nil {
			return l, assay.WithHint("use the form 5% or randread-4k=10%", "limit %q: %w", word, err)
		}
		if !named {
			l.All = most
			continue
		}
		if _, err := path.Match(name, ""); err != nil || name == "" {
			return l, assay.WithHint("use a case, probe/case or metric, as in randread-4k=10%", "limit %q: unknown name %q", word, name)
		}
		l.Of = append(l.Of, Limit{name, most})
	}
	return l, nil
}

// share parses a percentage of at least 0 and less than 100.
func share(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !percent || err != nil || !(v >= 0 && v < 100) {
		return 0, errors.New("not a percentage of at least 0 and below 100")
	}
	return v / 100, nil
}

// Unused returns the names that match no figure of the gate.
func (l Limits) Unused(g Gate) []string {
	var out []string
	for _, one := range l.Of {
		used := false
		for _, f := range g.Figures {
			used = used || one.matches(f.Row)
		}
		if !used {
			out = append(out, one.Name)
		}
	}
	return out
}

func (l Limits) of(r compare.Row) float64 {
	most := l.All
	for _, one := range l.Of {
		if one.matches(r) {
			most = one.Most
		}
	}
	return most
}

func (l Limit) matches(r compare.Row) bool {
	for _, name := range []string{r.Case, r.Probe + "/" + r.Case, r.Metric} {
		if is, _ := path.Match(l.Name, name); is {
			return true
		}
	}
	return false
}
