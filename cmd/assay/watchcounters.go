package main

import (
	"context"
	"fmt"
	"slices"

	"assay"
	"assay/store"
)

// counters only ever grow, and any growth means trouble.
var counters = []string{
	"smart.media_errors", "smart.reallocated_sectors", "smart.crc_errors", "smart.self_test_failures", "smart.unsafe_shutdowns",
}

// growth adds the error counters that grew since the drive was last read, which may be
// rounds ago: other watches may share the database, and hosts may have been away.
func (w *watcher) growth(ctx context.Context, run assay.Run, f *found) error {
	known := inventories{run.ID: run.Inventory.Facts}
	for _, metric := range counters {
		all, err := w.series(ctx, run, metric)
		if err != nil {
			return err
		}
		if err := known.load(ctx, w.store, all, run.ID); err != nil {
			return err
		}
		for _, s := range ofNewest(slices.Clone(all), run) {
			was, is := known.before(s, all), readingAt(s, len(s.Runs)-1)
			if was != nil && is.value > was.value {
				f.lines = append(f.lines, fmt.Sprintf("worse: %s of %s on %s grew from %g to %g", metric, is.drive.Name, is.drive.Host, was.value, is.value))
			}
		}
	}
	return nil
}

// reading is what a counter of a drive was in a run.
type reading struct {
	drive assay.Subject
	run   string
	value float64
}

func readingAt(s store.Series, i int) reading {
	r := reading{drive: s.Trial.Subject, run: s.Runs[i].Run}
	if values := s.Runs[i].Values; len(values) > 0 {
		r.value = values[len(values)-1]
	}
	return r
}

// inventories are the facts about the hosts of some runs, by run.
type inventories map[string]map[string]assay.Facts

// load adds those of the runs with the last reading of each series before the newest run.
func (known inventories) load(ctx context.Context, st *store.Store, all []store.Series, newest string) error {
	var ids []string
	for _, s := range all {
		if i := lastBefore(s, newest); i >= 0 && known[s.Runs[i].Run] == nil {
			ids = append(ids, s.Runs[i].Run)
		}
	}
	slices.Sort(ids)
	nothing := func(string) bool { return false }
	runs, err := st.LoadParts(ctx, slices.Compact(ids), store.Part{Metrics: nothing, Must: nothing})
	for _, r := range runs {
		known[r.ID] = r.Inventory.Facts
	}
	return err
}

// lastBefore returns the index of a series' last run before the newest one, or -1.
func lastBefore(s store.Series, newest string) int {
	if i := len(s.Runs) - 1; s.Runs[i].Run != newest {
		return i
	}
	return len(s.Runs) - 2
}

// before returns the last reading of a series' drive before the newest run, or nil. The
// drive may have had another name: names follow the order in which the kernel finds drives,
// and a replacement takes over that of the old one.
func (known inventories) before(s store.Series, all []store.Series) (found *reading) {
	newest := s.Runs[len(s.Runs)-1].Run
	serial := known.serial(newest, s.Trial.Subject)
	for _, other := range all {
		i := lastBefore(other, newest)
		if i < 0 || other.Trial.Subject.Host != s.Trial.Subject.Host || serial == "" && other.Trial.ID != s.Trial.ID {
			continue
		}
		r := readingAt(other, i)
		if known.serial(r.run, r.drive) == serial && (found == nil || r.run > found.run) {
			found = &r
		}
	}
	return found
}

// serial returns the serial number of a drive in a run, or "" if it is unknown.
func (known inventories) serial(run string, drive assay.Subject) string {
	if b := known[run][drive.Host].Device(drive.Name); b != nil {
		return b.Serial
	}
	return ""
}
