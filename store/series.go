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

// SeriesQuery asks for the history of a metric. "" and zero leave open.
type SeriesQuery struct {
	Metric  string
	Case    string    // probe/case
	Host    string    // of the trial's subject
	Subject string    // id of the trial's subject, or its name
	Since   time.Time // of the start of a run
	Runs    int       // the newest so many that have the metric; 0 means all
	// Labels are what a run must be called by; none for all.
	Labels map[string]string
}

// Series is one metric of one trial over all runs that had it alike: the same
// trial, on the same host, with the same settings, measured under the same
// conditions.
type Series struct {
	Trial      assay.Trial       // as the newest of the runs had it
	Unit       assay.Unit        //
	Conditions map[string]string // labels of the measurements that tell series apart
	Runs       []RunValues       // in the order in which they began
}

// RunValues is what one run measured.
type RunValues struct {
	Run     string
	Started time.Time // UTC
	Values  []float64 // of the repeats that count, in their order; base units
}

// conditions are the labels that say what was measured, and under what: figures
// that differ in one are not alike. Others, such as the rounding of a figure,
// differ between repeats of the same thing.
var conditions = []string{
	"block", "bs", "buffers", "clients", "concurrency", "device", "direct", "direction", "engine", "ioengine",
	"iodepth", "job", "level", "mode", "numjobs", "object_size", "op", "pattern", "protocol", "sensor", "side",
	"size", "streams", "sync", "threads", "upper",
}

// Series returns all series of a metric, those of a trial together, in the order
// of their ids. more says that there were older runs than the query allowed.
// Where a repeat has a metric twice under the same conditions, the first counts.
// A metric that no run has gives none. Each run is read as one consistent state.
func (s *Store) Series(ctx context.Context, q SeriesQuery) (all []Series, more bool, err error) {
	if q.Runs <= 0 {
		q.Runs = 1 << 40
	}
	task := "read series of " + q.Metric
	var runs []RunValues
	err = s.read(ctx, task, func(tx *sql.Tx) (err error) {
		runs, err = runsWith(ctx, tx, q)
		return err
	})
	if len(runs) > q.Runs {
		more, runs = true, runs[len(runs)-q.Runs:]
	}
	if err != nil || len(runs) == 0 {
		return nil, more, err
	}
	// A long history is read in stretches, as many at once as there are CPUs.
	stretches := min(runtime.GOMAXPROCS(0), mostStretches, 1+len(runs)/leastStretch)
	collectors, errs := make([]*collector, stretches), make([]error, stretches)
	var read sync.WaitGroup
	for i := range collectors {
		stretch := runs[i*len(runs)/stretches : (i+1)*len(runs)/stretches]
		c := &collector{q: q, labels: map[string]told{}, trials: map[string]*storedTrial{}, found: map[string]*Series{}}
		collectors[i] = c
		read.Go(func() {
			errs[i] = s.read(ctx, task, func(tx *sql.Tx) error { return c.collect(ctx, tx, stretch) })
		})
	}
	read.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	found := joined(collectors)
	for _, key := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[key])
	}
	return all, more, nil
}

// How a history is divided for reading.
const (
	mostStretches = 4
	leastStretch  = 100 // runs
)

// collect reads what some runs have.
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
	for _, r := range runs {
		if err := c.run(ctx, values, trials, r); err != nil {
			return err
		}
	}
	return nil
}

// joined puts together what is of one series, the stretches in the order of time.
func joined(stretches []*collector) map[string]*Series {
	all := stretches[0].found
	for _, c := range stretches[1:] {
		for key, newer := range c.found {
			if older := all[key]; older != nil {
				newer.Runs = append(older.Runs, newer.Runs...)
			}
			all[key] = newer
		}
	}
	return all
}

// runsWith returns the runs that have the metric, the oldest first, and one more
// than was asked for where there are more.
func runsWith(ctx context.Context, tx *sql.Tx, q SeriesQuery) (all []RunValues, err error) {
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.UTC().Format(stamp)
	}
	limit := q.Runs + 1
	if len(q.Labels) > 0 { // which are not read by the database
		limit = 1 << 40
	}
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var r RunValues
		var started string
		var column sql.NullString
		if err := rows.Scan(&r.Run, &started, &column); err != nil {
			return err
		}
		labels, err := readLabels(column)
		if err != nil || assay.CheckRunID(r.Run) != nil || len(all) > q.Runs || !q.called(labels) {
			return err
		}
		r.Started, err = parseTime(started)
		all = append(all, r)
		return err
	}, `
		SELECT id, started, labels FROM run
		WHERE started >= ? AND EXISTS (SELECT 1 FROM measurement m WHERE m.metric = ? AND m.run = run.id)
		ORDER BY started DESC, rowid DESC LIMIT ?`, since, q.Metric, limit)
	slices.Reverse(all)
	return all, err
}

// called reports whether a run of these labels is asked for.
func (q SeriesQuery) called(labels map[string]string) bool {
	for name, value := range q.Labels {
		if got, is := labels[name]; !is || got != value {
			return false
		}
	}
	return true
}

// valuesOfRun finds all that it gives in the index of metrics, next to each other and
// in this order.
const valuesOfRun = `
	SELECT trial, repeat, value, unit, labels FROM measurement
	WHERE metric = ? AND run = ? AND repeat > 0
	ORDER BY trial, repeat, position`

// repeatID names a repeat.
type repeatID struct {
	run, trial string
	n          int
}

// uncounted returns the repeats that are not done. They are few, and have an index of
// their own: the word stands in the query, or it would not be used.
func uncounted(ctx context.Context, tx *sql.Tx) (map[repeatID]bool, error) {
	all := map[repeatID]bool{}
	err := each(ctx, tx, func(rows *sql.Rows) error {
		var id repeatID
		err := rows.Scan(&id.run, &id.trial, &id.n)
		all[id] = true
		return err
	}, `SELECT run, trial, n FROM repeat WHERE outcome <> 'done'`)
	return all, err
}

// collector puts values into series.
type collector struct {
	q         SeriesQuery
	uncounted map[repeatID]bool
	labels    map[string]told         // by the labels' JSON: few differ
	trials    map[string]*storedTrial // by the trial's JSON
	found     map[string]*Series
}

// told is what labels say of the conditions; key is the same in words.
type told struct {
	conditions map[string]string
	key        string
}

// storedTrial is a trial with a key that is the same for those that are alike.
type storedTrial struct {
	trial  assay.Trial
	key    string
	wanted bool
}

// run adds what one run has.
func (c *collector) run(ctx context.Context, values, trials *sql.Stmt, r RunValues) error {
	of := map[string]*storedTrial{} // by id
	if err := eachOf(ctx, trials, func(rows *sql.Rows) (err error) {
		var id string
		var body sql.RawBytes
		if err := rows.Scan(&id, &body); err != nil {
			return err
		}
		if of[id], err = c.trial(body); err != nil {
			return fmt.Errorf("trial %s of run %s: %w", id, r.Run, err)
		}
		return nil
	}, r.Run); err != nil {
		return err
	}
	var before struct { // the row before, and where it went
		trial, labels string
		series        *growing
	}
	alike := map[string]*growing{} // series of this run
	return eachOf(ctx, values, func(rows *sql.Rows) error {
		var trial, unit, labels sql.RawBytes
		var n int
		var v float64
		if err := rows.Scan(&trial, &n, &v, &unit, &labels); err != nil {
			return err
		}
		if before.series == nil || string(trial) != before.trial || string(labels) != before.labels {
			before.trial, before.labels = string(trial), string(labels)
			t := of[before.trial]
			if t == nil {
				return fmt.Errorf("values of run %s belong to no trial %s: %w", r.Run, trial, ErrDamaged)
			}
			under, err := c.told(before.labels)
			if err != nil {
				return fmt.Errorf("labels of trial %s of run %s: %w", trial, r.Run, err)
			}
			key := t.key + "\x00" + under.key
			if before.series = alike[key]; before.series == nil {
				before.series = &growing{trial: t, conditions: under.conditions, key: key}
				alike[key] = before.series
			}
		}
		s := before.series
		if !s.trial.wanted || s.last == n || len(c.uncounted) > 0 && c.uncounted[repeatID{r.Run, before.trial, n}] {
			return nil
		}
		if s.last == 0 {
			s.in = c.begin(s, r, assay.Unit(unit))
		}
		s.last = n
		s.in.Values = append(s.in.Values, v)
		return nil
	}, c.q.Metric, r.Run)
}

// growing is a series that values of a run come to.
type growing struct {
	key        string
	trial      *storedTrial
	conditions map[string]string
	last       int // the repeat of its last value; 0 for none
	in         *RunValues
}

// begin returns the place for the values of a run: the newest of its series.
func (c *collector) begin(g *growing, r RunValues, unit assay.Unit) *RunValues {
	s := c.found[g.key]
	if s == nil {
		s = new(Series)
		c.found[g.key] = s
	}
	s.Trial, s.Unit, s.Conditions = g.trial.trial, unit, g.conditions
	s.Runs = append(s.Runs, r)
	return &s.Runs[len(s.Runs)-1]
}

// trial reads a trial, each text once.
func (c *collector) trial(body []byte) (*storedTrial, error) {
	if t, ok := c.trials[string(body)]; ok {
		return t, nil
	}
	t := new(storedTrial)
	if err := fromJSON(body, &t.trial); err != nil {
		return nil, err
	}
	on := t.trial.Subject
	t.key = strings.Join([]string{t.trial.ID, on.Host, t.trial.Peer, wordsOf(t.trial.Settings)}, "\x00")
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
		t = told{all, wordsOf(all)}
	}
	c.labels[labels] = t
	return t, nil
}

// wordsOf puts a map into one line, sorted.
func wordsOf(m map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s=%q ", k, m[k])
	}
	return b.String()
}
