package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay"
	"assay/internal/prose"
	"assay/store"
)

// forget deletes this watch's rounds that are older than it keeps. Pinned rounds stay, as
// do those of other watches in the same database.
func (w *watcher) forget(ctx context.Context, newest assay.Run) error {
	if w.keep == 0 {
		return nil
	}
	all, err := w.store.Runs(ctx)
	if err != nil {
		return err
	}
	old, _ := retention{keep: -1, older: w.keep, suite: newest.Suite}.choose(all, time.Now())
	own, err := w.roundsOf(ctx, newest, old)
	if err != nil {
		return err
	}
	for _, id := range own {
		if err := w.store.Delete(ctx, id); err != nil {
			return fmt.Errorf("delete round %s: %w", id, err)
		}
	}
	if deleted := len(own); deleted > 0 {
		w.stderr.say("deleted %s older than %s\n", prose.Plural(deleted, "round"), w.keepWord)
	}
	return nil
}

// roundsOf returns the ids of the runs that are rounds of the watch that made newest: same
// hosts, directories, devices and links. Another watch of the same host, with its own
// --dir or cluster.yaml, keeps its rounds.
func (w *watcher) roundsOf(ctx context.Context, newest assay.Run, all []store.Summary) (ids []string, err error) {
	var maybe []string
	for _, s := range all {
		if !s.Imported && s.Labels["job"] == newest.Labels["job"] {
			maybe = append(maybe, s.ID)
		}
	}
	nothing := func(string) bool { return false }
	runs, err := w.store.LoadParts(ctx, maybe, store.Part{Metrics: nothing, Must: nothing})
	if err != nil {
		return nil, err
	}
	want := watched(newest)
	for _, r := range runs {
		if slices.Equal(watched(*r), want) {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// watched returns what a round was asked to measure, sorted: its hosts and their
// subjects. Drives are left out: a watch finds them by itself, and they get replaced.
func watched(round assay.Run) []string {
	var all []string
	for _, h := range round.Inventory.Hosts {
		all = append(all, h.Name)
	}
	for _, r := range round.Results {
		if r.Trial.Subject.Kind != assay.KindDrive {
			all = append(all, r.Trial.Subject.ID)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
