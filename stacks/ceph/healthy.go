package ceph

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
)

// settling is how long placement groups may take to peer.
const settling = time.Minute

// Healthy returns the cluster's status, with an error if figures would be unreliable,
// unless they are wanted anyway. It waits for placement groups that are only peering:
// other hosts create their pools at the same moment.
func (l Lent) Healthy(ctx context.Context, at assay.Place) (Status, error) {
	for deadline := time.Now().Add(settling); ; {
		text, err := l.Access.AskJSON(ctx, at, "status")
		if err != nil {
			return Status{}, err
		}
		status, err := ReadStatus(text)
		if err != nil {
			return Status{}, err
		}
		why := status.Disturbed()
		if len(why) == 0 || l.DespiteHealth {
			return status, nil
		}
		if !status.Settling() || time.Now().After(deadline) {
			return status, assay.WithHint("wait until it is HEALTH_OK and idle (ceph osd set noscrub keeps scrubs away), or measure it all the same with --despite-health (despite_health: true in the tier)",
				"this Ceph cluster is not measured now: %s", strings.Join(why, ", "))
		}
		if err := sleep.For(ctx, 500*time.Millisecond); err != nil {
			return status, err
		}
	}
}

// Pools returns the cluster's pools.
func (a Access) Pools(ctx context.Context, at assay.Place) ([]Pool, error) {
	text, err := a.AskJSON(ctx, at, "osd", "pool", "ls", "detail")
	if err != nil {
		return nil, err
	}
	return ReadPools(text)
}

// Find returns the chosen pool from pools; if it is missing, the error lists the
// candidates.
func (l Lent) Find(at assay.Place, pools []Pool) (Pool, error) {
	i := slices.IndexFunc(pools, func(p Pool) bool { return p.Name == l.Model })
	if i >= 0 {
		return pools[i], nil
	}
	var others []string
	for _, p := range pools {
		if !strings.HasPrefix(p.Name, Prefix) {
			others = append(others, p.Name)
		}
	}
	return Pool{}, assay.WithHint("name one of: "+strings.Join(others, ", "), "pool %s is %w in the cluster of %s", l.Model, assay.ErrNotFound, at.Host().Name)
}

// Gone reports whether the chosen pool was deleted: the cluster lists its pools, and not
// that one. A client's ENOENT alone does not show it, since a missing keyring or ceph.conf
// gives the same.
func (l Lent) Gone(ctx context.Context, at assay.Place) (bool, error) {
	pools, err := l.Access.Pools(ctx, at)
	return err == nil && !slices.ContainsFunc(pools, func(p Pool) bool { return p.Name == l.Model }), err
}

// Room returns how many bytes a pool can still take, which the fullest OSD
// determines.
func (a Access) Room(ctx context.Context, at assay.Place, pool string) (int64, error) {
	text, err := a.AskJSON(ctx, at, "df")
	if err != nil {
		return 0, err
	}
	return ReadRoom(text, pool)
}

// RoomWithin is Room for the chosen pool, of a cluster that may be measured.
func (l Lent) RoomWithin(ctx context.Context, at assay.Place) (int64, error) {
	if _, err := l.Healthy(ctx, at); err != nil {
		return 0, err
	}
	pools, err := l.Access.Pools(ctx, at)
	if err != nil {
		return 0, err
	}
	if _, err := l.Find(at, pools); err != nil {
		return 0, err
	}
	return l.Access.Room(ctx, at, l.Model)
}
