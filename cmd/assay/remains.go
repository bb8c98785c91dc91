package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"assay"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// clearing is how long removing what killed runs have left may hold a run up, each
// of the two times: what takes longer is for assay cleanup.
const clearing = 5 * time.Minute

// cleanUpAfterOthers releases what runs that were killed have left. tried is what
// makeRoom found.
func (a *app) cleanUpAfterOthers(ctx context.Context, st *store.Store, places map[string]assay.Place, tried []run.Released) {
	if here := hostname(); places[here] == nil {
		places = maps.Clone(places)
		places[here] = placeall.Local(here, "") // where namespaces are lent
	}
	failed := slices.DeleteFunc(tried, func(r run.Released) bool { return r.Err == nil || r.Entry.Receipt.Host != hostname() })
	dead := a.leftByOthers(ctx, st)
	if slices.ContainsFunc(dead, func(e store.Entry) bool {
		return !slices.ContainsFunc(failed, func(r run.Released) bool { return r.Entry.Receipt.ID == e.Receipt.ID })
	}) {
		failed = a.clear(ctx, st, places)
	}
	for _, r := range failed {
		if r.Err != nil {
			a.note(fmt.Sprintf("an earlier run left %s: %v", r.Entry.Receipt.Subject, r.Err))
		}
	}
}

// makeRoom releases what killed runs hold of the Kubernetes before pods of this run
// are made: claims, quota, room on nodes. What takes a host to be released comes
// once the hosts are this run's, and is told of then where it fails.
func (a *app) makeRoom(ctx context.Context, st *store.Store) []run.Released {
	if len(a.leftByOthers(ctx, st)) == 0 {
		return nil
	}
	here := hostname()
	a.note(fmt.Sprintf("removing what killed runs have left, for %s at most", clearing))
	return a.clear(ctx, st, map[string]assay.Place{here: placeall.Local(here, "")})
}

// leftByOthers are the entries of the journal that no run needs any more.
func (a *app) leftByOthers(ctx context.Context, st *store.Store) []store.Entry {
	entries, err := st.Outstanding(ctx)
	if err != nil {
		a.note(fmt.Sprintf("the journal could not be read: %v", err))
	}
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return store.Alive(e.Owner) || e.Receipt.Kept })
}

// clear releases what it can, and says what.
func (a *app) clear(ctx context.Context, st *store.Store, places map[string]assay.Place) []run.Released {
	ctx, cancel := context.WithTimeout(ctx, clearing)
	defer cancel()
	released, err := run.Cleanup(ctx, st, places, volumeall.Volumes(), false)
	if err != nil {
		a.note(fmt.Sprintf("the journal could not be read: %v", err))
	}
	for _, r := range released {
		if r.Err == nil {
			a.noteRemoved(r)
		}
	}
	return released
}

func (a *app) noteRemoved(r run.Released) {
	a.note(fmt.Sprintf("removed what the killed run %s had left in %s", r.Entry.Owner.Run, r.Entry.Receipt.Subject))
}
