package audit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
)

var pctSupport = Rule{
	ID: "pct-support", Number: 24, Applies: "anything with percentiles", Severities: "W",
	Title:   "Too few operations for this percentile",
	Formula: "operations in a repeat < ln .05 / ln p: 299 for p99, 2,995 for p99.9, 29,956 for p99.99",
	Source:  "the probability that none of n operations lies beyond p is p^n; at this n it is 5 %",
	Example: "p99.99 needs 29,956 operations; a repeat had 8,280",
	Check: func(e Evidence) []assay.Finding {
		const id = "pct-support"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				shown := l.shownPercentiles(dir)
				if len(shown) == 0 {
					continue
				}
				n, ok := l.operations(dir)
				var metrics, needs []string
				for _, p := range shown {
					metrics = append(metrics, p.metric)
				}
				if !ok || n < 0 {
					found = append(found, l.unchecked(id, metrics, "operations in a repeat", "the tool's output shows them; fio calls them issued rwts"))
					continue
				}
				metrics = nil
				for _, p := range shown {
					if need := operationsFor(p.percent); n < need {
						metrics = append(metrics, p.metric)
						needs = append(needs, fmt.Sprintf("%s needs %s operations", p.name(), grouped(need, 0)))
					}
				}
				if len(metrics) == 0 {
					continue
				}
				found = append(found, l.finding(id, assay.Warns, metrics,
					strings.Join(needs, ", ")+"; a repeat had "+grouped(n, 0),
					"this percentile is little more than the slowest operation of the repeat: it is not reproducible",
					"quote a lower percentile, or measure longer"+l.until(dir, shown, n)))
			}
		}
		for _, l := range e.looks() {
			for _, op := range l.ofObjects() {
				if f := l.fewRequests(op); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

// fewRequests judges the percentiles of one object-store operation; nil if they
// are supported, or none is in the tail.
func (l look) fewRequests(op string) *assay.Finding {
	const id = "pct-support"
	p := "object." + op + "."
	_, tail := l.latenciesOf(p)
	if len(tail) == 0 {
		return nil
	}
	n, ok := l.median(p + "requests")
	sum := "there were " + grouped(n, 0)
	if !ok {
		speed, okSpeed := l.median(p + "ops")
		ran, okTime := l.median("tool.duration")
		n, ok = math.Round(speed*ran), okSpeed && okTime && speed > 0 && ran > 0
		sum = fmt.Sprintf("there were %s requests/s x %s = %s", figure(speed), seconds(ran), grouped(n, 0))
	}
	if !ok {
		f := l.unchecked(id, tail, "number of requests", "the tool's output has it, or how long it ran")
		return &f
	}
	var metrics, needs []string
	for _, metric := range tail {
		percent, _ := assay.Percentile(metric)
		if need := operationsFor(percent); n < need {
			metrics = append(metrics, metric)
			needs = append(needs, fmt.Sprintf("%s needs %s requests", point{percent: percent}.name(), grouped(need, 0)))
		}
	}
	if len(metrics) == 0 {
		return nil
	}
	f := l.finding(id, assay.Warns, metrics, strings.Join(needs, ", ")+", "+sum,
		"this percentile is little more than the slowest request: it is not reproducible", "quote a lower percentile, or make more requests")
	return &f
}

// operations returns how many operations one repeat completed in a direction: the
// tool's count, or rate times duration.
func (l look) operations(dir string) (float64, bool) {
	if n, ok := l.median("storage." + dir + ".ios"); ok {
		return n, true
	}
	rate, okRate := l.median("storage." + dir + ".iops")
	seconds, okTime := l.median("tool.duration")
	return math.Ceil(rate * seconds), okRate && okTime && l.foreign() && rate > 0 && seconds > 0
}

// shown are the percentiles that reports show as figures. assay's own runs stop
// at p99.9; others print p99.99 and draw conclusions from it.
var (
	shown    = []float64{50, 99, 99.9, 99.99}
	ownShown = []float64{50, 99, 99.9}
)

func (l look) shownPercentiles(dir string) []point {
	list := shown
	if l.Trial.Repeats > 0 { // planned: assay measured it
		list = ownShown
	}
	var found []point
	for _, p := range percentiles(l.reps[0], dir) {
		if slices.Contains(list, p.percent) {
			found = append(found, p)
		}
	}
	return found
}

// until returns a command that runs as long as the percentiles need; "" if that
// exceeds a day or assay chooses the length itself.
func (l look) until(dir string, shown []point, n float64) string {
	ran, _, ok := l.runtime()
	if !l.foreign() || !ok || !(n > 0) {
		return ""
	}
	need := 0.0
	for _, p := range shown {
		need = max(need, operationsFor(p.percent))
	}
	runtime := math.Ceil(1.1 * ran * need / n)
	if !(runtime < 86400) {
		return ""
	}
	return ": " + l.again(dir, map[string]string{"runtime": strconv.Itoa(int(runtime))})
}

// operationsFor returns how many operations a percentile needs, rounded up,
// allowing for floating-point error.
func operationsFor(percent float64) float64 {
	return math.Ceil(math.Log(supportMiss)/math.Log(percent/100) - 1e-6)
}
