package versus

import (
	"fmt"
	"slices"

	"assay/compare"
)

// Shared is a difference and the figures it affects.
type Shared struct {
	compare.Difference
	In  []string // their titles, each once
	All bool     // it affects all of several rows
}

// Differences returns what differs in some rows, merging equal differences of
// several rows.
func Differences(rows []compare.Row, of func(compare.Row) []compare.Difference) []Shared {
	var all []Shared
	for _, r := range rows {
		for _, d := range of(r) {
			i := slices.IndexFunc(all, func(s Shared) bool { return s.Name == d.Name && slices.Equal(s.Values, d.Values) })
			if i < 0 {
				all, i = append(all, Shared{Difference: d}), len(all)
			}
			all[i].In = withOnce(all[i].In, Title(r))
		}
	}
	for i := range all {
		all[i].All = len(all[i].In) == len(rows) && len(rows) > 1
	}
	return all
}

// Facts returns what differs in what a row was measured on.
func Facts(r compare.Row) []compare.Difference { return r.Facts }

// Settings returns what differs in how a row was measured.
func Settings(r compare.Row) []compare.Difference { return r.Settings }

// Alone is figures of one trial that lack a partner for one reason.
type Alone struct {
	Columns []string // their letters
	What    string   // the trial, with its figure if there is only one
	Why     string
}

// MostWhy is the most characters of a reason that are shown: tools print long
// lines.
const MostWhy = 120

// Lone returns what has no partner, merging the figures of one trial that lack
// one for the same reason, in whatever columns.
func Lone(c compare.Comparison) []Alone {
	type figures struct{ columns, metrics []string }
	found := map[[2]string]*figures{}
	var order [][2]string
	for _, l := range c.Lone {
		key := [2]string{l.Trial, l.Why}
		at := found[key]
		if at == nil {
			at = &figures{}
			found[key], order = at, append(order, key)
		}
		at.columns, at.metrics = withOnce(at.columns, Letter(l.Column)), withOnce(at.metrics, l.Metric)
	}
	var all []Alone
	for _, key := range order {
		at, what, why := found[key], key[0], []rune(key[1])
		switch {
		case len(at.metrics) > 1:
			what += fmt.Sprintf(", %d figures", len(at.metrics))
		case at.metrics[0] != "":
			what += ", " + at.metrics[0]
		}
		if len(why) > MostWhy {
			why = append(why[:MostWhy-1], '…')
		}
		all = append(all, Alone{at.columns, what, string(why)})
	}
	return all
}

func withOnce(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
