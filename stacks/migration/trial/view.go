package trial

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/farclock"
	"assay/internal/outage"
	"assay/stacks/migration"
)

// How the guest was queried, as named in moments.
const (
	byPing = "ping"
	byUDP  = "UDP"
	byTCP  = "TCP"
)

// View is how a guest looked from outside while it was moved.
type View struct {
	ping *sight          // nil if nobody pinged
	seen *migration.Seen // nil if nothing inside answered

	host       string  // who looked
	ahead, off float64 // how far that host's clock is ahead, and the uncertainty of that, s
	begin, end float64 // of the migration, by the clock of whoever started it
	timed      bool    // these are known
}

// ViewOf reads it from a transcript.
func ViewOf(tr assay.Transcript) (v View, err error) {
	if v.ping, err = sightOf(tr.Step(StepPing)); err != nil {
		return v, err
	}
	if asked := tr.Step(StepObserve); asked != nil && unanswered(tr) == nil {
		seen, err := migration.ReadSeen(asked.Output.Stdout)
		if err != nil {
			return v, err
		}
		v.seen = &seen
	}
	moved := tr.Step(StepMigrate)
	if moved == nil {
		moved = tr.Step(StepMeasure)
	}
	asked := slices.IndexFunc(tr.Steps, func(s assay.Step) bool { return strings.HasPrefix(s.Name, StepClock) })
	if moved == nil || moved.Output.Started.IsZero() || asked < 0 {
		return v, nil
	}
	if v.ahead, v.off, err = farclock.Ahead(tr.Steps[asked]); err != nil {
		return v, nil //nolint:nilerr // without that clock there is no time line
	}
	v.host, v.timed = strings.TrimPrefix(tr.Steps[asked].Name, StepClock), true
	v.begin = farclock.Seconds(moved.Output.Started)
	v.end = v.begin + moved.Output.Elapsed.Seconds()
	return v, nil
}

// since returns when the migration began by the observer's clock, or before
// everything.
func (v View) since() float64 {
	if !v.timed {
		return math.Inf(-1)
	}
	return v.begin + v.ahead - v.off
}

// Add adds a figure with labels, each a name and a value. It skips one that was not
// printed.
type Add func(metric string, f migration.Figure, unit assay.Unit, labels ...string)

// Adder returns an Add that appends to found, with labels from all and from a trial's
// settings.
func Adder(found *[]assay.Measurement, set, all map[string]string) Add {
	labels := maps.Clone(all)
	for _, key := range []string{"way", "load"} {
		if value := set[key]; value != "" {
			labels[key] = value
		}
	}
	return func(metric string, f migration.Figure, unit assay.Unit, more ...string) {
		if f.Line == 0 {
			return
		}
		m := assay.Measurement{Metric: metric, Value: f.Value, Unit: unit, Labels: maps.Clone(labels), Line: f.Line}
		for i := 0; i+1 < len(more); i += 2 {
			m.Labels[more[i]] = more[i+1]
		}
		*found = append(*found, m)
	}
}

// Figures adds what was seen.
func (v View) Figures(add Add) {
	figure := func(value float64) migration.Figure { return migration.Figure{Value: value, Line: 1} }
	interval := func(s float64) string { return strconv.FormatFloat(s, 'g', 4, 64) }
	if v.ping != nil {
		add("migration.downtime.seen", figure(v.ping.gap.Seconds()), assay.Seconds, "interval", interval(v.ping.interval))
		add("migration.ping.lost", figure(v.ping.lost), assay.One, "interval", interval(v.ping.interval))
	}
	if v.seen == nil {
		return
	}
	for _, one := range []struct {
		by    string
		asked migration.Asked
		lost  float64
	}{{"udp", v.seen.UDP, v.seen.UDP.Lost()}, {"tcp", v.seen.TCP, v.seen.Dropped}} {
		if one.asked.Answered < fewestAnswers || one.asked.Silent {
			continue
		}
		add("migration.downtime.seen."+one.by, figure(v.without(one.asked)), assay.Seconds, "interval", interval(one.asked.Interval))
		add("migration."+one.by+".lost", figure(one.lost), assay.One, "interval", interval(one.asked.Interval))
	}
	add("migration.tcp.broken", figure(float64(len(v.seen.Broken))), assay.One)
	add("migration.observer.pause", figure(v.seen.Paused), assay.Seconds)
	if st := v.stood(); st != nil && st.Still > st.Off {
		add("migration.clock.stood", figure(st.Still), assay.Seconds)
	}
	if w, ok := v.write(); ok {
		add("migration.io.longest", figure(w.Seconds()), assay.Seconds, "filesystem", v.seen.Disk)
		add("migration.io.longest.guest", figure(w.Guest), assay.Seconds, "filesystem", v.seen.Disk)
	}
	if w, ok := v.seen.LongestWrite(math.Inf(-1), v.since(), nil); ok && v.timed && v.seen.Wrote() {
		add("migration.io.before", figure(w.Seconds()), assay.Seconds, "filesystem", v.seen.Disk)
	}
	if v.seen.Memory == 0 || !v.timed {
		return
	}
	add("migration.load.memory", figure(v.seen.Memory), assay.Bytes)
	begin, end := v.begin+v.ahead, v.end+v.ahead
	for _, phase := range []struct {
		name     string
		from, to float64
	}{{"before", begin - .75*before.Seconds(), begin}, {"during", begin, end}, {"after", end, end + .75*after.Seconds()}} {
		if rate, ok := v.seen.Rate(phase.from, phase.to, v.stood()); ok {
			add("migration.load."+phase.name, figure(rate), assay.BytesPerSecond)
		}
	}
}

// without returns the longest time without an answer since the migration began; if none is
// beyond jitter, the longest of all.
func (v View) without(a migration.Asked) float64 {
	if g, ok := v.gap(a); ok {
		return g.Seconds()
	}
	return a.Longest
}

// gap returns the longest gap that ends after the migration began.
func (v View) gap(a migration.Asked) (outage.Gap, bool) {
	a.Gaps = slices.DeleteFunc(slices.Clone(a.Gaps), func(g outage.Gap) bool { return g.To <= v.since() })
	return a.Gap()
}

// stood returns how long the guest's clock stood still in the longest time without an answer
// to UDP; nil if there was none, or that is unknown.
func (v View) stood() *migration.Standstill {
	gap, ok := v.gap(v.seen.UDP)
	if !ok {
		return nil
	}
	st, ok := v.seen.Stood(gap)
	if !ok {
		return nil
	}
	return &st
}

// write returns the longest write inside since the migration began.
func (v View) write() (migration.Felt, bool) {
	if v.seen == nil || !v.seen.Wrote() {
		return migration.Felt{}, false
	}
	return v.seen.LongestWrite(v.since(), math.Inf(1), v.stood())
}

// Moments returns what happened when, by the clock of whoever had the guest moved; nil if the
// observer's clock is unknown.
func (v View) Moments() []assay.Moment {
	if !v.timed || v.ping == nil {
		return nil
	}
	all := []assay.Moment{{What: assay.Migrating, At: v.begin}, {What: assay.Migrated, At: v.end}}
	see := func(how string, gaps []outage.Gap) {
		for _, m := range outage.Moments(v.host, gaps, v.ahead, v.off) {
			m.How = how
			all = append(all, m)
		}
	}
	see(byPing, or(outage.Telling(v.ping.at, v.since()), v.ping.gap, true))
	if v.seen != nil {
		for _, one := range []struct {
			how   string
			asked migration.Asked
		}{{byUDP, v.seen.UDP}, {byTCP, v.seen.TCP}} {
			gap, ok := v.gap(one.asked)
			see(one.how, or(outage.Longer(one.asked.Gaps, v.since(), one.asked.Interval), gap, ok))
		}
	}
	if w, ok := v.write(); ok {
		all = append(all, assay.Moment{What: assay.WriteBegan, At: w.From - v.ahead, Error: v.off}, assay.Moment{What: assay.Written, At: w.To - v.ahead, Error: v.off})
	}
	return all
}

// or returns the gaps or, if there are none, the one given, if any.
func or(gaps []outage.Gap, one outage.Gap, is bool) []outage.Gap {
	if len(gaps) == 0 && is {
		return []outage.Gap{one}
	}
	return gaps
}
