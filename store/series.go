package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
)

// SeriesQuery selects the history of a metric. "" and zero match all.
type SeriesQuery struct {
	Metric  string
	Case    string    // probe/case
	Host    string    // of the trial's subject
	Subject string    // id or name of the trial's subject
	Since   time.Time // earliest start of a run
	Runs    int       // the newest ones that have the metric; 0 means all
	// Labels are labels that a run must have; none matches all.
	Labels map[string]string
	// Imported includes runs from other databases and from tool output.
	Imported bool
	// Rejected joins figures that the audit rejected with the others.
	Rejected bool
}

// Series is one metric of one trial over all comparable runs: the same trial,
// on the same host, with the same settings, measured under the same conditions. Lengths
// and assay.Chosen are near those of the run before.
type Series struct {
	Trial      assay.Trial       // as in the newest of the runs
	Unit       assay.Unit        //
	Conditions map[string]string // measurement labels that tell series apart
	Rejected   bool              // the audit rejected the figure in all of the runs, not for scatter alone
	Runs       []RunValues       // in order of their start
}

// RunValues is what one run measured.
type RunValues struct {
	Run     string
	Started time.Time // UTC
	Values  []float64 // of the counted repeats, in order; base units
}

// conditions are the labels that say what was measured and how: values that
// differ in one are not comparable. Others, such as the rounding of a value,
// differ between repeats of the same thing.
var conditions = []string{
	"block", "bs", "buffers", "clients", "concurrency", "device", "direct", "direction", "engine", "ioengine",
	"iodepth", "job", "level", "mode", "numjobs", "object_size", "op", "pattern", "protocol", "sensor", "side",
	"size", "streams", "sync", "threads", "upper",
}

// Series returns all series of a metric, grouped by trial, in order of their ids. more
// reports that there are older runs than the query allows. If a repeat has a metric twice
// under the same conditions, the first counts. A metric that no run has gives none. Each
// run is read as one consistent state; unreadable runs are left out (see OnSkip), as are
// imported ones unless the query includes them.
func (s *Store) Series(ctx context.Context, q SeriesQuery) (all []Series, more bool, err error) {
	if q.Runs <= 0 {
		q.Runs = 1 << 40
	}
	task := "read series of " + q.Metric
	var runs []RunValues
	err = s.read(ctx, task, func(tx *sql.Tx) (err error) {
		runs, err = s.runsWith(ctx, tx, q)
		return err
	})
	if len(runs) > q.Runs {
		more, runs = true, runs[len(runs)-q.Runs:]
	}
	if err != nil || len(runs) == 0 {
		return nil, more, err
	}
	// A long history is read in stretches, as many in parallel as there are
	// CPUs.
	stretches := min(runtime.GOMAXPROCS(0), mostStretches, 1+len(runs)/leastStretch)
	collectors, errs := make([]*collector, stretches), make([]error, stretches)
	var read sync.WaitGroup
	for i := range collectors {
		stretch := runs[i*len(runs)/stretches : (i+1)*len(runs)/stretches]
		c := &collector{s: s, q: q, room: &room{budget: &budget{left: roomAtFirst / stretches}}, labels: map[string]told{}, trials: map[string]*storedTrial{}}
		collectors[i] = c
		read.Go(func() {
			errs[i] = s.read(ctx, task, func(tx *sql.Tx) error { return c.collect(ctx, tx, stretch) })
		})
	}
	read.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	for _, one := range joined(collectors) {
		all = append(all, *one)
	}
	return all, more, nil
}

// How a history is split for reading.
const (
	mostStretches = 4
	leastStretch  = 100 // runs
)

// collect reads the values of some runs.
func (c *collector) collect(ctx context.Context, tx *sql.Tx, runs []RunValues) (err error) {
	if c.uncounted, err = uncounted(ctx, tx); err != nil {
		return err
	}
	values, err := tx.PrepareContext(ctx, valuesOfRun)
	if err != nil {
		return err
	}
	defer values.Close()
	trials, err := tx.PrepareContext(ctx, `SELECT id, trial FROM trial WHERE run = ?`)
	if err != nil {
		return err
	}
	defer trials.Close()
	findings, err := tx.PrepareContext(ctx, `SELECT rule, subject, finding FROM finding WHERE run = ? AND severity = 'E'`)
	if err != nil {
		return err
	}
	defer findings.Close()
	for _, r := range runs {
		all, err := c.run(ctx, values, trials, findings, r)
		switch {
		case isUnreadable(err):
			c.s.skip(ctx, r.Run, err)
		case err != nil:
			return err
		default:
			c.grown = append(c.grown, all...)
		}
	}
	return nil
}

// joined returns the series of all stretches, which are in order of time.
func joined(stretches []*collector) (all []*Series) {
	found := map[string][]*Series{}
	for _, c := range stretches {
		for _, g := range c.grown {
			found[g.key] = add(found[g.key], g)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[key]...)
	}
	return all
}

// runsWith returns the runs that have the metric, oldest first, and one more
// than requested if there are more.
func (s *Store) runsWith(ctx context.Context, tx *sql.Tx, q SeriesQuery) (all []RunValues, err error) {
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.UTC().Format(stamp)
	}
	limit := q.Runs + 1
	err = each(ctx, tx, func(rows *sql.Rows) error {
		if len(all) == limit { // the database cannot tell how many rows that takes
			return errEnough
		}
		var one Summary
		why := one.scan(rows)
		switch {
		case assay.CheckRunID(one.ID) != nil:
		case why != nil:
			s.skip(ctx, one.ID, why)
		case q.Imported || !one.Imported:
			if q.called(one.Labels) {
				all = append(all, RunValues{Run: one.ID, Started: one.Started})
			}
		}
		return nil
	}, headColumns+` FROM run
		WHERE started >= ? AND EXISTS (SELECT 1 FROM measurement m WHERE m.metric = ? AND m.run = run.id)`+inOrder, since, q.Metric)
	if errors.Is(err, errEnough) {
		err = nil
	}
	slices.Reverse(all)
	return all, err
}

// errEnough ends a query.
var errEnough = errors.New("enough")

// called reports whether a run with these labels matches the query.
func (q SeriesQuery) called(labels map[string]string) bool {
	for name, value := range q.Labels {
		if got, is := labels[name]; !is || got != value {
			return false
		}
	}
	return true
}

// valuesOfRun is answered from the index of metrics alone, whose entries are adjacent
// and in this order.
const valuesOfRun = `
	SELECT trial, repeat, value, unit, labels FROM measurement
	WHERE metric = ? AND run = ? AND repeat > 0
	ORDER BY trial, repeat, position`

// repeatID identifies a repeat.
type repeatID struct {
	run, trial string
	n          int
}

// uncounted returns the repeats that are not done. They are few and have their own
// index, which is used only if the word is a literal in the query.
func uncounted(ctx context.Context, tx *sql.Tx) (map[repeatID]bool, error) {
	all := map[repeatID]bool{}
	err := each(ctx, tx, func(rows *sql.Rows) error {
		var id repeatID
		if scan(rows, &id.run, &id.trial, &id.n) == nil { // a repeat without a number has no values
			all[id] = true
		}
		return nil
	}, `SELECT run, trial, n FROM repeat WHERE outcome <> 'done'`)
	return all, err
}

// collector sorts values into series.
type collector struct {
	s         *Store
	room      *room
	q         SeriesQuery
	uncounted map[repeatID]bool
	labels    map[string]told         // by the labels' JSON: few differ
	trials    map[string]*storedTrial // by the trial's JSON
	grown     []*growing              // in order of time
}

// told holds the conditions among some labels, also as text; key is text without
// assay.Chosen.
type told struct {
	conditions map[string]string
	text, key  string
}

// storedTrial is a trial with a key that comparable trials share, if their lengths and
// assay.Chosen are near.
type storedTrial struct {
	trial  assay.Trial
	key    string
	wanted bool
}

// rejected returns the trials, by id, whose figure the audit rejected in a run. What it
// says about a drive's health is no fault of the figure.
func (c *collector) rejected(ctx context.Context, findings *sql.Stmt, run string) (map[string]bool, error) {
	if c.q.Rejected || strings.HasPrefix(c.q.Metric, "smart.") {
		return nil, nil
	}
	all := map[string]bool{}
	return all, eachOf(ctx, findings, func(rows *sql.Rows) error {
		var rule, subject string
		var body sql.RawBytes
		if err := scan(rows, &rule, &subject, &body); err != nil || slices.Contains(assay.ScatterRules, rule) {
			return err
		}
		var f assay.Finding
		if err := c.room.json(body, &f); err != nil {
			return fmt.Errorf("finding: %w", err)
		}
		all[subject] = all[subject] || len(f.Metrics) == 0 || slices.Contains(f.Metrics, c.q.Metric)
		return nil
	}, run)
}

// run returns the series of one run, in the order of its values.
func (c *collector) run(ctx context.Context, values, trials, findings *sql.Stmt, r RunValues) (all []*growing, err error) {
	rejected, err := c.rejected(ctx, findings, r.Run)
	if err != nil {
		return nil, err
	}
	of := map[string]*storedTrial{} // by id
	if err := eachOf(ctx, trials, func(rows *sql.Rows) (err error) {
		var id string
		var body sql.RawBytes
		if err := scan(rows, &id, &body); err != nil {
			return err
		}
		if of[id], err = c.trial(body); err != nil {
			return fmt.Errorf("trial %s: %w", id, err)
		}
		return nil
	}, r.Run); err != nil {
		return nil, err
	}
	var before struct { // the previous row, and its series
		trial, labels string
		series        *growing
	}
	alike := map[string]*growing{} // series of this run
	err = eachOf(ctx, values, func(rows *sql.Rows) error {
		var trial, unit, labels sql.RawBytes
		var n int
		var v float64
		if err := scan(rows, &trial, &n, &v, &unit, &labels); err != nil {
			return err
		}
		if before.series == nil || string(trial) != before.trial || string(labels) != before.labels {
			before.trial, before.labels = string(trial), string(labels)
			t := of[before.trial]
			if t == nil {
				return fmt.Errorf("values belong to no trial %s: %w", trial, ErrDamaged)
			}
			under, err := c.told(before.labels)
			if err != nil {
				return fmt.Errorf("labels of trial %s: %w", trial, err)
			}
			key := t.key + "\x00" + under.text
			if before.series = alike[key]; before.series == nil {
				before.series = &growing{trial: t, conditions: under.conditions, rejected: rejected[before.trial], RunValues: r}
				before.series.key = fmt.Sprintf("%s\x00%s\x00%v", t.key, under.key, rejected[before.trial])
				alike[key] = before.series
			}
		}
		s := before.series
		if !s.trial.wanted || s.last == n || len(c.uncounted) > 0 && c.uncounted[repeatID{r.Run, before.trial, n}] {
			return nil
		}
		if s.last == 0 {
			s.unit = assay.Unit(unit)
			all = append(all, s)
		}
		s.last = n
		s.Values = append(s.Values, v)
		return nil
	}, c.q.Metric, r.Run)
	return all, err
}

// growing is what a run adds to a series.
type growing struct {
	RunValues
	key        string
	trial      *storedTrial
	conditions map[string]string
	rejected   bool
	last       int // the repeat of its last value; 0 for none
	unit       assay.Unit
}

// add appends g, the newest, to the series that it continues, or begins another.
func add(all []*Series, g *growing) []*Series {
	i := slices.IndexFunc(all, g.continues)
	if i < 0 {
		i, all = len(all), append(all, new(Series))
	}
	s := all[i]
	s.Trial, s.Unit, s.Conditions, s.Rejected = g.trial.trial, g.unit, g.conditions, g.rejected
	s.Runs = append(s.Runs, g.RunValues)
	return all
}

// continues reports whether g was measured like the newest run of a series with its
// key.
func (g *growing) continues(s *Series) bool {
	trial, was := g.trial.trial, s.Trial
	return s.Runs[len(s.Runs)-1].Run != g.Run && assay.Near(float64(was.Length), float64(trial.Length), assay.NearLength) &&
		!slices.ContainsFunc(assay.Chosen, func(name string) bool {
			return !assay.AlikeSetting(name, was.Settings[name], trial.Settings[name]) || !assay.AlikeSetting(name, s.Conditions[name], g.conditions[name])
		})
}

// trial decodes a trial, each distinct text once.
func (c *collector) trial(body []byte) (*storedTrial, error) {
	if t, ok := c.trials[string(body)]; ok {
		return t, nil
	}
	t := new(storedTrial)
	if err := c.room.json(body, &t.trial); err != nil {
		return nil, err
	}
	on := t.trial.Subject
	t.key = strings.Join([]string{t.trial.ID, on.Host, t.trial.Peer, wordsOf(t.trial.Settings, assay.Chosen...)}, "\x00")
	t.wanted = (c.q.Case == "" || c.q.Case == t.trial.Probe+"/"+t.trial.Case) &&
		(c.q.Host == "" || c.q.Host == on.Host) &&
		(c.q.Subject == "" || c.q.Subject == on.ID || c.q.Subject == on.Name)
	c.trials[string(body)] = t
	return t, nil
}

func (c *collector) told(labels string) (told, error) {
	if t, ok := c.labels[labels]; ok {
		return t, nil
	}
	var t told
	if labels != "" {
		var all map[string]string
		if err := fromJSON([]byte(labels), &all); err != nil {
			return t, err
		}
		maps.DeleteFunc(all, func(name, _ string) bool { return !slices.Contains(conditions, name) })
		t = told{all, wordsOf(all), wordsOf(all, assay.Chosen...)}
	}
	c.labels[labels] = t
	return t, nil
}

// wordsOf formats a map as one line, sorted, without some of its keys.
func wordsOf(m map[string]string, without ...string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(without, k) {
			fmt.Fprintf(&b, "%s=%q ", k, m[k])
		}
	}
	return b.String()
}
