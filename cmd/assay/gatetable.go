package main

import (
	"fmt"
	"strconv"

	"assay/compare"
	"assay/compare/gate"
	"assay/report/block"
	"assay/report/versus"
	"assay/stats"
)

// gateDocument reports the outcome of each figure.
func gateDocument(g gate.Gate, strict bool) block.Document {
	d := block.Document{Name: "Gate", Data: struct {
		gate.Gate
		Strict bool `json:"strict"`
		Fails  bool `json:"fails"`
	}{g, strict, g.Fails(strict)}}
	compared := compare.Comparison{}
	for _, f := range g.Figures {
		if wasHeld(f) {
			compared.Rows = append(compared.Rows, f.Row)
		}
	}
	rests := versus.SameCount(compared)
	held := block.Table{Columns: []block.Column{{Heading: "test"}, {Heading: "A"}, {Heading: "B"}, {Heading: "B / A"}, {Heading: "limit"}, {Heading: "verdict"}}}
	var alone [][]string
	for _, f := range g.Figures {
		if !wasHeld(f) {
			alone = append(alone, []string{gateTitle(f), string(f.Verdict), shortened(f.Why)})
			continue
		}
		held.Rows = append(held.Rows, block.Row{Cells: []block.Cell{
			{Text: gateTitle(f)}, versus.MedianCell(f.Row, f.Cells[0], rests == ""), versus.MedianCell(f.Row, f.Cells[1], rests == ""),
			versus.RatioCell(f.Row, f.Cells[1].Against), {Text: limitText(f)}, {Text: gateVerdict(f), Is: kindsOfGate[f.Verdict]},
		}})
	}
	d.Add(versus.Columns(g.Columns, nil))
	if len(held.Rows) > 0 {
		d.Add(held)
	}
	if len(alone) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Not compared with the base"}, block.Texts([]string{"what", "verdict", "why"}, alone))
	}
	d.Add(versus.Unlike("Measured on different hardware or software", compared.Rows, versus.Facts)...)
	d.Add(versus.Unlike("Measured with different settings", compared.Rows, versus.Settings)...)
	d.Add(block.Sentence{Text: gateSummary(g, strict, rests)})
	for _, n := range g.Notes {
		d.Add(block.Sentence{Text: "Note: " + n + "."})
	}
	return d
}

var kindsOfGate = map[gate.Verdict]block.Kind{gate.Passed: block.Good, gate.Regressed: block.Bad, gate.Undecided: block.Doubt}

// wasHeld reports whether a figure was compared with the base, whatever the
// outcome.
func wasHeld(f gate.Figure) bool {
	return f.Cells[0] != nil && f.Cells[1] != nil && f.Cells[1].Against != nil
}

func shortened(why string) string {
	if r := []rune(why); len(r) > versus.MostWhy {
		return string(r[:versus.MostWhy-1]) + "…"
	}
	return why
}

// gateTitle names a figure; for a trial without cells, by its id.
func gateTitle(f gate.Figure) string { return versus.Title(f.Row) }

// limitText formats how far a figure may move, with its sign.
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

// gateReason explains in one line what a verdict rests on.
func gateReason(f gate.Figure) string {
	base, other := f.Cells[0], f.Cells[1]
	if !wasHeld(f) {
		return f.Why
	}
	text := fmt.Sprintf("ratio %s, limit %s; %s vs %s", versus.Ratio(f.Row, other.Against), limitText(f), versus.Median(f.Row, other, true), versus.Median(f.Row, base, true))
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
		text += fmt.Sprintf(" Regressed: the whole %.0f %% interval of the ratio is beyond the limit and p is below %v", 100*stats.Confidence, stats.Alpha)
		if g.Tests > 1 {
			text += fmt.Sprintf(", corrected for %d figures (Holm)", g.Tests)
		}
		text += ". Passed: the whole interval is within the limit."
	}
	if open := g.Count(gate.Undecided); open > 0 && !strict {
		text += " Undecided results do not fail the gate unless --strict is given."
	}
	return text
}
