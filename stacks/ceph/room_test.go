package ceph_test

import (
	"errors"
	"strings"
	"testing"

	"assay"
	"assay/stacks/ceph"
)

// The sharers of a pool's room are lent no more than half of it in total.
func TestSharersAreLentHalfTheRoomTogether(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		want, room int64
		sharers    int
		lent       int64 // to each; 0: refused
	}{
		{8 * gib, 12 * gib, 3, 2 * gib},
		{8 * gib, 12 * gib, 1, 6 * gib},
		{8 * gib, 12 * gib, 0, 6 * gib}, // a journal that did not count them
		{gib, 12 * gib, 3, gib},
		{8 * gib, 64 << 20, 1, 0},
		{8 * gib, 300 << 20, 3, 0},
		{1 << 20, 6 << 20, 3, 1 << 20}, // a small request is granted
	} {
		got, err := ceph.Lendable(c.want, c.room, c.sharers, "in a pool like vms")
		if got != c.lent || (err != nil) != (c.lent == 0) {
			t.Errorf("%d of %d among %d: lent %d, %v; want %d", c.want, c.room, c.sharers, got, err, c.lent)
		}
	}
	_, err := ceph.Lendable(8*gib, 300<<20, 3, "in a pool like vms")
	if !errors.Is(err, assay.ErrNoSpace) || !strings.Contains(err.Error(), "leaves 300 MiB, of which assay uses at most half, 50 MiB for each of 3") || assay.Hint(err) == "" {
		t.Error(err)
	}
}
