package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/compare"
	"assay/internal/prose"
)

// Schema names the version of Gate's JSON form.
const Schema = "assay.gate.v1"

// Gate is the verdict on each figure of two columns. Shares and ratios are of 1.
type Gate struct {
	Schema  string         `json:"schema"`
	Columns []compare.Head `json:"columns"` // the base, then what is held against it
	Limits  Limits         `json:"limits"`
	Figures []Figure       `json:"figures"`
	Tests   int            `json:"tests"` // how many p values were corrected together
	Notes   []string       `json:"notes"`
}

// Figure is one figure of the gate. If Verdict is Missing, Failed or NoBase,
// Title is the trial's and there are no cells; Metric is "" for a whole trial.
type Figure struct {
	compare.Row
	Limit   float64 `json:"limit"`  // how much worse it may be, as a share of the base
	P       float64 `json:"p"`      // of it being worse by no more than Limit; 1 where not tested
	Holm    float64 `json:"p_holm"` // P corrected for all tests of the gate
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"` // where it neither passed nor regressed
	// More is roughly how many more repeats on each side would decide it; 0 if it
	// is decided or cannot be estimated.
	More int `json:"more,omitempty"`
}

// Verdict is the outcome for a figure.
type Verdict string

// The verdicts.
const (
	Regressed Verdict = "regressed"
	Passed    Verdict = "passed"
	Undecided Verdict = "not decided"     // the noise allows both
	TooFew    Verdict = "too few repeats" // too few to ever find a regression
	Unlike    Verdict = "unlike"          // measured with other settings
	Missing   Verdict = "missing"         // the base has it
	Failed    Verdict = "failed"          // all or some of its repeats failed
	NoBase    Verdict = "no base"         // only the new side has it, so nothing limits it
)

// Verdicts lists all verdicts, worst first.
var Verdicts = []Verdict{Regressed, Failed, Missing, Unlike, TooFew, Undecided, NoBase, Passed}

// Fails reports whether the figure fails the gate: a strict gate passes only figures
// that passed or have no base.
func (f Figure) Fails(strict bool) bool {
	return f.Verdict == Regressed || strict && f.Verdict != Passed && f.Verdict != NoBase
}

// Count returns how many figures have one of the verdicts.
func (g Gate) Count(verdicts ...Verdict) int {
	n := 0
	for _, f := range g.Figures {
		if slices.Contains(verdicts, f.Verdict) {
			n++
		}
	}
	return n
}

// Empty reports whether nothing was held against the base: no figure has one.
func (g Gate) Empty() bool { return g.Count(NoBase) == len(g.Figures) }

// Fails reports whether any figure fails the gate. A strict gate also fails if it is empty.
func (g Gate) Fails(strict bool) bool {
	return strict && g.Empty() || slices.ContainsFunc(g.Figures, func(f Figure) bool { return f.Fails(strict) })
}

// Judge judges the second column of a comparison against the first. Figures
// without a better and a worse are left out.
func Judge(c compare.Comparison, l Limits) Gate {
	g := Gate{Schema: Schema, Columns: c.Columns, Limits: l, Figures: []Figure{}, Notes: slices.Clone(c.Notes)}
	if g.Notes == nil {
		g.Notes = []string{}
	}
	for _, row := range c.Rows {
		if row.Better != "" && row.Cells[1] != nil {
			g.Figures = append(g.Figures, Figure{Row: row, Limit: l.of(row), P: 1, Holm: 1})
		}
	}
	g.Tests = judge(g.Figures)
	for _, row := range c.Refused {
		if row.Better != "" {
			g.Figures = append(g.Figures, Figure{Row: row, Limit: l.of(row), P: 1, Holm: 1, Verdict: Unlike, Why: unlike(row)})
		}
	}
	alone, notes := spared(c)
	g.Figures = append(g.Figures, lonely(alone, l)...)
	g.Notes = append(g.Notes, notes...)
	return g
}

// spared returns what has no partner, without the figures that the audit rejected in some
// runs only, whose other runs have a row: a note says how many these are.
func spared(c compare.Comparison) (alone []compare.Lone, notes []string) {
	type figure struct {
		column        int
		trial, metric string
	}
	runs, first := map[figure]map[string]bool{}, []compare.Lone{}
	for _, one := range c.Lone {
		if !one.Rejected || !slices.ContainsFunc(slices.Concat(c.Rows, c.Refused), func(r compare.Row) bool {
			cell := r.Cells[one.Column]
			return cell != nil && r.Metric == one.Metric && slices.Contains(cell.Trials, one.Trial)
		}) {
			alone = append(alone, one)
			continue
		}
		f := figure{one.Column, one.Trial, one.Metric}
		if runs[f] == nil {
			runs[f], first = map[string]bool{}, append(first, one)
		}
		runs[f][one.Run] = true // a link measured both ways at once has two figures in each
	}
	for _, one := range first {
		notes = append(notes, fmt.Sprintf("%s, %s: %d of %s of %s left out: %s", cmp.Or(one.Title, one.Trial), one.Metric,
			len(runs[figure{one.Column, one.Trial, one.Metric}]), prose.Plural(len(c.Columns[one.Column].Runs), "run"), string(rune('A'+one.Column)), one.Why))
	}
	return alone, notes
}

// unlike describes how the settings of a figure differ.
func unlike(row compare.Row) string {
	var words []string
	for _, d := range row.Settings {
		words = append(words, d.Name+": "+strings.Join(d.Values, " | "))
	}
	return "measured with different settings: " + strings.Join(words, ", ")
}

// ofBase prefixes a reason that lies in the base.
const ofBase = "base: "

// lonely returns figures for what only one column has. What only the base has is
// missing, with the new side's reason if there is one. A figure of the base that
// the audit rejected is no base.
func lonely(all []compare.Lone, l Limits) []Figure {
	var out []Figure
	explained := map[int]bool{}
	for _, one := range all {
		if one.Column != 0 || one.Metric == "" {
			continue
		}
		f := lone(one, Missing, l)
		if one.Rejected {
			f.Verdict, f.Why = NoBase, ofBase+one.Why
		}
		for i, other := range all {
			if other.Column == 1 && partners(one, other, all) && (other.Metric == "" || other.Metric == one.Metric) {
				explained[i] = true
				if one.Rejected {
					continue // there was nothing to compare it with
				}
				f.Why = other.Why
				if other.Metric == "" {
					f.Verdict = Failed
				}
			}
		}
		out = append(out, f)
	}
	for _, silent := range all {
		for i, other := range all {
			if silent.Column == 0 && silent.Metric == "" && other.Column == 1 && partners(silent, other, all) {
				explained[i] = true // the base's own reason stands
			}
		}
	}
	for i, one := range all {
		switch {
		case explained[i] || one.Column > 1:
		case one.Column == 1 && one.Metric == "":
			out = append(out, lone(one, Failed, l))
		case one.Column == 1:
			out = append(out, lone(one, NoBase, l))
		case one.Metric == "":
			one.Why = ofBase + one.Why
			out = append(out, lone(one, NoBase, l))
		}
	}
	return out
}

// partners reports whether what the new side says explains the base's entry: both are
// of the same trial, or of the same case if neither trial is on both sides.
func partners(base, other compare.Lone, all []compare.Lone) bool {
	if base.Trial == other.Trial {
		return true
	}
	return caseOf(base.Trial) == caseOf(other.Trial) && !slices.ContainsFunc(all, func(l compare.Lone) bool {
		return l.Column == 1 && l.Trial == base.Trial || l.Column == 0 && l.Trial == other.Trial
	})
}

func lone(one compare.Lone, v Verdict, l Limits) Figure {
	probe, name, _ := strings.Cut(caseOf(one.Trial), "/")
	f := figureOf(probe, name, cmp.Or(one.Title, one.Trial), one.Metric, v, one.Why)
	f.Limit = l.of(f.Row)
	return f
}

func figureOf(probe, name, title, metric string, v Verdict, why string) Figure {
	described, _ := assay.Describe(metric)
	return Figure{
		Row: compare.Row{
			Probe: probe, Case: name, Title: title, Metric: metric, Unit: described.Unit,
			Cells: []*compare.Cell{nil, nil}, Settings: []compare.Difference{}, Facts: []compare.Difference{},
		},
		P: 1, Holm: 1, Verdict: v, Why: why,
	}
}

// caseOf returns a trial's id without its subject.
func caseOf(trial string) string {
	name, _, _ := strings.Cut(trial, "@")
	return name
}

// NameFailures adds the new side's trials in which some repeats failed but
// others have figures, if the base has the case at all.
func (g *Gate) NameFailures(column compare.Column) {
	known := map[string]bool{}
	for _, f := range g.Figures {
		known[f.Probe+"/"+f.Case] = known[f.Probe+"/"+f.Case] || f.Verdict != NoBase
	}
	for _, pick := range column.Picks {
		t, broke, made, why := pick.Result.Trial, 0, 0, ""
		for _, rep := range pick.Result.Repeats {
			switch {
			case rep.N > 0 && rep.Outcome == assay.Broke:
				broke++
				why = rep.Error
			case rep.Counted():
				made++
			}
		}
		if broke > 0 && made > 0 && known[t.Probe+"/"+t.Case] {
			g.Figures = append(g.Figures, figureOf(t.Probe, t.Case, cmp.Or(t.Title, t.ID), "", Failed, fmt.Sprintf("%d of %d repeats failed: %s", broke, broke+made, why)))
		}
	}
}
