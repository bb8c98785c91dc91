package analysis

import (
	"cmp"
	"slices"
	"strconv"

	"assay"
	"assay/analysis/fitness"
	"assay/internal/order"
)

// Wait is what a use of storage waits for when its writes must be durable.
type Wait struct {
	fitness.Fitness
	Storage string  // the tier or directory; "" where the run has one storage
	Trial   string  // that measured it
	Size    int64   // B per write
	Median  float64 // s, of the flush or of the synchronous write
	P99     float64
	P999    float64
	Rate    float64 // per second, each waiting for the one before
	// Group is what several writers of one log commit together; nil if not measured.
	Group []GroupCommit
	// Async is the storage's writes a second when nobody waits, with InFlight at a
	// time; 0 if not measured.
	Async    float64
	InFlight int
}

// GroupCommit is how many commits a second that many writers of one log reach.
type GroupCommit struct {
	Writers int     `json:"writers"`
	Rate    float64 `json:"rate"`
}

// isLog reports whether a result is of appends to a log, each with fdatasync.
func isLog(r assay.Result) bool { return happenedTo(r, "storage.write.iops")["fdatasync"] == "1" }

// waits judges how long each storage with log measurements makes its uses wait.
func (b *builder) waits(t *Tiers) []Wait {
	var places []assay.Subject
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if isLog(r) && len(r.Trial.Others) == 0 && r.Trial.From == "" && len(r.Counted()) > 0 && !slices.ContainsFunc(places, func(p assay.Subject) bool { return p.ID == s.ID }) {
			places = append(places, s)
		}
	}
	var all []Wait
	for _, p := range places {
		name := cmp.Or(p.Tier, p.Name)
		if len(places) == 1 {
			name = ""
		} else if t == nil && len(b.run.Inventory.Hosts) > 1 {
			name = p.Host + " " + p.Name
		}
		all = append(all, b.waitsOn(name, b.resultsOf(func(s *assay.Subject) bool { return s.ID == p.ID }))...)
	}
	return all
}

// etcdLog is the largest write, in B, that counts as like etcd's.
const etcdLog = 4 << 10

// waitsOn judges one storage.
func (b *builder) waitsOn(name string, results []assay.Result) []Wait {
	all := map[fitness.Use]*Wait{}
	known := fitness.Readings{}
	take := func(use fitness.Use, r assay.Result, m fitness.Measure, metric, stem string) {
		if b.read(known, r, m, metric); all[use] != nil {
			return
		}
		if _, is := known[m]; is {
			all[use] = &Wait{
				Storage: name, Trial: r.Trial.ID, Size: requestSize(r, "storage.write.iops"), Rate: middle(r, "storage.write.iops"),
				Median: middle(r, stem+"p50"), P99: middle(r, stem+"p99"), P999: middle(r, stem+"p99_9"),
			}
		}
	}
	var group []GroupCommit
	var async assay.Result
	for _, r := range results {
		load := happenedTo(r, "storage.write.iops")
		jobs, _ := strconv.Atoi(load["jobs"])
		switch size := requestSize(r, "storage.write.iops"); {
		case b.rejectedAny(r, "storage.write.iops"):
		case isLog(r) && jobs > 1:
			group = append(group, GroupCommit{jobs, middle(r, "storage.write.iops")})
		case isLog(r) && size <= etcdLog:
			take(fitness.Etcd, r, fitness.LogFlushP99, "storage.sync.latency.p99", "storage.sync.latency.")
		case isLog(r):
			take(fitness.Databases, r, fitness.LogCommits, "storage.write.iops", "storage.sync.latency.")
		case waitsForEach(r) && size <= smallRequest:
			take(fitness.VMDisks, r, fitness.SyncWriteP99, "storage.write.latency.p99", "storage.write.latency.")
		case load["pattern"] == "randwrite" && size <= smallRequest && inFlight(load) > 1:
			async = r
		}
	}
	if w := all[fitness.Databases]; w != nil {
		order.Stable(group, func(x, y GroupCommit) int { return x.Writers - y.Writers })
		w.Group = group
	}
	if w := all[fitness.VMDisks]; w != nil && len(async.Repeats) > 0 {
		w.Async, w.InFlight = middle(async, "storage.write.iops"), inFlight(happenedTo(async, "storage.write.iops"))
	}
	var out []Wait
	for _, f := range fitness.Judge(fitness.Logs, known) {
		if w := all[f.Use]; w != nil && f.Grade != fitness.NotMeasured {
			w.Fitness = f
			out = append(out, *w)
		}
	}
	return out
}

// rejectedAny reports whether the audit rejects a metric of a result for more than
// scatter, which intervals and per-round differences reflect anyway.
func (b *builder) rejectedAny(r assay.Result, metric string) bool {
	return slices.ContainsFunc(b.rejecting(r.Trial.ID, metric), func(rule string) bool { return !slices.Contains(assay.ScatterRules, rule) })
}

// waitPoints returns what each use waits for on the storage that serves it
// worst.
func (f Found) waitPoints() []Point {
	var out []Point
	for _, use := range []fitness.Use{fitness.Etcd, fitness.Databases, fitness.VMDisks} {
		var worst *Wait
		for i, w := range f.Waits {
			if w.Use == use && (worst == nil || w.Grade.Worse(worst.Grade) || w.Grade == worst.Grade && w.Spare() < worst.Spare()) {
				worst = &f.Waits[i]
			}
		}
		if worst != nil {
			out = append(out, Point{toneOfWait[worst.Grade], *worst})
		}
	}
	return out
}

var toneOfWait = map[fitness.Grade]Tone{fitness.Good: Good, fitness.Borderline: Doubt, fitness.Unfit: Bad}
