package audit

import (
	"fmt"

	"assay"
	"assay/stats"
)

var drifts = Rule{
	ID: "drifts", Number: 115, Applies: "tools that print a row a second", Severities: "I",
	Title:   "Faster at the start than at the end, or the other way round",
	Formula: "in imported output with at least eight rows: the medians of the first and the last third of the rows differ by more than 1.3 x",
	Source:  "a choice: beyond it, a single mean hides two speeds, as when a cache fills up, a drive heats up or TCP is still ramping up",
	Example: "3,442 at the start, 1,277 at the end: 0.371 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if !l.foreign() {
				continue // steady-state judges its samples
			}
			for _, metric := range append(l.figures(), l.throughputs()...) {
				if f := l.drift(metric); f != nil {
					found = append(found, *f)
					break
				}
			}
		}
		return found
	},
}

// drift reports that the start and end of a figure's rows differ, nil if they are
// alike, or too few.
func (l look) drift(metric string) *assay.Finding {
	rows := l.samples(metric)
	third := len(rows) / 3
	if len(rows) < driftRows {
		return nil
	}
	first, last := stats.Median(rows[:third]), stats.Median(rows[len(rows)-third:])
	if !(first > 0) || !(last > 0) || distance(last/first) <= driftTimes {
		return nil
	}
	message := "it slowed down during the run: a cache filled, a drive heated or something else began; the mean stands for two speeds"
	if last > first {
		message = "it became faster during the run: the start is of a cold cache, of TCP's slow start or of something that ended; the mean stands for two speeds"
	}
	f := l.finding("drifts", assay.Informs, []string{metric}, fmt.Sprintf("%s at the start, %s at the end: %s", inUnit(metric, first), inUnit(metric, last), times(last/first)),
		message, "run it for several times as long, and quote the speed that it settles at")
	return &f
}
