package run

import (
	"context"
	"errors"
	"fmt"

	"assay"
	"assay/store"
)

// reaper is a place that can kill what a dead run left running.
type reaper interface {
	Reap(ctx context.Context, mark string) (int, error)
}

// Released is what Cleanup did about one journal entry.
type Released struct {
	Entry  store.Entry
	Killed int   // processes that the dead run had left
	Err    error // why it is still there
}

// Cleanup releases whatever the journal still holds of runs that are over. What
// belongs to a live run is left alone, and what was meant to stay unless kept is
// set.
func Cleanup(ctx context.Context, st *store.Store, places map[string]assay.Place, volumes []assay.Volume, kept bool) ([]Released, error) {
	entries, err := st.Outstanding(ctx)
	if err != nil {
		return nil, err
	}
	var out []Released
	for _, e := range entries {
		if store.Alive(e.Owner) || e.Receipt.Kept && !kept {
			continue
		}
		r := Released{Entry: e}
		r.Killed, r.Err = releaseEntry(ctx, e, places, volumes)
		if r.Err == nil {
			r.Err = st.Strike(ctx, e.Receipt.ID)
		}
		out = append(out, r)
	}
	return out, nil
}

func releaseEntry(ctx context.Context, e store.Entry, places map[string]assay.Place, volumes []assay.Volume) (killed int, err error) {
	place := places[e.Receipt.Host]
	if place == nil {
		return 0, fmt.Errorf("host %s is not within reach", e.Receipt.Host)
	}
	volume := volumeOf(volumes, e.Receipt.Volume)
	if volume == nil {
		return 0, fmt.Errorf("this assay knows no volume of kind %q", e.Receipt.Volume)
	}
	var reapErr error
	if r, ok := place.(reaper); ok {
		killed, reapErr = r.Reap(ctx, e.Owner.Run)
	}
	return killed, errors.Join(reapErr, volume.Release(ctx, place, e.Receipt))
}

func volumeOf(volumes []assay.Volume, kind string) assay.Volume {
	for _, v := range volumes {
		if v.Kind() == kind {
			return v
		}
	}
	return nil
}
