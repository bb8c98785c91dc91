package analysis

import (
	"math"
	"slices"
	"strconv"

	"assay"
	"assay/stacks/failover"
)

// FailedOver is what happened while something was stopped, and after.
type FailedOver struct {
	Name, What, Host string // what was stopped, and where
	Asked            string // what had to answer
	Command          bool   // a command, not an address
	From, To         string // the hosts that had its address before and then; "" where nobody said
	Observers        int
	Time             Figure  // the longest time without an answer
	Least            *Figure // of the other observer; nil if there was none
	Lost, Requests   *Figure
	Whole            *Figure // time until redundancy was restored; nil if unknown
	Interval         float64 // s between answers: anything shorter goes unseen; 0 if unknown
	SinceStop        bool    // Whole counts from the stop, not from when it was put back
	Loader           string  // the host on which a load ran meanwhile; "" where none did
	Load             []Phase // what it did, in chronological order
}

// Phase is what a load did in one part of a failover.
type Phase struct {
	Of   LoadPhase
	Rate Figure
}

// LoadPhase is one part of a failover.
type LoadPhase string

// The phases.
const (
	LoadBefore   LoadPhase = "before"
	LoadStopped  LoadPhase = "stopped"  // until it is put back
	LoadRecovery LoadPhase = "recovery" // until redundancy is whole
	LoadAfter    LoadPhase = "after"
)

// failovers returns the measured failovers, one point each.
func (f Found) failovers() []Point {
	var out []Point
	for _, r := range f.rowsOf("failovers") {
		took := believed(r, "failover.time")
		at := slices.IndexFunc(f.Run.Results, func(other assay.Result) bool { return other.Trial.ID == r.Trial })
		if took == nil || at < 0 {
			continue
		}
		result := f.Run.Results[at]
		e, _, err := failover.Of(result.Trial.Subject.Params)
		if err != nil {
			continue
		}
		over := FailedOver{
			Name: e.Name, What: e.What(), Host: e.Host, Asked: e.Asked(), Command: e.Command != "", Observers: len(e.Observers),
			From: labelled(result, "failover.time", "from"), To: labelled(result, "failover.time", "to"),
			Time: *took, Least: believed(r, "failover.time.least"), Lost: believed(r, "failover.lost"), Requests: believed(r, "failover.requests"),
			Interval: interval(result), Whole: believed(r, "failover.whole"), SinceStop: labelled(result, "failover.whole", "from") == "stop",
			Loader: labelled(result, "failover.load.before", "host"),
		}
		for _, phase := range []LoadPhase{LoadBefore, LoadStopped, LoadRecovery, LoadAfter} {
			if rate := believed(r, "failover.load."+string(phase)); rate != nil {
				over.Load = append(over.Load, Phase{phase, *rate})
			}
		}
		out = append(out, Point{Note, over})
	}
	return out
}

// interval returns the usual time between two answers, in s, from the repeat where it was
// longest; 0 if none reports it.
func interval(r assay.Result) (longest float64) {
	for _, rep := range r.Counted() {
		if m := rep.Measurement("failover.time"); m != nil {
			if s, err := strconv.ParseFloat(m.Labels["interval"], 64); err == nil && s > longest && !math.IsInf(s, 1) {
				longest = s
			}
		}
	}
	return longest
}

// labelled returns the label that a metric has in all counted repeats, or "" if they
// differ.
func labelled(r assay.Result, metric, label string) string {
	word := ""
	for i, rep := range r.Counted() {
		m := rep.Measurement(metric)
		if m == nil || i > 0 && m.Labels[label] != word {
			return ""
		}
		word = m.Labels[label]
	}
	return word
}
