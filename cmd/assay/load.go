package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay"
	"assay/compare"
	"assay/compare/selection"
	"assay/store"
)

// columns loads what the words select, with all figures that can be judged.
func (a *app) columns(ctx context.Context, words []string) ([]compare.Column, error) {
	return a.columnsFor(ctx, words, need{Options: compare.Options{All: true}})
}

// need says what a comparison looks at.
type need struct {
	compare.Options
	Whole bool // all measurements, with their samples and histograms
}

// columnsFor loads what the words select, as much of it as is needed, each run once.
func (a *app) columnsFor(ctx context.Context, words []string, n need) ([]compare.Column, error) {
	// Words that mean nothing are refused before anything is opened.
	if _, err := selection.Parse(words, nil); err != nil {
		return nil, usage(err)
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	selected, err := selection.Parse(words, func(name string) (string, error) { return st.Resolve(ctx, name) })
	switch {
	case errors.Is(err, assay.ErrNotFound):
		return nil, usage(err)
	case err != nil:
		return nil, err
	}
	runs, err := loadSelected(ctx, st, selected, n)
	if err != nil {
		return nil, err
	}
	var columns []compare.Column
	for _, s := range selected {
		column := compare.Column{Name: s.String()}
		if s.AsksMetrics() {
			column.Metric = s.Metric
		}
		for _, run := range runs {
			for i := range run.Results {
				if s.Result(*run, run.Results[i]) {
					column.Picks = append(column.Picks, compare.Pick{Run: run, Result: &run.Results[i]})
				}
			}
		}
		if len(column.Picks) == 0 {
			return nil, usage(assay.WithHint("list runs with their hosts and suites: assay runs", "no stored results match %s", s))
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// loadSelected loads the runs that may hold something of one of the columns, the
// oldest first: of a long history only what is looked at.
func loadSelected(ctx context.Context, st *store.Store, columns []selection.Column, n need) ([]*assay.Run, error) {
	heads, err := st.Heads(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, one := range slices.Backward(heads) {
		head := selection.Head{ID: one.ID, Suite: one.Suite, Hosts: one.Hosts, Started: one.Started}
		if slices.ContainsFunc(columns, func(c selection.Column) bool { return c.Run(head) }) {
			ids = append(ids, one.ID)
		}
	}
	return st.LoadParts(ctx, ids, n.part(columns))
}

// part says how much of each run is needed: what any of the columns needs. A
// setting may be told by any measurement, so that who selects by one needs all.
func (n need) part(columns []selection.Column) store.Part {
	if n.Whole {
		return store.Part{Series: true}
	}
	var needs []func(string) bool
	for _, c := range columns {
		if slices.ContainsFunc(c.Terms, func(t selection.Term) bool { return strings.HasPrefix(t.Key, "setting.") }) {
			return store.Part{}
		}
		var asked func(string) bool
		if c.AsksMetrics() {
			asked = c.Metric
		}
		needs = append(needs, n.Needs(asked))
	}
	return store.Part{Metrics: func(name string) bool {
		return slices.ContainsFunc(needs, func(needed func(string) bool) bool { return needed(name) })
	}}
}
