package drbd

import (
	"fmt"
	"slices"

	"assay"
	"assay/internal/quantity"
)

// Limits for odd setups, from LINBIT's user's guide.
const (
	extent     = 4 << 20   // B, of the activity log
	usualRate  = 100 << 20 // B/s: the default of c-max-rate
	manyForOne = 2         // peers, the minimum for quorum
)

// Diskless reports whether none of the volumes is meant to be on a disk of the
// node.
func (r Resource) Diskless() bool {
	return len(r.Volumes) > 0 && !slices.ContainsFunc(r.Volumes, func(v Volume) bool { return v.Disk != "none" })
}

// Odd returns how the setup deviates from one that is safe and fast, with the
// consequences. bytes is the size of the resource's volumes; 0 if unknown.
func (r Resource) Odd(bytes int64) []assay.Note {
	var all []assay.Note
	say := func(id, format string, args ...any) {
		all = append(all, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	protocols := map[string]bool{}
	for _, p := range r.Peers {
		if (p.Protocol == "A" || p.Protocol == "B") && !protocols[p.Protocol] {
			protocols[p.Protocol] = true
			when := "this node's drive has them: what is under way to the peer is lost with this node"
			if p.Protocol == "B" {
				when = "the peer has them in memory: they are lost if both nodes lose power"
			}
			say("drbd-protocol", "resource %s replicates with protocol %s: writes are confirmed once %s", r.Name, p.Protocol, when)
		}
	}
	for _, v := range r.Volumes {
		if log := int64(v.ALExtents) * extent; log > 0 && log < bytes {
			say("drbd-al-extents", "the activity log of resource %s (al-extents %d) covers %s of %s: random writes over more than that add a metadata write each; raise al-extents (65534 at most)",
				r.Name, v.ALExtents, quantity.Bytes(log), quantity.Bytes(bytes))
		}
		if v.Flushes == "no" {
			say("drbd-flushes", "resource %s does not flush the cache of %s (disk-flushes no): without power-loss protection a power failure loses writes that were confirmed", r.Name, v.Disk)
		}
		if v.MaxRate > 0 && v.MaxRate <= usualRate {
			say("drbd-c-max-rate", "a resync of resource %s runs at %s at most (c-max-rate): after an outage it takes that much longer on a faster network", r.Name, quantity.Megabytes(float64(v.MaxRate)))
		}
	}
	if r.Diskless() {
		say("drbd-diskless", "resource %s has no replica on this node: each read and write crosses the network; place one here, or measure where one is", r.Name)
	} else if len(r.Peers) == 1 {
		say("drbd-tiebreaker", "resource %s is on two nodes, and no third has a vote: when they lose sight of each other, either both go on (split brain) or none; a third node without a disk, with quorum majority (DRBD 9), decides which", r.Name)
	}
	if r.Quorum == "off" && len(r.Peers) >= manyForOne {
		say("drbd-quorum", "resource %s has %d peers and quorum off: a node that is cut off goes on writing (split brain); set quorum majority", r.Name, len(r.Peers))
	}
	return all
}
