package analysis

import (
	"cmp"
	"slices"

	"assay"
	"assay/analysis/fitness"
	"assay/internal/order"
	"assay/stats"
)

// Fit is what one storage is good for.
type Fit struct {
	Name string // of the tier or directory; "" where each host has one storage
	// Hosts are the hosts whose storage was judged; of several, the weakest
	// decides. Others reports whether further hosts have storage, without figures.
	Hosts  []string
	Others bool
	Tier   bool
	Uses   []FitUse
}

// FitUse is how well a storage serves one use.
type FitUse struct {
	fitness.Fitness
	Host string // the deciding one, if there are several
}

// Fits are storages with the same grade for every use: one point of a verdict.
type Fits []Fit

// Graded returns the uses with grade g.
func (f Fit) Graded(g fitness.Grade) []FitUse {
	return slices.DeleteFunc(slices.Clone(f.Uses), func(u FitUse) bool { return u.Grade != g })
}

// mostlyUnknown reports whether most uses were not judged: the run measured
// something else.
func (f Fit) mostlyUnknown() bool { return 2*len(f.Graded(fitness.NotMeasured)) > len(f.Uses) }

// fits judges the storage of a run: each tier, or each directory, that of all hosts
// together. Storage without measurements gets no Fit.
func (b *builder) fits(t *Tiers) []Fit {
	var out []Fit
	if t != nil {
		for _, c := range t.Columns {
			of := b.resultsOf(func(s *assay.Subject) bool { return s.Tier == c.Tier && s.Host == c.Host })
			out = append(out, fitOf(c.Name, c.Host, b.judged(of, c.Kind == bucketVolume), true))
		}
	} else {
		out = b.fitsOfDirectories()
	}
	return slices.DeleteFunc(out, func(f Fit) bool { return len(f.Graded(fitness.NotMeasured)) == len(f.Uses) })
}

func fitOf(name, host string, judged []fitness.Fitness, tier bool) Fit {
	f := Fit{Name: name, Hosts: []string{host}, Tier: tier}
	for _, one := range judged {
		f.Uses = append(f.Uses, FitUse{one, ""})
	}
	return f
}

// fitsOfDirectories judges directories, those of one name on several hosts as one storage.
// Where no host has several, their names do not matter.
func (b *builder) fitsOfDirectories() []Fit {
	var places []assay.Subject
	planned, count, several := map[string]bool{}, map[string]int{}, false // by host
	for i := range b.run.Results {
		r := &b.run.Results[i]
		s := r.Trial.Subject
		if s.Kind != assay.KindDirectory || s.Tier != "" || r.Trial.From != "" {
			continue
		}
		planned[s.Host] = true
		if len(r.Counted()) > 0 && !slices.ContainsFunc(places, func(p assay.Subject) bool { return p.ID == s.ID }) {
			places = append(places, s)
			count[s.Host]++
			several = several || count[s.Host] > 1
		}
	}
	var each [][]Fit // of one name
	for _, p := range places {
		of := b.resultsOf(func(s *assay.Subject) bool { return s.ID == p.ID && s.Kind == p.Kind })
		f := fitOf(p.Name, p.Host, b.judged(of, false), false)
		if !several {
			f.Name = ""
		}
		at := slices.IndexFunc(each, func(g []Fit) bool { return g[0].Name == f.Name })
		if at < 0 {
			at, each = len(each), append(each, nil)
		}
		each[at] = append(each[at], f)
	}
	var out []Fit
	for _, same := range each {
		f := same[0]
		if len(same) > 1 {
			f = together(same)
		}
		f.Others = slices.ContainsFunc(b.run.Inventory.Hosts, func(h assay.Host) bool {
			return (planned[h.Name] || h.Absent != nil) && !slices.Contains(f.Hosts, h.Name)
		})
		out = append(out, f)
	}
	return out
}

// together merges storages into one that is as good as the weakest.
func together(each []Fit) Fit {
	all := Fit{Name: each[0].Name}
	var members [][]fitness.Fitness
	for _, f := range each {
		var judged []fitness.Fitness
		for _, u := range f.Uses {
			judged = append(judged, u.Fitness)
		}
		members = append(members, judged)
		if !slices.Contains(all.Hosts, f.Hosts[0]) {
			all.Hosts = append(all.Hosts, f.Hosts[0])
		}
	}
	weakest, of := fitness.Weakest(members)
	for i, one := range weakest {
		all.Uses = append(all.Uses, FitUse{one, each[of[i]].Hosts[0]})
	}
	return all
}

// resultsOf returns the single-host results on the subjects that is selects.
func (b *builder) resultsOf(is func(*assay.Subject) bool) []assay.Result {
	var all []assay.Result
	for i := range b.run.Results {
		if r := &b.run.Results[i]; is(&r.Trial.Subject) && len(r.Trial.Others) == 0 && len(r.Counted()) > 0 {
			all = append(all, *r)
		}
	}
	return all
}

func (b *builder) judged(results []assay.Result, objects bool) []fitness.Fitness {
	if objects {
		return fitness.Judge(fitness.Objects, b.objectReadings(results))
	}
	return fitness.Judge(fitness.Storage, b.storageReadings(results))
}

// largeObject is the size from which an object's bytes determine its time,
// smallObject the size up to which the request does.
const (
	largeObject = 1 << 20
	smallObject = 64 << 10
)

// storageReadings returns the readings to compare with thresholds. What the audit calls
// impossible counts as unknown, as do writes faster than the drive can make them durable.
func (b *builder) storageReadings(results []assay.Result) fitness.Readings {
	all := fitness.Readings{}
	for _, r := range results {
		read, wrote := anyOf(r, "storage.read."), anyOf(r, "storage.write.")
		switch {
		case isLog(r): // uses that wait for it are judged apart
		case read != "" && wrote != "": // each is only half of a mixed load
		case waitsForEach(r):
			if !b.flushesTooFast(r) {
				b.read(all, r, fitness.SyncWriteP99, "storage.write.latency.p99")
				b.read(all, r, fitness.SyncWrites, "storage.write.iops")
			}
		case read != "":
			b.direction(all, r, "storage.read.", fitness.RandomReads, fitness.SequentialRead)
		case wrote != "":
			b.direction(all, r, "storage.write.", fitness.RandomWrites, fitness.SequentialWrite)
		}
	}
	return all
}

// anyOf returns the first rate that a result has in one direction, or "" if it has
// none.
func anyOf(r assay.Result, stem string) string {
	for _, metric := range []string{stem + "iops", stem + "bandwidth"} {
		if len(r.Values(metric)) > 0 {
			return metric
		}
	}
	return ""
}

// direction adds the readings of small random operations, many at once, and of large
// sequential ones.
func (b *builder) direction(all fitness.Readings, r assay.Result, stem string, small, large fitness.Measure) {
	load := happenedTo(r, anyOf(r, stem))
	size := requestSize(r, anyOf(r, stem))
	switch pattern := load["pattern"]; {
	case load["cache"] == "warm" || size == 0:
	case size <= smallRequest && (pattern == "randread" || pattern == "randwrite") && inFlight(load) != 1:
		b.read(all, r, small, stem+"iops")
	case size >= assay.LargeBlock && (pattern == "read" || pattern == "write"):
		b.read(all, r, large, stem+"bandwidth")
	}
}

// smallRequest is the operation size that IOPS thresholds refer to.
const smallRequest = 4 << 10

func (b *builder) objectReadings(results []assay.Result) fitness.Readings {
	all := fitness.Readings{}
	order.Stable(results, func(x, y assay.Result) int {
		return cmp.Compare(requestSize(x, "object.get.ops"), requestSize(y, "object.get.ops"))
	})
	for _, r := range results {
		if size := requestSize(r, "object.get.ops"); size > 0 && size <= smallObject {
			b.read(all, r, fitness.GetLatency, "object.get.latency.p50")
		}
	}
	for _, r := range slices.Backward(results) {
		if requestSize(r, "object.put.ops") >= largeObject {
			b.read(all, r, fitness.PutThroughput, "object.put.throughput")
		}
	}
	return all
}

// read adds a result's reading of a measure, unless there is one already. For a figure
// rejected only for its scatter, all repeats count: if even the worst is good enough,
// or the best is not, the scatter does not matter.
func (b *builder) read(all fitness.Readings, r assay.Result, m fitness.Measure, metric string) {
	values := r.Values(metric)
	if _, known := all[m]; known || len(values) == 0 {
		return
	}
	s := stats.Summarise(values)
	switch rules := b.rejecting(r.Trial.ID, metric); {
	case len(rules) == 0:
		all[m] = fitness.Reading{Value: s.Center, Low: s.Low, High: s.High}
	case len(values) >= leastScattered && !slices.ContainsFunc(rules, func(rule string) bool { return !slices.Contains(assay.ScatterRules, rule) }):
		all[m] = fitness.Reading{Value: s.Center, Low: slices.Min(values), High: slices.Max(values), Scattered: true}
	}
}

// leastScattered is how many scattered repeats it takes to show their range.
const leastScattered = 3

// rejecting returns the rules that reject a metric of a trial.
func (b *builder) rejecting(trial, metric string) (rules []string) {
	for _, f := range b.run.Findings {
		if f.Severity == assay.Rejects && f.Subject == trial && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, metric)) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

func (b *builder) flushesTooFast(r assay.Result) bool {
	return slices.ContainsFunc(b.run.Findings, func(f assay.Finding) bool {
		return f.Rule == flushRule && f.Subject == r.Trial.ID && f.Severity != assay.NotChecked
	})
}

// fitPoints returns what storage is good for: one point for all storages with
// the same grades.
func (f Found) fitPoints() []Point {
	var groups []Fits
	for _, one := range f.Fits {
		at := slices.IndexFunc(groups, func(g Fits) bool { return servesAlike(g[0], one) })
		if at < 0 {
			groups = append(groups, Fits{one})
		} else {
			groups[at] = append(groups[at], one)
		}
	}
	var out []Point
	for _, g := range groups {
		out = append(out, Point{g.tone(), g})
	}
	return out
}

func servesAlike(a, b Fit) bool {
	return slices.EqualFunc(a.Uses, b.Uses, func(x, y FitUse) bool { return x.Use == y.Use && x.Grade == y.Grade })
}

func (g Fits) tone() Tone {
	good, unfit := len(g[0].Graded(fitness.Good))+len(g[0].Graded(fitness.Light)), len(g[0].Graded(fitness.Unfit))
	switch {
	case unfit == 0 && good > 0:
		return Good
	case good > 0:
		return Limit
	case unfit > 0:
		return Bad
	}
	return Note
}
