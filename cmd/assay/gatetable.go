package main

import (
	"fmt"
	"strconv"

	"assay/compare"
	"assay/compare/gate"
	"assay/stats"
)

// printGate prints the verdicts in the format that was asked for.
func (a *app) printGate(g gate.Gate, strict bool) error {
	if a.format == formatJSON {
		return writeJSON(a.stdout, struct {
			gate.Gate
			Strict bool `json:"strict"`
			Fails  bool `json:"fails"`
		}{g, strict, g.Fails(strict)})
	}
	p := tables{w: a.stdout, markdown: a.format == formatMarkdown}
	p.width, _ = terminal(a.stdout)
	p.columns(compare.Comparison{Columns: g.Columns})
	compared := compare.Comparison{}
	for _, f := range g.Figures {
		if wasHeld(f) {
			compared.Rows = append(compared.Rows, f.Row)
		}
	}
	rests := sameCount(compared)
	var rows, alone [][]string
	for _, f := range g.Figures {
		base, other := f.Cells[0], f.Cells[1]
		if !wasHeld(f) {
			alone = append(alone, []string{gateTitle(f), string(f.Verdict), shortened(f.Why)})
			continue
		}
		rows = append(rows, []string{gateTitle(f), cellText(f.Row, base, rests == ""), cellText(f.Row, other, rests == ""), ratioText(f.Row, other.Against), limitText(f), gateVerdict(f)})
	}
	p.table("", []string{"test", "A", "B", "B / A", "limit", "verdict"}, rows)
	p.table("Not held against the base", []string{"what", "verdict", "why"}, alone)
	p.differences("Measured on other things", compared.Rows, func(r compare.Row) []compare.Difference { return r.Facts })
	p.differences("Measured with other settings", compared.Rows, func(r compare.Row) []compare.Difference { return r.Settings })
	p.say(gateSummary(g, strict, rests))
	for _, n := range g.Notes {
		p.say("Note: " + n + ".")
	}
	return p.err
}

// wasHeld says whether a figure was held against the base, whatever came of it.
func wasHeld(f gate.Figure) bool {
	return f.Cells[0] != nil && f.Cells[1] != nil && f.Cells[1].Against != nil
}

func shortened(why string) string {
	if r := []rune(why); len(r) > mostWhy {
		return string(r[:mostWhy-1]) + "…"
	}
	return why
}

// gateTitle names a figure; of a trial without cells, its id.
func gateTitle(f gate.Figure) string { return rowTitle(f.Row) }

// limitText prints how far a figure may move, with its sign.
func limitText(f gate.Figure) string {
	sign := "+"
	if f.Better == "higher" {
		sign = "-"
	}
	return sign + percent(f.Limit)
}

func percent(share float64) string {
	return strconv.FormatFloat(100*share, 'g', 4, 64) + " %"
}

func gateVerdict(f gate.Figure) string {
	switch {
	case f.Verdict == gate.Passed:
		return string(f.Verdict)
	case f.Verdict == gate.Regressed && f.Holm < .001:
		return string(f.Verdict) + ", p<0.001"
	case f.Verdict == gate.Regressed:
		return fmt.Sprintf("%s, p=%.3f", f.Verdict, f.Holm)
	case f.More > 0 && f.Verdict == gate.TooFew:
		return fmt.Sprintf("%s: about %d more each", f.Verdict, f.More)
	case f.More > 0:
		return fmt.Sprintf("%s: about %d more %s each", f.Verdict, f.More, f.Cells[1].Unit)
	}
	return fmt.Sprintf("%s: %s", f.Verdict, f.Why)
}

// gateReason says in one line what a verdict rests on.
func gateReason(f gate.Figure) string {
	base, other := f.Cells[0], f.Cells[1]
	if !wasHeld(f) {
		return f.Why
	}
	text := fmt.Sprintf("ratio %s, limit %s; %s against %s", ratioText(f.Row, other.Against), limitText(f), cellText(f.Row, other, true), cellText(f.Row, base, true))
	if f.Verdict == gate.Regressed {
		text += fmt.Sprintf("; p %.2g", f.Holm)
	}
	if f.Why != "" {
		text += "; " + f.Why
	}
	if f.More > 0 {
		text += fmt.Sprintf("; about %d more %s on each side would decide it", f.More, other.Unit)
	}
	return text
}

// gateSummary counts the verdicts, and says what they rest on.
func gateSummary(g gate.Gate, strict bool, rests string) string {
	var words []string
	for _, v := range gate.Verdicts {
		if n := g.Count(v); n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, v))
		}
	}
	text := list(words) + "."
	if rests != "" {
		text += " Medians of " + rests + "."
	}
	if g.Tests > 0 {
		text += fmt.Sprintf(" Regressed is the whole %.0f %% interval of the ratio beyond the limit and p below %v", 100*stats.Confidence, stats.Alpha)
		if g.Tests > 1 {
			text += fmt.Sprintf(", corrected for %d figures (Holm)", g.Tests)
		}
		text += "; passed is all of it within."
	}
	if open := g.Count(gate.Undecided); open > 0 && !strict {
		text += " What is not decided does not close the gate: --strict does."
	}
	return text
}
