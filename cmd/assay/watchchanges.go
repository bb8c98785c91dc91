package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/report"
	"assay/report/exposition"
	"assay/store"
)

// history is how many of the newest rounds are searched for changes.
const history = 400

// farOff is the largest tolerated clock offset, as for Ceph's monitors.
const farOff = .05 // s

// found is what a round shows: lines for what is new or failed, all known changes, and
// the trials that failed.
type found struct {
	lines   []string
	all     []exposition.Change
	failing []assay.Trial

	had map[string]assay.Trial // by id: those with a figure in some round, of the metrics in exposition.Watched
}

// changes returns what the newest round shows.
func (w *watcher) changes(ctx context.Context, run assay.Run) (f found, err error) {
	f.had = map[string]assay.Trial{}
	for _, metric := range exposition.Watched {
		if err := w.shifts(ctx, run, metric, &f); err != nil {
			return f, err
		}
	}
	if err := w.growth(ctx, run, &f); err != nil {
		return f, err
	}
	for _, h := range run.Inventory.Hosts {
		if c := run.Inventory.Facts[h.Name].Clock; c != nil && math.Abs(c.Offset)-c.Within > farOff {
			f.lines = append(f.lines, fmt.Sprintf("worse: the clock of %s is %s off (± %s)", h.Name,
				report.Amount(math.Abs(c.Offset), assay.Seconds), report.Amount(c.Within, assay.Seconds)))
		}
	}
	f.fail(run)
	return f, nil
}

// series returns a metric's history over rounds. What the audit says of so small a file
// does not matter: it is compared only with itself.
func (w *watcher) series(ctx context.Context, run assay.Run, metric string) ([]store.Series, error) {
	all, _, err := w.store.Series(ctx, store.SeriesQuery{Metric: metric, Runs: history, Labels: run.Labels, Rejected: true})
	return slices.DeleteFunc(all, func(s store.Series) bool {
		return len(s.Runs) == 0 || !strings.HasPrefix(s.Trial.Case, "watch-")
	}), err
}

// ofNewest returns the series that the newest round is part of.
func ofNewest(all []store.Series, run assay.Run) []store.Series {
	return slices.DeleteFunc(all, func(s store.Series) bool { return s.Runs[len(s.Runs)-1].Run != run.ID })
}

// shifts adds a metric's change points to f. One is new if the history up to the previous
// round does not show it.
func (w *watcher) shifts(ctx context.Context, run assay.Run, metric string, f *found) error {
	all, err := w.series(ctx, run, metric)
	if err != nil {
		return err
	}
	for _, s := range all {
		f.had[s.Trial.ID] = s.Trial
	}
	all = ofNewest(all, run)
	now, err := trendsOf(metric, all)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Runs = all[i].Runs[:len(all[i].Runs)-1]
	}
	before, err := trendsOf(metric, all)
	if err != nil {
		return err
	}
	for i, s := range now {
		for _, c := range s.Changes {
			one := exposition.Change{Host: s.Host, Subject: all[i].Trial.Subject.Name, Case: all[i].Trial.Probe + "/" + all[i].Trial.Case, Peer: all[i].Trial.Peer,
				Metric: metric, Verdict: c.Verdict, At: c.Begun}
			f.all = append(f.all, one)
			if w.told.first(one, c) && !slices.ContainsFunc(before[i].Changes, c.same) {
				f.lines = append(f.lines, fmt.Sprintf("%s: %s, %s, %s since run %s", c.Verdict, s.Title, metric, c.words(metric), c.Since)+located(all[i].Trial, s.Title))
			}
		}
	}
	return nil
}

// located returns where a trial is, if the title does not say.
func located(t assay.Trial, title string) string {
	if t.Peer != "" && strings.Contains(title, t.Peer) {
		return ""
	}
	return ", " + t.Subject.Name + " on " + t.Subject.Host
}

// same reports whether two change points may be one: their possible ranges overlap.
// Run ids sort by time.
func (c trendChange) same(other trendChange) bool {
	return c.Verdict == other.Verdict && c.Earliest <= other.Latest && other.Earliest <= c.Latest
}

// tellings are the change points that a watch's rounds have shown, by what changed. One
// that is barely significant may come and go between rounds: it is reported once.
type tellings map[exposition.Change][]trendChange

// first reports whether no earlier round has shown a change point, and remembers
// it.
func (t tellings) first(of exposition.Change, c trendChange) bool {
	of.At = time.Time{}
	if slices.ContainsFunc(t[of], c.same) {
		return false
	}
	t[of] = append(t[of], c)
	return true
}
