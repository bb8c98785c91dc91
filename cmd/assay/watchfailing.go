package main

import (
	"fmt"
	"maps"
	"slices"

	"assay"
)

// fail adds the trials of a round that should have a figure and have none. Without them, a
// drive that fails every write would look like one that is not watched.
func (f *found) fail(run assay.Run) {
	away := map[string]bool{}
	for _, h := range run.Inventory.Hosts {
		if h.Absent != nil {
			away[h.Name] = true
			f.lines = append(f.lines, fmt.Sprintf("failed: %s can't be queried: %s", h.Name, h.Absent.Why))
		}
	}
	tried := map[string]bool{}
	for _, r := range run.Results {
		tried[r.Trial.ID] = true
		_, had := f.had[r.Trial.ID]
		if why := failureOf(r, had); why != "" {
			f.failing = append(f.failing, r.Trial)
			if !away[r.Trial.Subject.Host] && !away[r.Trial.Peer] {
				f.lines = append(f.lines, fmt.Sprintf("failed: %s%s: %s", r.Trial.Title, located(r.Trial, r.Trial.Title), why))
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.had)) { // a host that is away has no trials
		if t := f.had[id]; !tried[id] && (away[t.Subject.Host] || away[t.Peer]) {
			f.failing = append(f.failing, t)
		}
	}
}

// failureOf returns why a trial has no figure although it was tried, or although it had
// one in an earlier round: a tool may be gone. It returns "" if there is a figure, for what
// cannot be measured here, and for the health of a drive: drives that sleep are not woken.
func failureOf(r assay.Result, had bool) string {
	absent := r.Trial.Absent
	switch {
	case len(r.Counted()) > 0 || r.Trial.Subject.Kind == assay.KindDrive || r.Trial.Decides != "" || absent != nil && absent.Word == assay.NotSupported:
		return ""
	case absent != nil && (had || absent.Word == assay.Failed || absent.Gone != ""):
		return absent.Why
	case absent != nil:
		return ""
	}
	for _, rep := range slices.Backward(r.Repeats) {
		if rep.Outcome == assay.Broke {
			return rep.Error
		}
	}
	return "the round ended before it started"
}
