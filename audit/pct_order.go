package audit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/stats"
)

var pctOrder = Rule{
	ID: "pct-order", Number: 23, Applies: "fio", Severities: "E",
	Title:   "Percentiles out of order",
	Formula: "a percentile below a lower one, or above the maximum latency x (1 + 1/128), beyond print rounding; or, in a report of fio, a mean completion latency more than 1 % above the mean total latency, which contains it; or a mean above what its percentiles allow, each share at its upper end x (1 + 1/64) and the rest at the maximum",
	Source:  "arithmetic; fio's histogram has 64 bins per octave and prints the middle of one (stat.h)",
	Example: "p99 = 20.0 ms against p99.9 = 18.0 ms",
	Check: func(e Evidence) []assay.Finding {
		const id = "pct-order"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				some, wrong, sum, metrics := false, 0, "", []string(nil)
				for _, r := range l.reps {
					points := percentiles(r, dir)
					some = some || len(points) > 0
					if s, m := outOfOrder(r, dir, points); s != "" {
						wrong, sum, metrics = wrong+1, s, m
					}
				}
				clock, clockFound := l.clockWrong(dir)
				switch {
				case clockFound:
					found = append(found, clock)
				case !some && l.label(dir, "tool") == "fio" && !l.foreign():
					found = append(found, l.unchecked(id, nil, "latency percentiles", "fio without gtod_reduce=1 prints them"))
				case wrong > 0:
					found = append(found, l.finding(id, assay.Rejects, metrics, sum+", "+inRepeats(wrong, len(l.reps)),
						"no set of latencies has these percentiles: they come from different runs, or were calculated wrongly",
						"take them from the tool's own output; never average percentiles"))
				}
			}
		}
		return found
	},
}

// point is one percentile of a latency.
type point struct {
	percent float64 // 0..100
	latency float64 // s
	metric  string
}

func (p point) name() string { return "p" + strconv.FormatFloat(p.percent, 'f', -1, 64) }

// percentiles returns the latency percentiles of one repeat in ascending order;
// of the first job if several are listed.
func percentiles(r assay.Repeat, dir string) []point {
	var points []point
	var first *assay.Measurement
	stem := "storage." + dir + ".latency.p"
	for i := range r.Measurements {
		m := &r.Measurements[i]
		if !strings.HasPrefix(m.Metric, stem) || !stats.Finite(m.Value) {
			continue
		}
		if first == nil {
			first = m
		}
		if p, ok := assay.Percentile(m.Metric); ok && sameJob(first, m) {
			points = append(points, point{p, m.Value, m.Metric})
		}
	}
	order.Stable(points, func(a, b point) int { return cmp.Compare(a.percent, b.percent) })
	return points
}

// sameJob reports whether two measurements are of one job on one host.
func sameJob(a, b *assay.Measurement) bool {
	return a.Labels["job"] == b.Labels["job"] && a.Labels["host"] == b.Labels["host"]
}

// outOfOrder returns the first contradiction among percentiles, "" for none.
func outOfOrder(r assay.Repeat, dir string, points []point) (sum string, metrics []string) {
	for i := 1; i < len(points); i++ {
		if a, b := points[i-1], points[i]; a.percent < b.percent && a.latency > b.latency {
			return fmt.Sprintf("%s = %s against %s = %s", a.name(), seconds(a.latency), b.name(), seconds(b.latency)), []string{a.metric, b.metric}
		}
	}
	greatest, ok := value(r, "storage."+dir+".latency.max")
	if !ok || len(points) == 0 {
		return "", nil
	}
	if mean, ok := value(r, "storage."+dir+".latency.mean"); ok {
		if most := mostMean(points, greatest); mean > most {
			return fmt.Sprintf("mean %s against at most %s by the percentiles and the maximum of %s", seconds(mean), seconds(most), seconds(greatest)), metricsOf(points)
		}
	}
	// fio truncates the maximum to its unit, and rounds percentiles to theirs.
	most := (greatest + printedUnit([]point{{latency: greatest}})) * (1 + histogramError)
	if top := points[len(points)-1]; top.latency-printedUnit(points)/2 > most {
		return fmt.Sprintf("%s = %s against a maximum of %s x (1 + 1/128) = %s", top.name(), seconds(top.latency), seconds(greatest), seconds(greatest*(1+histogramError))),
			[]string{top.metric, "storage." + dir + ".latency.max"}
	}
	return "", nil
}

// mostMean returns the highest mean possible with these percentiles: every latency at
// the upper end of its range.
func mostMean(points []point, greatest float64) float64 {
	most, before := 0., 0.
	for _, p := range points {
		most += (p.percent - before) / 100 * (p.latency + printedUnit(points)/2) * (1 + 2*histogramError)
		before = p.percent
	}
	return most + (100-before)/100*max(greatest, points[len(points)-1].latency)
}

func metricsOf(points []point) []string {
	var metrics []string
	for _, p := range points {
		metrics = append(metrics, p.metric)
	}
	return metrics
}

// clockWrong finds completion latencies longer than the total ones that contain
// them: fio then computed them from an unset timestamp.
func (l look) clockWrong(dir string) (assay.Finding, bool) {
	wrong, sum := 0, ""
	var metrics []string
	for _, r := range l.reps {
		completion, ok := value(r, "storage."+dir+".latency.mean")
		total, printed := value(r, "storage."+dir+".latency.total.mean")
		if !ok || !printed || !(total > 0) || !(completion > total*(1+clockSlack)) {
			continue
		}
		wrong++
		metrics = append([]string{"storage." + dir + ".latency.mean"}, metricsOf(percentiles(r, dir))...)
		sum = fmt.Sprintf("mean completion latency %s against a mean total latency of %s: %s", seconds(completion), seconds(total), times(completion/total))
	}
	if wrong == 0 {
		return assay.Finding{}, false
	}
	return l.finding("pct-order", assay.Rejects, metrics, sum+", "+inRepeats(wrong, len(l.reps)),
		"the time from submission to completion is part of the total, and cannot be longer: the tool's engine did not note when it submitted",
		"take the mean total latency (lat); for percentiles of it: --lat_percentiles=1"), true
}
