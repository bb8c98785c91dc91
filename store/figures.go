package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay"
)

// Part selects how much of a run to load.
type Part struct {
	// Metrics selects measurements by name; nil means all.
	Metrics func(name string) bool
	// Series also loads their samples and histograms.
	Series bool
	// Whole loads all that Load does, whatever the fields above select.
	Whole bool
	// Must selects the runs that must be readable: if one of them is not, that is an
	// error, while any other is left out (see Store.OnSkip). nil means all.
	Must func(id string) bool
}

// LoadParts returns runs as Load does, in the order of their ids, but unless Whole is set
// with the selected measurements only, without the output lines that these came from, and
// without watches: a comparison reads only what it compares. Equal labels share
// one map, which must not be modified.
func (s *Store) LoadParts(ctx context.Context, ids []string, part Part) ([]*assay.Run, error) {
	var runs []*assay.Run
	err := s.read(ctx, "load runs", func(tx *sql.Tx) error {
		runs = make([]*assay.Run, 0, len(ids))
		p, room := partLoader{whole: part.Whole, series: part.Series, labels: map[string]map[string]string{}}, newRoom()
		if err := p.choose(ctx, tx, part.Metrics); err != nil {
			return err
		}
		for _, id := range ids {
			l := newLoader(ctx, tx, id, room)
			p.loader = &l
			before := room.left
			switch err := p.load(); {
			case err == nil:
				runs = append(runs, &p.run)
			case errors.Is(err, ErrTooLarge) && before < mostOfOne:
				return assay.WithHint(fmt.Sprintf("select fewer runs, or leave this one out: run!=%s", id),
					"the first %d of %d runs fill %d MiB of memory, and run %s does not fit: %w", len(runs), len(ids), roomAtFirst>>20, id, err)
			case isUnreadable(err) && part.Must != nil && !part.Must(id):
				s.skip(ctx, id, err)
				room.left = before
			case isUnreadable(err):
				return unreadable(id, err)
			default:
				return fmt.Errorf("run %s: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return runs, nil
}

// mostOfOne is enough room for any one run: if a run does not fit into this much, the
// run itself is too large, not the number of runs.
const mostOfOne = roomAtFirst / 2

// load loads the part of one run.
func (p *partLoader) load() error {
	if p.whole {
		return p.loader.load()
	}
	for _, step := range []func() error{p.head, p.results, p.repeats, p.measurements, p.findings} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Heads returns what is known of all runs without reading their contents, the newest
// first: of each Summary the ID, Suite, Hosts, Started, Labels and Imported.
// Unreadable runs are left out: see OnSkip.
func (s *Store) Heads(ctx context.Context) (all []Summary, err error) {
	var found []head
	err = s.read(ctx, "list runs", func(tx *sql.Tx) (err error) {
		found, err = heads(ctx, tx)
		return err
	})
	for _, one := range found {
		if one.unreadable != nil {
			s.skip(ctx, one.ID, one.unreadable)
			continue
		}
		all = append(all, Summary{ID: one.ID, Suite: one.Suite, Hosts: one.Hosts, Started: one.Started, Labels: one.Labels, Imported: one.Imported})
	}
	return all, err
}

// partLoader assembles parts of runs, one run after the other.
type partLoader struct {
	*loader
	whole  bool
	all    bool     // every metric
	names  []string // else these
	series bool
	labels map[string]map[string]string // by their JSON: few are distinct
	places map[*assay.Repeat][]int      // positions of a repeat's measurements so far
}

// choose looks up the existing metrics that are wanted.
func (p *partLoader) choose(ctx context.Context, tx *sql.Tx, wanted func(string) bool) (err error) {
	if p.all = wanted == nil; p.all {
		return nil
	}
	p.names, err = metrics(ctx, tx)
	p.names = slices.DeleteFunc(p.names, func(name string) bool { return !wanted(name) })
	return err
}

// repeats loads the repeats of the run, without watches.
func (p *partLoader) repeats() error {
	return each(p.ctx, p.tx, func(rows *sql.Rows) error {
		var trial, started, outcome string
		var elapsed int64
		var r assay.Repeat
		if err := scan(rows, &trial, &r.N, &started, &elapsed, &outcome, &r.Error, &r.Hint); err != nil {
			return err
		}
		r.Outcome, r.Elapsed = assay.Outcome(outcome), time.Duration(elapsed)
		var err error
		if r.Started, err = parseTime(started); err != nil {
			return err
		}
		i, ok := p.trials[trial]
		if !ok {
			return fmt.Errorf("repeat %d has no trial %s: %w", r.N, trial, ErrDamaged)
		}
		p.run.Results[i].Repeats = append(p.run.Results[i].Repeats, r)
		return nil
	}, `SELECT trial, n, started, elapsed_ns, outcome, error, hint FROM repeat WHERE run = ? ORDER BY trial, n`, p.id)
}

// What partLoader reads of a measurement: what the index of metrics holds and, if
// wanted, the series.
const (
	figureColumns = `SELECT m.trial, m.repeat, m.position, m.metric, m.value, m.unit, m.labels`
	withoutSeries = figureColumns + `, NULL, NULL FROM measurement m`
	withSeries    = figureColumns + `, s.samples, s.histogram FROM measurement m LEFT JOIN series s
		ON s.run = m.run AND s.trial = m.trial AND s.repeat = m.repeat AND s.position = m.position`
)

// measurements queries one metric after the other, or all at once if all are
// wanted.
func (p *partLoader) measurements() error {
	p.places = map[*assay.Repeat][]int{}
	query := withoutSeries
	if p.series {
		query = withSeries
	}
	if p.all {
		return each(p.ctx, p.tx, p.add, query+` WHERE m.run = ? ORDER BY m.trial, m.repeat, m.position`, p.id)
	}
	for _, name := range p.names {
		err := each(p.ctx, p.tx, p.add, query+` WHERE m.metric = ? AND m.run = ? ORDER BY m.trial, m.repeat, m.position`, name, p.id)
		if err != nil {
			return err
		}
	}
	p.inOrder()
	return nil
}

// add adds the measurement of a row to its repeat.
func (p *partLoader) add(rows *sql.Rows) error {
	var trial, unit string
	var n, position int
	var labels, samples, histogram sql.RawBytes
	var m assay.Measurement
	if err := scan(rows, &trial, &n, &position, &m.Metric, &m.Value, &unit, &labels, &samples, &histogram); err != nil {
		return err
	}
	m.Unit = assay.Unit(unit)
	wrong := func(err error) error {
		return fmt.Errorf("measurement %s of repeat %d of trial %s: %w", m.Metric, n, trial, err)
	}
	var err error
	if m.Labels, err = p.labelsOf(labels); err != nil {
		return wrong(err)
	}
	if m.Samples, err = p.room.samples(samples); err != nil {
		return wrong(err)
	}
	if m.Histogram, err = p.room.histogram(histogram); err != nil {
		return wrong(err)
	}
	repeat := p.repeat(trial, n)
	if repeat == nil {
		return wrong(fmt.Errorf("its repeat is missing: %w", ErrDamaged))
	}
	repeat.Measurements = append(repeat.Measurements, m)
	p.places[repeat] = append(p.places[repeat], position)
	return nil
}

func (p *partLoader) labelsOf(body []byte) (map[string]string, error) {
	if len(body) == 0 {
		return nil, nil
	}
	if known, ok := p.labels[string(body)]; ok {
		return known, nil
	}
	var labels map[string]string
	if err := fromJSON(body, &labels); err != nil {
		return nil, err
	}
	p.labels[string(body)] = labels
	return labels, nil
}

// inOrder sorts the measurements of each repeat in the order of measurement.
func (p *partLoader) inOrder() {
	for repeat, places := range p.places {
		order := make([]int, len(places))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
		sorted := make([]assay.Measurement, len(order))
		for i, from := range order {
			sorted[i] = repeat.Measurements[from]
		}
		repeat.Measurements = sorted
	}
}
