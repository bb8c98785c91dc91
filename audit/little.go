package audit

import (
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/stats"
)

var little = Rule{
	ID: "little", Number: 20, Applies: "everything with a latency", Severities: "W E",
	Title:   "Operations, latency and concurrency do not agree",
	Formula: "|IOPS x mean latency / (queue depth x jobs) - 1| > 5 % W (10 % below 500 IOPS), > 20 % E; total latency where it is printed; up to 3 µs an operation of the tool's own time are allowed for at depth 1; not with a rate limit, think time, or fsync between writes",
	Source:  "J. D. C. Little, A Proof for the Queuing Formula L = lambda W, Operations Research 9 (1961)",
	Example: "3,244 IOPS x 19.7 ms = 64.0 in flight against 16 x 1 = 16: 4.00 x",
	Check:   checkLittle,
}

func checkLittle(e Evidence) []assay.Finding {
	const id = "little"
	var found []assay.Finding
	for _, l := range e.storage() {
		if l.paced() {
			continue
		}
		metrics, ok := l.withLatency()
		if !ok {
			if len(metrics) > 0 && l.label("", "tool") == "fio" {
				found = append(found, l.unchecked(id, metrics, "mean latency", "fio without gtod_reduce=1 prints it"))
			}
			continue
		}
		depth, okDepth := parseCount(l.label("", "iodepth"))
		jobs, okJobs := parseCount(l.label("", "jobs"))
		if !okDepth || !okJobs {
			found = append(found, l.unchecked(id, metrics, "queue depth and jobs", "the tool's command line has them"))
			continue
		}
		if f := l.againstLittle(metrics, float64(depth), float64(jobs)); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// paced says that the tool was told to hold back, or to flush between writes,
// whose time is in no latency: then less is in flight than was asked for.
func (l look) paced() bool {
	for _, key := range []string{"fsync", "fdatasync"} {
		if v := l.label("write", key); v != "" && v != "0" {
			return true
		}
	}
	for _, key := range []string{"rate", "rate_iops", "thinktime"} {
		if v := orDefault(l.Trial.Settings[key], option(l.argv(), key)); v != "" && v != "0" {
			return true
		}
	}
	return false
}

// withLatency names the figures that have operations and a latency; ok is false
// where a direction with operations has none.
func (l look) withLatency() (metrics []string, ok bool) {
	ok = true
	for _, dir := range l.directions() {
		iops := "storage." + dir + ".iops"
		if !l.positive(iops) {
			continue
		}
		metrics = append(metrics, iops, "storage."+dir+".latency.mean")
		_, total := l.median("storage." + dir + ".latency.total.mean")
		_, completion := l.median("storage." + dir + ".latency.mean")
		ok = ok && (total || completion)
	}
	return metrics, ok && len(metrics) > 0
}

// inFlight is the mean number of operations under way in one repeat, reads and
// writes together, with the operations a second that make it.
func inFlight(r assay.Repeat) (flight, iops float64, sum string) {
	var terms []string
	for _, dir := range []string{"read", "write"} {
		n, ok := value(r, "storage."+dir+".iops")
		if !ok || n <= 0 {
			continue
		}
		latency, ok := value(r, "storage."+dir+".latency.total.mean")
		if !ok {
			if latency, ok = value(r, "storage."+dir+".latency.mean"); !ok {
				return 0, 0, ""
			}
		}
		flight, iops = flight+n*latency, iops+n
		terms = append(terms, figure(n)+" IOPS x "+seconds(latency))
	}
	return flight, iops, strings.Join(terms, " + ")
}

func (l look) againstLittle(metrics []string, depth, jobs float64) *assay.Finding {
	var ratios []float64
	worst, sum, slow := 0.0, "", false
	for _, r := range l.reps {
		flight, iops, terms := inFlight(r)
		if !(flight > 0) || !stats.Finite(flight) {
			continue
		}
		slow = slow || iops < slowIOPS
		if depth == 1 && flight < jobs {
			// The tool's own time between two operations is in no latency.
			flight = min(flight+littleOverhead*iops, jobs)
		}
		ratio := flight / (depth * jobs)
		ratios = append(ratios, ratio)
		if gap := math.Abs(ratio - 1); gap >= worst {
			worst, sum = gap, fmt.Sprintf("%s = %s in flight against %s x %s = %s: %s", terms, figure(flight), plain(depth), plain(jobs), plain(depth*jobs), times(ratio))
		}
	}
	gap := math.Abs(stats.Median(ratios) - 1)
	limit := littleWarn
	if slow {
		limit = littleWarnSlow
	}
	if !(gap > limit) {
		return nil
	}
	severity := assay.Warns
	if gap > littleReject {
		severity = assay.Rejects
	}
	if len(ratios) > 1 {
		sum += fmt.Sprintf(" (the worst of %d repeats)", len(ratios))
	}
	f := l.finding("little", severity, metrics, sum,
		fmt.Sprintf("the real concurrency was %s, not %s", figure(stats.Median(ratios)*depth*jobs), plain(depth*jobs)),
		"check how many jobs there were and whether the engine is asynchronous: "+l.again(l.directions()[0], map[string]string{"ioengine": "libaio", "direct": "1"}))
	return &f
}
