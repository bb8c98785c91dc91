package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

var little = Rule{
	ID: "little", Number: 20, Applies: "anything with a latency", Severities: "W E",
	Title:   "Operations, latency and concurrency do not agree",
	Formula: "|IOPS x mean latency / (requested queue depth x jobs) - 1| > 5 % W (10 % below 500 IOPS), > 20 % E, beyond print rounding and the ramp-down of a run of few operations (depth x jobs / operations); total latency if printed; if the number of jobs is unknown, one is assumed, and at most W; for pools threads x clients; up to 3 µs per operation is allowed for the tool's own time, in assay's own runs at depth 1; not with a rate limit, think time, or fsync between writes, or after buffered ones",
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
		depth, okDepth := parseCount(orDefault(l.label("", "requested_iodepth"), l.label("", "iodepth")))
		jobs, okJobs := parseCount(l.label("", "jobs"))
		if !okDepth || !okJobs && !l.foreign() {
			found = append(found, l.unchecked(id, metrics, "queue depth and jobs", "the tool's command line has them"))
			continue
		}
		c := meant{depth: float64(depth), jobs: float64(max(jobs, 1)), assumed: !okJobs}
		if f := l.againstLittle(metrics, c, inFlight); f != nil {
			found = append(found, *f)
		}
	}
	return append(found, poolLittle(e)...)
}

// meant is how many operations were intended to be in flight.
type meant struct {
	depth, jobs float64
	assumed     bool // number of jobs unknown: one assumed
	pool        bool // threads of clients
}

// poolLittle applies Little's law to the clients of a pool, each of which keeps
// its threads busy.
func poolLittle(e Evidence) []assay.Finding {
	var found []assay.Finding
	for _, l := range e.looks() {
		for _, op := range []string{"write", "read"} {
			threads, ok := parseCount(l.label("", "threads"))
			if !ok || !l.positive("pool."+op+".iops") || !l.positive("pool."+op+".latency.mean") {
				continue
			}
			clients, known := parseCount(l.label("", "clients"))
			c := meant{depth: float64(threads), jobs: float64(max(clients, 1)), assumed: !known && l.label("", "clients") != "", pool: true}
			metrics := []string{"pool." + op + ".iops", "pool." + op + ".latency.mean"}
			if f := l.againstLittle(metrics, c, func(r assay.Repeat) underWay { return poolFlight(r, op) }); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found
}

// paced reports whether fewer operations are in flight than requested: the tool was
// told to hold back, or to flush between or after writes (no latency includes that time),
// or some threads finished before the others.
func (l look) paced() bool {
	if l.label("", "tail") == "yes" || l.flushesLast() {
		return true
	}
	for _, key := range []string{"fsync", "fdatasync"} {
		if v := l.label("write", key); v != "" && v != "0" {
			return true
		}
	}
	for _, key := range []string{"rate", "rate_iops", "rate_process", "thinktime", "latency_target"} {
		if v := orDefault(l.label("", key), orDefault(l.Trial.Settings[key], option(l.argv(), key))); v != "" && v != "0" {
			return true
		}
	}
	return false
}

// withLatency returns the metrics that have operations and a latency; ok is
// false if a direction with operations has no latency.
// One direction of a mix does not tell how many operations were in flight.
func (l look) withLatency() (metrics []string, ok bool) {
	ok = true
	directions := l.directions()
	if isMixed(l.label("", "pattern")) && len(directions) < 2 {
		return nil, false
	}
	for _, dir := range directions {
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

// underWay is the mean number of operations in flight in one repeat.
type underWay struct {
	count float64
	iops  float64
	sum   string  // its calculation
	slack float64 // share of it that print rounding may hide
	done  float64 // total operations of the run; 0 if unknown
}

// inFlight counts reads and writes together.
func inFlight(r assay.Repeat) underWay {
	var f underWay
	var terms []string
	for _, dir := range []string{"read", "write"} {
		n, ok := value(r, "storage."+dir+".iops")
		if !ok || n <= 0 {
			continue
		}
		metric := "storage." + dir + ".latency.total.mean"
		latency, ok := value(r, metric)
		if !ok {
			metric = "storage." + dir + ".latency.mean"
			if latency, ok = value(r, metric); !ok {
				return underWay{}
			}
			if submission, printed := value(r, "storage."+dir+".latency.submission.mean"); printed && submission > 0 {
				latency += submission // the two make the total
			}
		}
		f.add(n, latency, lostIn(r, "storage."+dir+".iops", printRounding)+lostIn(r, metric, latencyRounding))
		terms = append(terms, figure(n)+" IOPS x "+seconds(latency))
		ios, _ := value(r, "storage."+dir+".ios")
		f.done += max(ios, 0)
	}
	f.sum = strings.Join(terms, " + ")
	return f
}

func poolFlight(r assay.Repeat, op string) underWay {
	operations, mean := "pool."+op+".iops", "pool."+op+".latency.mean"
	n, _ := value(r, operations)
	latency, ok := value(r, mean)
	if !ok || n <= 0 {
		return underWay{}
	}
	var f underWay
	f.add(n, latency, lostIn(r, operations, printRounding)+lostIn(r, mean, latencyRounding))
	f.sum = figure(n) + " operations/s x " + seconds(latency)
	f.done, _ = value(r, "pool."+op+".ios")
	return f
}

func (f *underWay) add(iops, latency, slack float64) {
	f.count, f.iops, f.slack = f.count+iops*latency, f.iops+iops, max(f.slack, slack)
}

// latencyRounding returns half of the last printed digit, as a share of the
// latency: a whole number of .01 ms is taken as rounded to that.
func latencyRounding(latency float64) float64 {
	for _, unit := range []float64{1e-3, 1e-4, 1e-5, 1e-6} {
		if n := latency / unit; n >= .5 && math.Abs(n-math.Round(n)) < 1e-6*max(n, 1) {
			return .5 * unit / latency
		}
	}
	return 0
}

func (l look) againstLittle(metrics []string, c meant, flightOf func(assay.Repeat) underWay) *assay.Finding {
	var ratios, adjusted []float64
	worst, sum, slow, slack := 0.0, "", false, 0.0
	for _, r := range l.reps {
		f := flightOf(r)
		if !(f.count > 0) || !stats.Finite(f.count) {
			continue
		}
		all, busy := c.depth*c.jobs, f.count
		// As the last operations finish, no new ones replace them.
		if f.done > 0 {
			f.slack += all / f.done
		}
		slow, slack = slow || f.iops < slowIOPS, max(slack, f.slack)
		if busy < all && (c.depth == 1 || l.foreign()) {
			// No latency includes the tool's own time between operations.
			busy = min(busy+littleOverhead*f.iops, all)
		}
		ratio := f.count / all
		ratios, adjusted = append(ratios, ratio), append(adjusted, busy/all)
		if gap := math.Abs(busy/all - 1); gap >= worst {
			worst, sum = gap, fmt.Sprintf("%s = %s in flight against %s x %s = %s: %s", f.sum, figure(f.count), plain(c.depth), plain(c.jobs), plain(c.depth*c.jobs), times(ratio))
		}
	}
	gap := math.Abs(stats.Median(adjusted)-1) - slack
	limit := littleWarn
	if slow {
		limit = littleWarnSlow
	}
	if !(gap > limit) {
		return nil
	}
	if stats.Median(ratios) < 1 && l.mayBePaced(stats.Median(ratios)*c.depth, c) {
		f := l.unchecked("little", metrics, "whether a rate limit, think time or fsync held it back", "the tool's command line shows it: paste that too")
		return &f
	}
	severity := assay.Warns
	if gap > littleReject && !c.assumed {
		severity = assay.Rejects
	}
	if len(ratios) > 1 {
		sum += fmt.Sprintf(" (the worst of %d repeats)", len(ratios))
	}
	reached := stats.Median(ratios) * c.depth * c.jobs
	message := fmt.Sprintf("the real concurrency was %s, not %s", figure(reached), plain(c.depth*c.jobs))
	if c.assumed {
		sum += " (number of jobs unknown, 1 assumed)"
		if times := math.Round(reached / c.depth); times > 1 && math.Abs(reached/c.depth/times-1) <= littleWarn {
			message += fmt.Sprintf(": there were probably %.0f jobs; compare it only with runs that had as many", times)
		}
	}
	f := l.finding("little", severity, metrics, sum, message, l.checkConcurrency(c))
	return &f
}

// mayBePaced reports whether nothing explains why less was in flight than intended:
// there is no command line, and the engine alone is no explanation. each is what one
// job had in flight.
func (l look) mayBePaced(each float64, c meant) bool {
	if !l.foreign() || c.pool || l.argv() != nil || l.label("", "runtime") != "" || l.label("", "size") != "" {
		return false
	}
	sync := slices.Contains(syncEngines, l.label("", "engine"))
	return !(sync && c.depth > 1 && math.Abs(each-1) <= littleReject)
}

func (l look) checkConcurrency(c meant) string {
	if c.pool {
		return "check how many clients and threads there were: " + l.longer(againRuntime)
	}
	engine := "libaio"
	if e := l.label("", "engine"); slices.Contains(asyncEngines, e) {
		engine = e
	}
	return "check how many jobs there were and whether the engine is asynchronous: " +
		l.again(l.directions()[0], map[string]string{"ioengine": engine, "iodepth": plain(c.depth), "numjobs": plain(c.jobs)})
}
