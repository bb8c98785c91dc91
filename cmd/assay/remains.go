package main

import (
	"context"
	"fmt"
	"maps"

	"assay"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// cleanUpAfterOthers releases what runs that were killed have left.
func (a *app) cleanUpAfterOthers(ctx context.Context, st *store.Store, places map[string]assay.Place) {
	if here := hostname(); places[here] == nil {
		places = maps.Clone(places)
		places[here] = placeall.Local(here, "") // where namespaces are lent
	}
	released, err := run.Cleanup(ctx, st, places, volumeall.Volumes(), false)
	if err != nil {
		a.note(fmt.Sprintf("the journal could not be read: %v", err))
	}
	for _, r := range released {
		if r.Err != nil {
			a.note(fmt.Sprintf("an earlier run left %s: %v", r.Entry.Receipt.Subject, r.Err))
		} else {
			a.noteRemoved(r)
		}
	}
}

// makeRoom releases what killed runs hold of the Kubernetes before pods of this run
// are made: claims, quota, room on nodes. What takes a host to be released comes
// once the hosts are this run's, and is told of then where it fails.
func (a *app) makeRoom(ctx context.Context, st *store.Store) {
	here := hostname()
	released, err := run.Cleanup(ctx, st, map[string]assay.Place{here: placeall.Local(here, "")}, volumeall.Volumes(), false)
	if err != nil {
		a.note(fmt.Sprintf("the journal could not be read: %v", err))
	}
	for _, r := range released {
		if r.Err == nil {
			a.noteRemoved(r)
		}
	}
}

func (a *app) noteRemoved(r run.Released) {
	a.note(fmt.Sprintf("removed what the killed run %s had left in %s", r.Entry.Owner.Run, r.Entry.Receipt.Subject))
}
