package report

import (
	"fmt"
	"strings"

	"assay"
	"assay/analysis"
	"assay/analysis/fitness"
	"assay/internal/quantity"
	"assay/report/block"
)

// Wait is what a use of storage waits for when it writes.
type Wait struct {
	Storage string                 `json:"storage,omitempty"` // "" where the run has one storage
	Use     string                 `json:"use"`
	Grade   string                 `json:"grade"`
	Trial   string                 `json:"trial"`
	Size    int64                  `json:"size"`   // B
	Median  float64                `json:"median"` // s
	P99     float64                `json:"p99"`
	P999    float64                `json:"p99_9"`
	Rate    float64                `json:"rate"` // a second, one after the other
	Group   []analysis.GroupCommit `json:"group,omitempty"`
	Measure string                 `json:"measure"`
	Least   float64                `json:"least,omitempty"` // what is wanted; one of the two
	Most    float64                `json:"most,omitempty"`
	Text    string                 `json:"text"`

	Source fitness.Source `json:"source"`
}

func waitsOf(all []analysis.Wait) []Wait {
	var out []Wait
	for _, w := range all {
		out = append(out, Wait{
			Storage: w.Storage, Use: string(w.Use), Grade: string(w.Grade), Trial: w.Trial, Size: w.Size, Median: w.Median, P99: w.P99, P999: w.P999,
			Rate: w.Rate, Group: w.Group, Measure: string(w.By.Measure), Least: w.By.Least, Most: w.By.Most, Text: waitWords(w), Source: w.By.Source,
		})
	}
	return out
}

// waitWords says what a use of storage would feel.
func waitWords(w analysis.Wait) string {
	where := ""
	if w.Storage != "" {
		where = " on " + w.Storage
	}
	times := func(v float64) string { return quantity.Amount(v, assay.Seconds) }
	judged := map[fitness.Grade]string{fitness.Good: "enough", fitness.Borderline: "borderline", fitness.Unfit: "too slow"}[w.Grade]
	wanted := fmt.Sprintf("%s: %s wanted (%s)", judged, Wait{Measure: string(w.By.Measure), Least: w.By.Least, Most: w.By.Most}.wanted(), w.By.Source.Name)
	switch w.Use {
	case fitness.Etcd:
		text := fmt.Sprintf("etcd%s waits %s for fdatasync at p99, %s at p99.9, %s", where, times(w.P99), times(w.P999), wanted)
		if w.Grade == fitness.Unfit {
			text += "; expect leader elections and slow API calls"
		}
		return text + "."
	case fitness.Databases:
		text := fmt.Sprintf("A database%s commits %s times a second in one session (%s each, %s at p99.9)", where, quantity.Three(w.Rate), times(1/w.Rate), times(w.P999))
		if n := len(w.Group); n > 0 {
			last := w.Group[n-1]
			text += fmt.Sprintf(", %s times in %d sessions together", quantity.Full(last.Rate, 0), last.Writers)
		}
		return text + ", " + wanted + "."
	}
	text := fmt.Sprintf("A VM%s waits %s for each durable 4 KiB write, %s at p99, %s", where, times(w.Median), times(w.P99), wanted)
	if w.Async > w.Rate && w.Rate > 0 {
		text += fmt.Sprintf("; without waiting, %d in flight, it writes %s × as fast", w.InFlight, quantity.Two(w.Async/w.Rate))
	}
	return text + "."
}

// wanted returns the threshold: "at most 10 ms".
func (w Wait) wanted() string {
	if w.Measure == string(fitness.LogCommits) {
		return fmt.Sprintf("at least %s a second", quantity.Full(w.Least, 0))
	}
	return fmt.Sprintf("at %s %s", least(w.Least > 0), boundOf(fitness.Measure(w.Measure), w.Least+w.Most))
}

// bound returns the threshold as in tables: "≤ 10 ms".
func (w Wait) bound() string {
	words := w.wanted()
	for long, short := range map[string]string{"at least ": "≥ ", "at most ": "≤ ", " a second": "/s"} {
		words = strings.Replace(words, long, short, 1)
	}
	return words
}

// waitBlocks shows what each use waits for, with the thresholds.
func waitBlocks(all []Wait) block.Blocks {
	if len(all) == 0 {
		return nil
	}
	several := all[0].Storage != ""
	var sources []string
	for _, w := range all {
		sources = appendNew(sources, w.Use+": "+w.Source.Name)
	}
	t := block.Table{Grouped: several, Legend: "Times are of fdatasync after a write to a log, for VM disks of a synchronous write. " +
		"Several writers share one log. What is wanted: " + strings.Join(sources, ", ") + "."}
	for _, h := range []string{"storage", "use", "write", "p50", "p99", "p99.9", "a second", "wanted", "fit"} {
		if h == "storage" && !several {
			continue
		}
		t.Columns = append(t.Columns, block.Column{Heading: h, Right: strings.HasPrefix(h, "p") || h == "a second" || h == "write", Minor: h == "write"})
	}
	for _, w := range all {
		var cells []block.Cell
		if several {
			cells = block.Words(w.Storage)
		}
		rate := quantity.Full(w.Rate, 0)
		var under []string
		for _, g := range w.Group {
			under = append(under, fmt.Sprintf("%s by %d", quantity.Full(g.Rate, 0), g.Writers))
		}
		cells = append(cells, block.Words(w.Use, writeSize(w.Size), quantity.Amount(w.Median, assay.Seconds), quantity.Amount(w.P99, assay.Seconds), quantity.Amount(w.P999, assay.Seconds))...)
		cells = append(cells, block.Cell{Text: rate, Under: under}, block.Cell{Text: w.bound()}, block.Cell{Text: w.Grade, Is: kindsOfFit[w.Grade]})
		t.Rows = append(t.Rows, block.Row{Cells: cells})
	}
	return block.Blocks{block.Heading{Level: 1, Text: "What waits for a durable write"}, t}
}

// writeSize formats a size that need not be round.
func writeSize(n int64) string {
	if n%1024 == 0 {
		return quantity.Size(n)
	}
	return quantity.Full(float64(n), 0) + " B"
}
