package audit

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"assay"
	"assay/plan/multiclient"
	"assay/stats"
)

// Evidence is everything that the rules see.
type Evidence struct {
	Inventory assay.Inventory
	Results   []assay.Result
	// Give returns the flag that supplies the fact a rule lacks about somebody
	// else's results, or "" if no given fact would help. It may be nil.
	Give func(rule string) string

	ready *looked // what the rules share, computed once
}

// Of returns the evidence in a run.
func Of(run assay.Run) Evidence {
	return Evidence{Inventory: run.Inventory, Results: run.Results}
}

// look is one result plus what is needed to judge it.
type look struct {
	*assay.Result
	reps  []assay.Repeat // the counted ones; at least one
	facts *assay.Facts   // of its host; zero if unknown
	known bool           // whether facts exist
	other string         // the host, if it is one of the trial's others and not its own
	memo  *memo          // cached answers; never nil
}

// memo caches what many rules ask of one look.
type memo struct {
	directions, headlines           []string
	knowsDirections, knowsHeadlines bool
	labels                          map[string]said
}

// said is what one result's figures have under one label key: the first value of all,
// and the first of reads and of writes.
type said struct{ any, read, write string }

// lookAt returns a look at a result, restricted to the given repeats.
func lookAt(r *assay.Result, reps []assay.Repeat, facts *assay.Facts, known bool) look {
	return look{Result: r, reps: reps, facts: facts, known: known, memo: &memo{}}
}

// only returns the look restricted to these repeats.
func (l look) only(reps []assay.Repeat) look {
	l.reps, l.memo = reps, &memo{}
	return l
}

// looked holds the looks at all results and at subsets of them.
type looked struct {
	all, storage, fio, everyHost []look
	outputs                      map[output][]look // by output of other people
	before                       map[string]filled // file state before each result, by trial
}

// output identifies one foreign output and its host.
type output struct{ from, host string }

// target is what was read or written.
type target struct{ file, host string }

// looked returns the looks that the rules share.
func (e Evidence) looked() *looked {
	if e.ready != nil {
		return e.ready
	}
	found := &looked{all: e.lookAtAll(), outputs: map[output][]look{}, before: map[string]filled{}}
	files := map[target]filled{}
	for _, l := range found.all {
		if len(l.directions()) > 0 {
			found.storage = append(found.storage, l)
			on := target{l.file(), l.Trial.Subject.Host}
			found.before[l.Trial.ID] = files[on]
			files[on] = files[on].by(l)
		}
		if l.label("", "tool") == "fio" {
			found.fio = append(found.fio, l)
		}
		if l.Trial.From != "" {
			of := output{l.Trial.From, l.Trial.Subject.Host}
			found.outputs[of] = append(found.outputs[of], l)
		}
	}
	found.everyHost = append(slices.Clip(found.all), e.others()...)
	return found
}

// looks returns the results that have a number, in order. For a trial on
// several hosts it is the part of its own host, which is what one host's facts
// and kernel counters can be compared with.
func (e Evidence) looks() []look { return e.looked().all }

func (e Evidence) lookAtAll() []look {
	var all []look
	facts := e.hostFacts()
	for i, r := range e.Results {
		again := func(later assay.Result) bool { return sameHealth(&r, &later) && len(later.Counted()) > 0 }
		if r.Trial.Probe == healthProbe && slices.ContainsFunc(e.Results[i+1:], again) {
			continue // only the last of several readings of a drive is judged
		}
		if r.Trial.Decides != "" {
			continue // a load that settles one question: nobody quotes its figure
		}
		r = multiclient.Of(r, r.Trial.Subject.Host)
		if reps := r.Counted(); len(reps) > 0 {
			known, ok := facts(r.Trial.Subject.Host)
			all = append(all, lookAt(&r, reps, known, ok))
		}
	}
	return all
}

// hostFacts returns a function that gives a host's facts, the same pointer each
// time.
func (e Evidence) hostFacts() func(host string) (facts *assay.Facts, known bool) {
	all := map[string]*assay.Facts{}
	return func(host string) (*assay.Facts, bool) {
		facts, known := e.Inventory.Facts[host]
		if all[host] == nil {
			facts = withoutNominalSpeeds(facts)
			all[host] = &facts
		}
		return all[host], known
	}
}

// everyHost returns looks plus a look at each other host of multi-host trials: any
// host's state can spoil the figures of all.
func (e Evidence) everyHost() []look { return e.looked().everyHost }

func (e Evidence) others() []look {
	var all []look
	facts := e.hostFacts()
	for _, r := range e.Results {
		for _, s := range r.Trial.Others {
			part := multiclient.Of(r, s.Host)
			part.Trial.Subject, part.Trial.Others = s, nil
			if reps := part.Counted(); len(reps) > 0 {
				known, ok := facts(s.Host)
				l := lookAt(&part, reps, known, ok)
				l.other = s.Host
				all = append(all, l)
			}
		}
	}
	return all
}

// storage returns the results that measured reading or writing of storage.
func (e Evidence) storage() []look { return e.looked().storage }

// fioRuns returns the fio results, including those of which only the command
// was published: it can be wrong even without a figure.
func (e Evidence) fioRuns() []look { return e.looked().fio }

// main is the main direction of a fio run: from its figures, or else from its
// command.
func (l look) main() string {
	if found := l.directions(); len(found) > 0 {
		return found[0]
	}
	if strings.Contains(l.label("", "pattern"), "write") {
		return "write"
	}
	return "read"
}

// directions returns which of read and write the result has figures for.
func (l look) directions() []string {
	if l.memo.knowsDirections {
		return l.memo.directions
	}
	var found []string
	for _, dir := range []string{"read", "write"} {
		if l.positive("storage."+dir+".bandwidth") || l.positive("storage."+dir+".iops") {
			found = append(found, dir)
		}
	}
	l.memo.directions, l.memo.knowsDirections = found, true
	return found
}

// directionOf returns read or write for a metric such as storage.read.iops.
func directionOf(metric string) string {
	if strings.HasPrefix(metric, "storage.write.") {
		return "write"
	}
	return "read"
}

func (l look) positive(metric string) bool {
	v, ok := l.median(metric)
	return ok && v > 0
}

// values returns a metric's finite values over the counted repeats.
func (l look) values(metric string) []float64 {
	var found []float64
	for _, r := range l.reps {
		if v, ok := value(r, metric); ok {
			found = append(found, v)
		}
	}
	return found
}

// median returns the metric's median over the counted repeats.
func (l look) median(metric string) (float64, bool) {
	if len(l.reps) == 1 {
		v, ok := value(l.reps[0], metric)
		if !ok {
			v = math.NaN()
		}
		return v, ok
	}
	values := l.values(metric)
	return stats.Median(values), len(values) > 0
}

// value returns a metric of one repeat; ok is false if it is missing or not
// finite.
func value(r assay.Repeat, metric string) (float64, bool) {
	m := r.Measurement(metric)
	if m == nil || !stats.Finite(m.Value) {
		return 0, false
	}
	return m.Value, true
}

// label returns the actual value that the figures of that direction carry, or
// "" if they have none. A requested value never stands in for it.
func (l look) label(dir, key string) string {
	v := l.labels()[key]
	switch {
	case dir == "read" && v.read != "":
		return v.read
	case dir == "write" && v.write != "":
		return v.write
	}
	return v.any
}

// labels returns the labels of all figures by key.
func (l look) labels() map[string]said {
	if l.memo.labels != nil {
		return l.memo.labels
	}
	all := map[string]said{}
	type shared struct {
		dir string
		at  uintptr
	}
	var seen []shared // figures of one output mostly share a map
	for _, r := range l.reps {
		for i := range r.Measurements {
			m := &r.Measurements[i]
			of := shared{"", reflect.ValueOf(m.Labels).Pointer()}
			switch {
			case strings.HasPrefix(m.Metric, "storage.read."):
				of.dir = "read"
			case strings.HasPrefix(m.Metric, "storage.write."):
				of.dir = "write"
			}
			if slices.Contains(seen, of) {
				continue
			}
			if len(seen) < mostShared {
				seen = append(seen, of)
			}
			for key, v := range m.Labels {
				said := all[key]
				said.any = cmp.Or(said.any, v)
				switch of.dir {
				case "read":
					said.read = cmp.Or(said.read, v)
				case "write":
					said.write = cmp.Or(said.write, v)
				}
				all[key] = said
			}
		}
	}
	l.memo.labels = all
	return all
}

// mostShared is how many label maps are remembered while a result's labels are
// collected: more than one output has.
const mostShared = 16

// headlines returns the result's headline metrics for storage, CPU and memory,
// which the rules about a single host's load judge.
func (l look) headlines() []string { return l.headlinesOf("storage", "cpu", "memory") }

// headlinesOf returns the result's headline metrics in these families that have
// a positive value.
func (l look) headlinesOf(families ...string) []string {
	if !l.memo.knowsHeadlines {
		l.memo.headlines, l.memo.knowsHeadlines = l.Headlines(), true
	}
	return slices.DeleteFunc(slices.Clone(l.memo.headlines), func(metric string) bool {
		family, _, _ := strings.Cut(metric, ".")
		return !slices.Contains(families, family) || !l.positive(metric)
	})
}

// samples returns the samples of all counted repeats, concatenated. At a fixed
// block size IOPS and bandwidth have the same shape: either will do.
func (l look) samples(metric string) []float64 {
	if found := l.ownSamples(metric); len(found) > 0 {
		return found
	}
	if stem, ok := strings.CutSuffix(metric, ".iops"); ok {
		return l.ownSamples(stem + ".bandwidth")
	}
	if stem, ok := strings.CutSuffix(metric, ".bandwidth"); ok {
		return l.ownSamples(stem + ".iops")
	}
	return nil
}

func (l look) ownSamples(metric string) []float64 {
	var found []float64
	for _, r := range l.reps {
		m := r.Measurement(metric)
		if m == nil {
			continue
		}
		for _, s := range m.Samples {
			if stats.Finite(s.Value) && s.Value >= 0 {
				found = append(found, s.Value)
			}
		}
	}
	return found
}

// argv is the measuring command, nil if it was not kept.
func (l look) argv() []string {
	for _, r := range l.reps {
		if step := r.Transcript.Step("measure"); step != nil {
			return step.Argv
		}
	}
	return nil
}

// warm reports whether the result is labelled as deliberately served from a cache.
func (l look) warm(dir string) bool { return l.label(dir, "cache") == "warm" }

// mostly reports whether something was seen in at least half of the repeats: what
// only a minority shows is no property of the figure.
func mostly(k, n int) bool { return k > 0 && 2*k >= n }

// middle returns the index of the median among values; of two middle ones it picks the
// greater or the lesser. Figures from one repeat add up; medians of several figures do
// not.
func middle(values []float64, greater bool) int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	if greater {
		return order[len(order)/2]
	}
	return order[(len(order)-1)/2]
}

// finding returns a finding about a result.
func (l look) finding(rule string, s assay.Severity, metrics []string, arithmetic, message, advice string) assay.Finding {
	if l.other != "" {
		message = l.other + ": " + message
	}
	return assay.Finding{
		Rule: rule, Severity: s, Subject: l.Trial.ID, Metrics: metrics,
		Arithmetic: arithmetic, Message: message, Advice: advice,
	}
}

// unchecked returns a finding that names a missing fact and how to supply it.
func (l look) unchecked(rule string, metrics []string, missing, hint string) assay.Finding {
	if l.other != "" {
		missing += " on " + l.other
	}
	return unchecked(rule, l.Trial.ID, metrics, missing, hint)
}

func unchecked(rule, subject string, metrics []string, missing, hint string) assay.Finding {
	return assay.Finding{
		Rule: rule, Severity: assay.NotChecked, Subject: subject, Metrics: metrics,
		Message: "not checked: " + missing + " unknown", Advice: hint, Missing: missing,
	}
}
