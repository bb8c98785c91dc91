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

// forget deletes rounds of this watch that are older than it keeps them. Pinned ones stay,
// and those of watches of other hosts in the same database.
func (w *watcher) forget(ctx context.Context, newest assay.Run) error {
	if w.keep == 0 {
		return nil
	}
	all, err := w.store.Runs(ctx)
	if err != nil {
		return err
	}
	old, _ := retention{keep: -1, older: w.keep, suite: newest.Suite}.choose(all, time.Now())
	deleted := 0
	for _, s := range slices.DeleteFunc(old, func(s store.Summary) bool { return !roundOf(s, newest) }) {
		if err := w.store.Delete(ctx, s.ID); err != nil {
			return fmt.Errorf("delete round %s: %w", s.ID, err)
		}
		deleted++
	}
	if deleted > 0 {
		w.stderr.say("deleted %s older than %s\n", prose.Plural(deleted, "round"), w.keepWord)
	}
	return nil
}

// roundOf reports whether a stored run is a round of the watch that made the newest.
func roundOf(s store.Summary, newest assay.Run) bool {
	var hosts []string
	for _, h := range newest.Inventory.Hosts {
		hosts = append(hosts, h.Name)
	}
	return !s.Imported && s.Labels["job"] == newest.Labels["job"] && slices.Equal(slices.Sorted(slices.Values(hosts)), slices.Sorted(slices.Values(s.Hosts)))
}
