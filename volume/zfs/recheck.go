package zfs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/stacks/zfs"
)

// available is the property that holds a dataset's free space, in B.
const available = "available"

// note records what Recheck compares with. A pool that does not answer is refused
// later, when something is lent.
func (h *how) note(ctx context.Context, at assay.Place) error {
	names := knownTo(false) // for a zvol, those of the file system above it
	all, err := get(ctx, at, h.Below, append(names, available)...)
	if err != nil {
		return err
	}
	h.Room, _ = strconv.ParseInt(all[available].Value, 10, 64)
	h.Were = map[string]string{}
	for _, name := range names {
		h.Were[name] = all[name].Value
	}
	if status, err := statusOf(ctx, at, zfs.PoolOf(h.Below)); err == nil {
		h.Scan = status.Scan
	}
	return nil
}

// Recheck implements assay.Rechecker: it notes settings that changed after lending, a
// scrub or resilver that ran meanwhile, a pool that became unhealthy, and room that
// others took.
func (Volume) Recheck(ctx context.Context, at assay.Place, r assay.Receipt) ([]assay.Note, error) {
	dataset, h, err := read(r)
	if err != nil {
		return nil, err
	}
	var notes []assay.Note
	say := func(id, format string, args ...any) {
		notes = append(notes, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	pool := zfs.PoolOf(dataset)
	status, err := statusOf(ctx, at, pool)
	if err != nil {
		return nil, err
	}
	switch why := status.Disturbed(); {
	case len(why) > 0 && !h.Despite:
		say("zfs-disturbed", "pool %s on %s did not stay idle during the run: %s; repeats before and after that are not of the same pool, so measure again", pool, at.Host().Name, strings.Join(why, ", "))
	case len(why) == 0 && status.Scan != h.Scan:
		say("zfs-disturbed", "pool %s on %s did not stay idle during the run: %s; measure again", pool, at.Host().Name, status.Scan)
	}
	if status.Suspended() {
		return notes, nil // nothing more can be asked
	}
	want := maps.Clone(h.Were)
	maps.Copy(want, h.Set)
	if h.Zvol {
		maps.DeleteFunc(want, func(name, _ string) bool { return name == "recordsize" })
	}
	names := slices.Sorted(maps.Keys(want))
	all, err := get(ctx, at, dataset, append(names, available)...)
	if errors.Is(err, zfs.ErrMissing) {
		return notes, nil // it was never made
	}
	if err != nil {
		return notes, err
	}
	// An overwrite needs free space too, and finding it takes longer the less
	// there is.
	if left, err := strconv.ParseInt(all[available].Value, 10, 64); err == nil && left+r.Bytes < h.Room/2 {
		say("zfs-filled", "%s on %s filled up during the run: %s was available before, %s after; ZFS writes to free space even when it overwrites, and slows down as that runs out: free some and measure again",
			dataset, at.Host().Name, quantity.Amount(float64(h.Room), assay.Bytes), quantity.Amount(float64(left), assay.Bytes))
	}
	for _, name := range names {
		if is := all[name]; !same(is.Value, want[name]) {
			say("zfs-changed", "%s of %s on %s was changed during the run, from %s to %s: its figures are of both; measure again", name, dataset, at.Host().Name, want[name], is.Value)
		}
	}
	return notes, nil
}
