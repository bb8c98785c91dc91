package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// Series gives all series of a metric, those of a trial together, in the order
// of their ids. more says that there were older runs than the query allowed.
// Where a repeat has a metric twice under the same conditions, the first counts.
// A metric that no run has gives none.
func (s *Store) Series(ctx context.Context, q SeriesQuery) (all []Series, more bool, err error) {
	if q.Runs <= 0 {
		q.Runs = 1 << 40
	}
	c := collector{q: q, labels: map[string]told{}, trials: map[string]storedTrial{}, found: map[string]*Series{}}
	err = s.read(ctx, "read series of "+q.Metric, func(tx *sql.Tx) error {
		runs, err := runsWith(ctx, tx, q)
		if err != nil {
			return err
		}
		if len(runs) > q.Runs {
			more, runs = true, runs[len(runs)-q.Runs:]
		}
		values, err := tx.PrepareContext(ctx, valuesOfRun)
		if err != nil {
			return err
		}
		defer values.Close()
		if c.trial, err = tx.PrepareContext(ctx, `SELECT trial FROM trial WHERE run = ? AND id = ?`); err != nil {
			return err
		}
		defer c.trial.Close()
		for _, r := range runs {
			if err := c.run(ctx, values, r); err != nil {
				return err
			}
		}
		return nil
	})
	for _, key := range slices.Sorted(maps.Keys(c.found)) {
		all = append(all, *c.found[key])
	}
	return all, more, err
}

// runsWith gives the runs that have the metric, the oldest first, and one more
// than was asked for where there are more.
func runsWith(ctx context.Context, tx *sql.Tx, q SeriesQuery) (all []RunValues, err error) {
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.UTC().Format(stamp)
	}
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var r RunValues
		var started string
		if err := rows.Scan(&r.Run, &started); err != nil {
			return err
		}
		var err error
		r.Started, err = parseTime(started)
		all = append(all, r)
		return err
	}, `
		SELECT id, started FROM run
		WHERE started >= ? AND EXISTS (SELECT 1 FROM measurement m WHERE m.metric = ? AND m.run = run.id)
		ORDER BY started DESC, rowid DESC LIMIT ?`, since, q.Metric, q.Runs+1)
	slices.Reverse(all)
	return all, err
}

// valuesOfRun walks the index of (metric, run), which also holds trial, repeat
// and position in this order. Then it reads the one row of each value, and of its
// repeat whether it counts.
const valuesOfRun = `
	SELECT m.trial, m.repeat, m.value, m.unit, coalesce(m.labels, '')
	FROM measurement m INDEXED BY measurement_by_metric
	CROSS JOIN repeat r ON r.run = m.run AND r.trial = m.trial AND r.n = m.repeat
	WHERE m.metric = ? AND m.run = ? AND m.repeat > 0 AND r.outcome = ?
	ORDER BY m.trial, m.repeat, m.position`

// collector puts values into series.
type collector struct {
	q      SeriesQuery
	trial  *sql.Stmt
	labels map[string]told        // by the labels' JSON: few differ
	trials map[string]storedTrial // by the trial's JSON
	found  map[string]*Series
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

func (c *collector) run(ctx context.Context, values *sql.Stmt, r RunValues) error {
	rows, err := values.QueryContext(ctx, c.q.Metric, r.Run, string(assay.Done))
	if err != nil {
		return err
	}
	defer rows.Close()
	var of string
	var t storedTrial
	last := map[string]int{} // the repeat of the last value of each series
	for rows.Next() {
		var trial, unit, labels string
		var n int
		var v float64
		if err := rows.Scan(&trial, &n, &v, &unit, &labels); err != nil {
			return err
		}
		if trial != of {
			if t, err = c.trialOf(ctx, r.Run, trial); err != nil {
				return fmt.Errorf("trial %s of run %s: %w", trial, r.Run, err)
			}
			of = trial
		}
		if !t.wanted {
			continue
		}
		under, err := c.told(labels)
		if err != nil {
			return fmt.Errorf("labels of trial %s of run %s: %w", trial, r.Run, err)
		}
		key := t.key + "\x00" + under.key
		if last[key] == n {
			continue
		}
		last[key] = n
		c.add(key, r, v).Trial = t.trial
		c.found[key].Unit, c.found[key].Conditions = assay.Unit(unit), under.conditions
	}
	return rows.Err()
}

// add gives the series of that key, with the value in it.
func (c *collector) add(key string, r RunValues, v float64) *Series {
	s := c.found[key]
	if s == nil {
		s = new(Series)
		c.found[key] = s
	}
	if len(s.Runs) == 0 || s.Runs[len(s.Runs)-1].Run != r.Run {
		s.Runs = append(s.Runs, r)
	}
	newest := &s.Runs[len(s.Runs)-1]
	newest.Values = append(newest.Values, v)
	return s
}

func (c *collector) trialOf(ctx context.Context, run, id string) (storedTrial, error) {
	var body string
	if err := c.trial.QueryRowContext(ctx, run, id).Scan(&body); err != nil {
		return storedTrial{}, err
	}
	if t, ok := c.trials[body]; ok {
		return t, nil
	}
	var t storedTrial
	if err := fromJSON([]byte(body), &t.trial); err != nil {
		return t, err
	}
	on := t.trial.Subject
	t.key = strings.Join([]string{t.trial.ID, on.Host, t.trial.Peer, wordsOf(t.trial.Settings)}, "\x00")
	t.wanted = (c.q.Case == "" || c.q.Case == t.trial.Probe+"/"+t.trial.Case) &&
		(c.q.Host == "" || c.q.Host == on.Host) &&
		(c.q.Subject == "" || c.q.Subject == on.ID || c.q.Subject == on.Name)
	c.trials[body] = t
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

// Metrics gives the names of all metrics that are stored, sorted. It steps from
// name to name in the index.
func (s *Store) Metrics(ctx context.Context) (names []string, err error) {
	err = s.read(ctx, "list metrics", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			names = append(names, name)
			return err
		}, `
			WITH RECURSIVE name (is_) AS (
			    SELECT min(metric) FROM measurement
			    UNION ALL
			    SELECT (SELECT min(metric) FROM measurement WHERE metric > is_) FROM name WHERE is_ IS NOT NULL)
			SELECT is_ FROM name WHERE is_ IS NOT NULL`)
	})
	return names, err
}
