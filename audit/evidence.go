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

// Evidence is all that the rules get to see.
type Evidence struct {
	Inventory assay.Inventory
	Results   []assay.Result
	// Give names the flag that gives the fact which a rule lacks of somebody
	// else's results, "" where no given fact would do. It may be nil.
	Give func(rule string) string

	ready *looked // what the rules ask for, found once for all of them
}

// Of is the evidence that a run left.
func Of(run assay.Run) Evidence {
	return Evidence{Inventory: run.Inventory, Results: run.Results}
}

// look is one result with what is needed to judge it.
type look struct {
	*assay.Result
	reps  []assay.Repeat // those that count; at least one
	facts *assay.Facts   // of its host; zero where they are not known
	known bool           // whether there are facts
	other string         // the host, if it is not the trial's own but one of its others
	memo  *memo          // what was found of it already; never nil
}

// memo keeps what many rules ask of one look.
type memo struct {
	directions, headlines           []string
	knowsDirections, knowsHeadlines bool
	labels                          map[string]said
}

// said is what the figures of one result say under one key: the first of all, and the
// first of reads and of writes.
type said struct{ any, read, write string }

// lookAt returns a look at a result, or at the part of it that these repeats are.
func lookAt(r *assay.Result, reps []assay.Repeat, facts *assay.Facts, known bool) look {
	return look{Result: r, reps: reps, facts: facts, known: known, memo: &memo{}}
}

// only returns the look with these repeats alone.
func (l look) only(reps []assay.Repeat) look {
	l.reps, l.memo = reps, &memo{}
	return l
}

// looked are the looks at all results, and those of some of them.
type looked struct {
	all, storage, fio, everyHost []look
	outputs                      map[output][]look // those of each output of other people
	before                       map[string]filled // what each result met in its file, by trial
}

// output is where the results of one output of somebody else's stood.
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

// looks returns the results that have a number, in order. Of a trial on several
// hosts it is what its own host had: that is what the facts and the kernel's
// counters of one host can be held against.
func (e Evidence) looks() []look { return e.looked().all }

func (e Evidence) lookAtAll() []look {
	var all []look
	facts := e.hostFacts()
	for i, r := range e.Results {
		again := func(later assay.Result) bool { return sameHealth(&r, &later) && len(later.Counted()) > 0 }
		if r.Trial.Probe == healthProbe && slices.ContainsFunc(e.Results[i+1:], again) {
			continue // of several readings of a drive, the last one is judged
		}
		if r.Trial.Decides != "" {
			continue // a load for one question: it is no figure that anybody quotes
		}
		r = multiclient.Of(r, r.Trial.Subject.Host)
		if reps := r.Counted(); len(reps) > 0 {
			known, ok := facts(r.Trial.Subject.Host)
			all = append(all, lookAt(&r, reps, known, ok))
		}
	}
	return all
}

// hostFacts returns a function that gives the facts of a host, always the same ones.
func (e Evidence) hostFacts() func(host string) (facts *assay.Facts, known bool) {
	all := map[string]*assay.Facts{}
	return func(host string) (*assay.Facts, bool) {
		facts, known := e.Inventory.Facts[host]
		if all[host] == nil {
			all[host] = &facts
		}
		return all[host], known
	}
}

// everyHost returns looks, and a look at each other host of a trial on several: its
// own state can spoil the figures of all.
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

// fioRuns returns the results of fio, also those of which only the command was
// published: it can be wrong without a figure.
func (e Evidence) fioRuns() []look { return e.looked().fio }

// main is the direction that a fio run is about: that of its figures, or else of
// its command.
func (l look) main() string {
	if found := l.directions(); len(found) > 0 {
		return found[0]
	}
	if strings.Contains(l.label("", "pattern"), "write") {
		return "write"
	}
	return "read"
}

// directions says which of read and write the result has figures of.
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

// directionOf is read or write, of a metric such as storage.read.iops.
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

// values returns a metric over the counted repeats; what is not finite is left out.
func (l look) values(metric string) []float64 {
	var found []float64
	for _, r := range l.reps {
		if v, ok := value(r, metric); ok {
			found = append(found, v)
		}
	}
	return found
}

// median is the metric's median over the counted repeats.
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

// value is a metric of one repeat; ok is false where it is missing or no number.
func value(r assay.Repeat, metric string) (float64, bool) {
	m := r.Measurement(metric)
	if m == nil || !stats.Finite(m.Value) {
		return 0, false
	}
	return m.Value, true
}

// label is what happened, as the figures of that direction say: "" where they
// do not. What was requested is another thing and never stands in for it.
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

// labels are those of all figures, by their keys.
func (l look) labels() map[string]said {
	if l.memo.labels != nil {
		return l.memo.labels
	}
	all := map[string]said{}
	type shared struct {
		dir string
		at  uintptr
	}
	var seen []shared // figures of one output mostly share one map
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

// mostShared is how many maps of labels are remembered while those of a result are
// gathered: more than an output has.
const mostShared = 16

// headlines are the metrics that the result is about, as far as the rules on one
// host's own load judge them: those of storage, CPU and memory.
func (l look) headlines() []string { return l.headlinesOf("storage", "cpu", "memory") }

// headlinesOf are the metrics of these families that the result is about and has
// a number of.
func (l look) headlinesOf(families ...string) []string {
	if !l.memo.knowsHeadlines {
		l.memo.headlines, l.memo.knowsHeadlines = l.Headlines(), true
	}
	return slices.DeleteFunc(slices.Clone(l.memo.headlines), func(metric string) bool {
		family, _, _ := strings.Cut(metric, ".")
		return !slices.Contains(families, family) || !l.positive(metric)
	})
}

// samples are the values inside the counted repeats, one after the other. With
// one block size, operations and bytes a second have one shape: either will do.
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

// argv is the command that measured, nil where it was not kept.
func (l look) argv() []string {
	for _, r := range l.reps {
		if step := r.Transcript.Step("measure"); step != nil {
			return step.Argv
		}
	}
	return nil
}

// warm reports whether the result is meant to come from a cache, and says so itself.
func (l look) warm(dir string) bool { return l.label(dir, "cache") == "warm" }

// mostly reports whether something was seen in half of the repeats or more: what one
// repeat shows and the others do not is no property of the figure.
func mostly(k, n int) bool { return k > 0 && 2*k >= n }

// middle returns the index of the median among values, and of two that are in the middle
// the greater or the lesser: what is said of one repeat adds up, and medians of several
// figures do not.
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

// finding makes a finding about a result.
func (l look) finding(rule string, s assay.Severity, metrics []string, arithmetic, message, advice string) assay.Finding {
	if l.other != "" {
		message = l.other + ": " + message
	}
	return assay.Finding{
		Rule: rule, Severity: s, Subject: l.Trial.ID, Metrics: metrics,
		Arithmetic: arithmetic, Message: message, Advice: advice,
	}
}

// unchecked says that a fact is missing, and what would give it.
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
