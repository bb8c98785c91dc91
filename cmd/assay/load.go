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

// columnsFor loads what the words select, only as much as needed, each run once.
func (a *app) columnsFor(ctx context.Context, words []string, n need) ([]compare.Column, error) {
	// Meaningless words are rejected before anything is opened.
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
				if s.Run(run.Head) && s.Result(*run.Run, run.Results[i]) {
					column.Picks = append(column.Picks, compare.Pick{Run: run.Run, Result: &run.Results[i]})
				}
			}
		}
		if len(column.Picks) == 0 {
			return nil, usage(assay.WithHint(hintOf(ctx, st, s), "no stored results match %s", s))
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// hintOf returns a hint for a column that selects nothing.
func hintOf(ctx context.Context, st *store.Store, c selection.Column) string {
	heads, err := st.Heads(ctx)
	if err == nil && slices.ContainsFunc(heads, func(one store.Summary) bool {
		return one.Imported && c.Run(selection.Head{ID: one.ID, Suite: one.Suite, Hosts: one.Hosts, Started: one.Started})
	}) {
		return "imported runs count only if you ask for them: add imported=yes, or imported=* for all"
	}
	return "list runs with their hosts and suites: assay runs"
}

// selectedRun is a run with what a selection checks.
type selectedRun struct {
	*assay.Run
	Head selection.Head
}

// loadSelected loads the runs that may contribute to one of the columns, oldest first:
// of a long history, only the relevant ones. Unreadable runs are skipped, unless a
// column names them.
func loadSelected(ctx context.Context, st *store.Store, columns []selection.Column, n need) ([]selectedRun, error) {
	heads, err := st.Heads(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	known := map[string]selection.Head{}
	for _, one := range slices.Backward(heads) {
		head := selection.Head{ID: one.ID, Suite: one.Suite, Hosts: one.Hosts, Started: one.Started, Imported: one.Imported}
		if slices.ContainsFunc(columns, func(c selection.Column) bool { return c.Run(head) }) {
			ids = append(ids, one.ID)
			known[one.ID] = head
		}
	}
	part := n.part(columns)
	part.Must = func(id string) bool {
		return slices.ContainsFunc(columns, func(c selection.Column) bool { return c.Names(id) })
	}
	loaded, err := st.LoadParts(ctx, ids, part)
	if err != nil {
		return nil, err
	}
	var runs []selectedRun
	for _, run := range loaded {
		if len(run.Findings) == 0 { // not audited, which takes more than a part
			whole, err := st.LoadParts(ctx, []string{run.ID}, store.Part{Whole: true, Must: part.Must})
			if err != nil {
				return nil, err
			}
			if len(whole) == 0 {
				continue
			}
			run.Findings = judged(ctx, st, *whole[0]).Findings
		}
		runs = append(runs, selectedRun{run, known[run.ID]})
	}
	return runs, nil
}

// part returns how much of each run the columns need together. A setting may be
// in any measurement, so selecting by one needs all.
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
