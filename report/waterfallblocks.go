package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/order"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// waterfallWords says where the time goes, the largest part first.
func waterfallWords(w analysis.Waterfall) string {
	steps := slices.Clone(w.Steps)
	order.Stable(steps, func(a, b analysis.LayerStep) int { return compareDown(a.Cost.Center, b.Cost.Center) })
	var parts []string
	for _, s := range steps {
		if len(parts) < 3 && s.Cost.Center > 0 && s.Share >= .01 && !s.Unclear() {
			is := ""
			if len(parts) == 0 {
				is = "is "
			}
			parts = append(parts, fmt.Sprintf("%s (%.0f %%) %s%s", lasting(s.Cost.Center), 100*s.Share, is, stepWords(s)))
		}
	}
	whole := lasting(w.Layers[len(w.Layers)-1].Latency)
	if len(parts) == 0 {
		return fmt.Sprintf("%s: a %s takes %s; its repeats scatter too much to tell where that goes.", w.Top, operationOf(w), whole)
	}
	return fmt.Sprintf("%s: a %s takes %s, of which %s.%s", w.Top, operationOf(w), whole, prose.And(parts), tripWords(w))
}

// The shares of replication time above which a round trip is most of it, or a part worth
// naming.
const (
	mostlyTrip = .7
	partlyTrip = .3
)

// tripWords compares the cost of replication with the network; "" if there is nothing to
// explain.
func tripWords(w analysis.Waterfall) string {
	t := w.Trip
	if t == nil || t.Unclear() {
		return ""
	}
	text := fmt.Sprintf(" Replication takes %s, a round trip over %s %s: ", lasting(t.Replica.Center), t.Over, lasting(t.RTT))
	switch share, peer := t.Share(), t.PeerShare(); {
	case share >= mostlyTrip:
		return text + "it is the link."
	case peer >= mostlyTrip:
		return text + fmt.Sprintf("not the link, but the storage of the peer: %s takes %s, %s more than here.", t.Peer.Name, lasting(t.Peer.Latency), lasting(t.Peer.Beyond))
	case share >= partlyTrip:
		return text + fmt.Sprintf("%.0f %% of it is the link, the rest the storage of the peer and the replication itself.", 100*share)
	}
	return text + "not the link, but the storage of the peer or the replication itself."
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// operationOf names the operation: "4 KiB synchronous write".
func operationOf(w analysis.Waterfall) string {
	return quantity.Size(w.Size) + " " + string(w.Load)
}

func lasting(v float64) string {
	if v < 0 {
		return "−" + quantity.Amount(-v, assay.Seconds)
	}
	return quantity.Amount(v, assay.Seconds)
}

// stepWords names a step: "the flush of tank", "the write path of drbd", "ext4 at
// /srv".
func stepWords(s analysis.LayerStep) string {
	switch s.Part {
	case analysis.FlushStep:
		return "the flush of " + s.Layer
	case analysis.PathStep:
		return "the write path of " + s.Layer
	}
	return s.Layer
}

// waterfallBlocks draws each stack from its lowest layer up, each step beginning where
// the one below it ends.
func waterfallBlocks(all []analysis.Waterfall) block.Blocks {
	if len(all) == 0 {
		return nil
	}
	out := block.Blocks{block.Heading{Level: 1, Text: "Where the time goes"}}
	for _, w := range all {
		kind := "median"
		if w.Mean {
			kind = "mean"
		}
		out = append(out, block.Heading{Level: 2, Text: w.Top + ", " + operationOf(w), Aside: "at depth 1, " + kind + " latency"})
		out = append(out, waterfallBars(w), waterfallTable(w))
		rest := w.Rest()
		if math.Abs(rest) > analysis.Unexplained {
			out = append(out, block.Sentence{Is: block.Doubt, Word: "scatter", Text: fmt.Sprintf("The steps add up to %.0f %% of the latency: its repeats differ too much. Measure longer (--length, --repeats), on an idle machine.", 100*(1-rest))})
		} else {
			out = append(out, block.Sentence{Quiet: true, Text: fmt.Sprintf("The steps add up to %.0f %% of the latency.", 100*(1-rest))})
		}
		if words := tripWords(w); words != "" {
			out = append(out, block.Sentence{Is: block.Note, Word: "network", Text: strings.TrimSpace(words)})
		}
		if w.Model != nil {
			out = append(out, modelSentence(w))
		}
		for _, l := range w.Left {
			out = append(out, block.Sentence{Is: block.Next, Word: "without", Text: fmt.Sprintf("%s: %s; its time is part of the layer above.", l.Name, strings.TrimSuffix(l.Why, "."))})
		}
		for _, a := range w.Assume {
			out = append(out, block.Sentence{Is: block.Note, Word: "assumed", Text: a + "."})
		}
	}
	legend := "Costs are medians of the differences between repeats of one round, with their 95 % bootstrap intervals; ± ? is too few repeats for one."
	if slices.ContainsFunc(all, func(w analysis.Waterfall) bool { return slices.ContainsFunc(w.Steps, analysis.LayerStep.Unclear) }) {
		legend += " Unclear: the interval includes 0, so the layer may cost nothing."
	}
	return append(out, block.Sentence{Quiet: true, Text: legend})
}

func waterfallBars(w analysis.Waterfall) block.Bars {
	bars := block.Bars{Told: false}
	// The longest that any step reaches is the full length.
	reach, at := 0., 0.
	for _, s := range w.Steps {
		reach = max(reach, at, at+s.Cost.Center)
		at += s.Cost.Center
	}
	if !(reach > 0) {
		return bars
	}
	at = 0
	for _, s := range w.Steps {
		from := min(at, at+s.Cost.Center)
		bars.Bars = append(bars.Bars, block.Bar{
			Title: stepTitle(s), Cell: stepCell(s), From: block.Number(max(from, 0) / reach), Share: block.Number(math.Abs(s.Cost.Center) / reach),
			Aside: shareWords(s),
		})
		at += s.Cost.Center
	}
	return bars
}

// shareWords returns a step's share of the whole, but none if the step may cost
// nothing.
func shareWords(s analysis.LayerStep) string {
	if s.Unclear() {
		return "unclear"
	}
	if s.Cost.Center > 0 && s.Share < .005 {
		return "< 1 %"
	}
	return strings.ReplaceAll(fmt.Sprintf("%.0f %%", 100*s.Share), "-", "−")
}

func stepTitle(s analysis.LayerStep) string {
	if s.Part == analysis.WholeStep {
		return s.Layer
	}
	return s.Layer + ", " + string(s.Part)
}

func stepCell(s analysis.LayerStep) block.Cell {
	f := block.Figure{
		Metric: "latency of " + stepTitle(s), Unit: string(assay.Seconds), Value: block.Number(s.Cost.Center), Low: block.Number(s.Cost.Low), High: block.Number(s.Cost.High),
		Level: s.Cost.Level, N: s.Pairs, Better: "lower", Spread: "± ?",
	}
	if s.Cost.Level > 0 {
		f.Spread = fmt.Sprintf("[%s, %s]", lasting(s.Cost.Low), lasting(s.Cost.High))
	}
	return block.Cell{Text: lasting(s.Cost.Center), Figure: &f}
}

// waterfallTable lists the layers, each with all below it.
func waterfallTable(w analysis.Waterfall) block.Table {
	t := block.Table{Columns: []block.Column{
		{Heading: "layer, with all below it"}, {Heading: "latency", Right: true}, {Heading: "p99", Right: true}, {Heading: "p99.9", Right: true}, {Heading: "IOPS", Right: true}, {Heading: "IOPS lost", Right: true},
	}}
	amount := func(v float64) string {
		if v == 0 {
			return ""
		}
		return lasting(v)
	}
	for i, l := range w.Layers {
		lost := ""
		if i > 0 && l.Lost > 0 {
			lost = quantity.Full(l.Lost, 0)
		}
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(l.Name, lasting(l.Latency), amount(l.P99), amount(l.P999), quantity.Full(l.IOPS, 0), lost)})
	}
	return t
}

// modelSentence compares the model with the measurement.
func modelSentence(w analysis.Waterfall) block.Sentence {
	m := w.Model
	whole := w.Layers[len(w.Layers)-1].Latency
	if !m.Known() {
		return block.Sentence{Is: block.Next, Word: "model", Text: "Can't predict it from the layers below; missing: " + strings.Join(m.Missing, ", ") + "."}
	}
	var terms []string
	for _, t := range m.Terms {
		terms = append(terms, fmt.Sprintf("%s %s", t.Name, lasting(t.Value)))
	}
	s := block.Sentence{Is: block.Note, Word: "model", Sum: m.Arithmetic() + " against " + lasting(whole)}
	s.Text = fmt.Sprintf("The layers below and the network explain %s (%s); ", lasting(m.Value), strings.Join(terms, ", "))
	switch {
	case m.Residual > analysis.Unexplained:
		s.Is = block.Doubt
		s.Text += fmt.Sprintf("%.0f %% of the time is not explained: the software of the storage, or replicas slower than assumed.", 100*m.Residual)
	case m.Residual < -analysis.Unexplained:
		s.Is = block.Doubt
		s.Text += fmt.Sprintf("it takes %.0f %% less than that: it does not wait for what the model waits for.", -100*m.Residual)
	default:
		s.Text += fmt.Sprintf("the rest is %.0f %%.", 100*m.Residual)
	}
	return s
}
