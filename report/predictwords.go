package report

import (
	"fmt"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/limits"
	"assay/report/block"
)

// suggestionWords says what a change would bring: "10 GbE in pve4: sequential writes
// of longhorn 53 MB/s → 410 MB/s, then the drive binds."
func suggestionWords(s analysis.Suggestion) string {
	var parts []string
	for _, p := range s.Effects[:min(len(s.Effects), 2)] {
		parts = append(parts, fmt.Sprintf("%s of %s from %s to %s", predictedFigure(p), p.Storage, predicted(p, p.Now), outlookRange(p)))
	}
	text := fmt.Sprintf("Predicted for %s: %s", changesInWords(s.Changes), prose.And(parts))
	if binds := s.Effects[0].Then.Binds; s.Effects[0].Unit == assay.BytesPerSecond {
		text += "; then the limit is " + binds
	}
	return text + "."
}

func changesInWords(all []analysis.Change) string {
	var words []string
	for _, c := range all {
		words = append(words, changeWords(c))
	}
	return prose.And(words)
}

func changeWords(c analysis.Change) string {
	switch c.What {
	case analysis.ChangeNIC:
		return limits.Ethernet(c.Value) + " in " + c.Of
	case analysis.ChangeReplicas:
		return fmt.Sprintf("%.0f replicas of %s", c.Value, c.Of)
	case analysis.ChangeDrive:
		if c.Value > 0 {
			return "drives of " + quantity.Megabytes(c.Value) + " under " + c.Of
		}
		return "drives with power-loss protection under " + c.Of
	case analysis.ChangeSync:
		return "sync=off on " + c.Of
	}
	return "one more host, " + c.Of
}

// predictedFigure names what a prediction is about.
func predictedFigure(p analysis.Prediction) string {
	way := strings.Split(p.Metric, ".")[1]
	switch {
	case p.Unit == assay.PerSecond:
		return "synchronous writes"
	case p.Random:
		return "random " + way + "s"
	case strings.HasPrefix(p.Metric, "pool."):
		return way + "s"
	}
	return "sequential " + way + "s"
}

func predicted(p analysis.Prediction, v float64) string { return quantity.Of(p.Metric, v) }

// outlookRange formats a prediction with its interval.
func outlookRange(p analysis.Prediction) string {
	return fmt.Sprintf("%s [%s, %s]", predicted(p, p.Then.Value), predicted(p, p.Then.Low), predicted(p, p.Then.High))
}

// PredictionBlocks says what each storage can give, with the arithmetic.
func PredictionBlocks(all []analysis.Prediction) block.Blocks {
	if len(all) == 0 {
		return block.Blocks{block.Sentence{Is: block.Next, Text: "The run has no figures that can be predicted: bandwidth of large operations, or synchronous writes at depth 1.", Advice: "assay run --suite tiers or --suite layers"}}
	}
	out := block.Blocks{block.Heading{Level: 1, Text: "Ceilings"}}
	t := block.Table{Grouped: true, Columns: []block.Column{{Heading: "storage"}, {Heading: "figure"}, {Heading: "measured", Right: true}, {Heading: "ceiling", Right: true}, {Heading: "share", Right: true}, {Heading: "what it is"}}}
	var sums block.Blocks
	for _, p := range all {
		ceiling, share, name := "", "", "unknown: "+strings.Join(p.Missing, ", ")
		if len(p.Ceilings) > 0 {
			c := p.Ceilings[0]
			ceiling, name = predicted(p, c.Value), c.Name
			if p.Unit == assay.BytesPerSecond {
				share = fmt.Sprintf("%.0f %%", 100*p.Now/c.Value)
			}
			var words []string
			for _, l := range p.Ceilings {
				words = append(words, fmt.Sprintf("%s: %s = %s", l.Name, l.Sum, predicted(p, l.Value)))
			}
			sums = append(sums, block.Sentence{Is: block.Note, Word: p.Storage, Text: predictedFigure(p) + ".", Sum: strings.Join(words, "; ")})
		}
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(p.Storage, predictedFigure(p), predicted(p, p.Now), ceiling, share, name)})
	}
	return append(append(out, t), sums...)
}

// OutlookBlocks says what changes would bring.
func OutlookBlocks(changes []analysis.Change, all []analysis.Prediction) block.Blocks {
	out := block.Blocks{block.Heading{Level: 1, Text: "With " + changesInWords(changes)}}
	t := block.Table{Grouped: true, Columns: []block.Column{{Heading: "storage"}, {Heading: "figure"}, {Heading: "now", Right: true}, {Heading: "then", Right: true}, {Heading: "interval", Right: true}, {Heading: "what binds then"}}}
	var notes block.Blocks
	risks := map[string]bool{}
	for _, p := range all {
		if p.Then == nil {
			continue
		}
		then, interval, binds := predicted(p, p.Then.Value), fmt.Sprintf("%s to %s", predicted(p, p.Then.Low), predicted(p, p.Then.High)), p.Then.Binds
		switch {
		case p.Then.Unknown != "":
			then, interval, binds = "unknown", "", p.Then.Unknown
		case p.Then.Unchanged:
			then, interval = "unchanged", ""
		}
		t.Rows = append(t.Rows, block.Row{Cells: block.Words(p.Storage, predictedFigure(p), predicted(p, p.Now), then, interval, binds)})
		if p.Then.Sum != "" {
			notes = append(notes, block.Sentence{Is: block.Note, Word: p.Storage, Text: predictedFigure(p) + ".", Sum: p.Then.Sum + " = " + predicted(p, p.Then.Value)})
		}
		if p.Then.Risk != "" && !risks[p.Then.Risk] {
			risks[p.Then.Risk] = true
			notes = append(notes, block.Sentence{Is: block.Bad, Word: "risk", Text: p.Then.Risk + "."})
		}
	}
	return append(append(out, t), notes...)
}

// SuggestionBlocks lists the changes that would help, the cheapest first.
func SuggestionBlocks(all []analysis.Suggestion) block.Blocks {
	out := block.Blocks{block.Heading{Level: 1, Text: "What a change would bring"}}
	if len(all) == 0 {
		return append(out, block.Sentence{Is: block.Note, Text: "No faster link and no drive with power-loss protection would bring 20 % or more, as far as this run tells."})
	}
	for _, s := range all {
		out = append(out, block.Sentence{Is: block.Next, Word: "try", Text: suggestionWords(s)})
	}
	return out
}

// Checked is a prediction beside what a later run measured.
type Checked struct {
	analysis.Prediction
	Measured float64 `json:"measured"`
	Error    float64 `json:"error"` // predicted over measured, less 1
	Inside   bool    `json:"inside"`
}

// CheckBlocks compares predictions with a later run.
func CheckBlocks(all []Checked) block.Blocks {
	out := block.Blocks{block.Heading{Level: 1, Text: "Predicted and measured"}}
	t := block.Table{Grouped: true, Columns: []block.Column{{Heading: "storage"}, {Heading: "figure"}, {Heading: "before", Right: true}, {Heading: "predicted", Right: true}, {Heading: "measured", Right: true}, {Heading: "error", Right: true}, {Heading: "within the interval"}}}
	inside := 0
	for _, c := range all {
		word := block.Cell{Text: "no", Is: block.Doubt}
		if c.Inside {
			word = block.Cell{Text: "yes", Is: block.Good}
			inside++
		}
		cells := block.Words(c.Storage, predictedFigure(c.Prediction), predicted(c.Prediction, c.Now), predicted(c.Prediction, c.Then.Value), predicted(c.Prediction, c.Measured), fmt.Sprintf("%+.0f %%", 100*c.Error))
		t.Rows = append(t.Rows, block.Row{Cells: append(cells, word)})
	}
	if len(all) == 0 {
		return append(out, block.Sentence{Is: block.Next, Text: "The later run has none of the figures that were predicted."})
	}
	return append(out, t, block.Sentence{Text: fmt.Sprintf("%d of %s within their intervals.", inside, prose.Plural(len(all), "prediction"))})
}
