package s3

import (
	"fmt"
	"net"
	"net/url"

	"assay"
	"assay/internal/setting"
	"assay/stacks/s3/loadgen"
)

const (
	// usualSpace is the most that a bucket gets by default: what a homelab's
	// store can spare.
	usualSpace = 4 * gib
	// fastest is the rate that a repeat of writes must have room for, in B/s: that
	// of 10 Gb/s, rounded down.
	fastest = float64(gib)
	// usualSet is how much a warm read reads: it fits into any store's memory, and
	// is far larger than CPU caches.
	usualSet = 256 * mib
	// usualKeys is how many objects are laid out to be requested.
	usualKeys = 1000
	// pages is how many pages of keys are laid out for LIST. A LIST begins
	// anywhere in the first half of them, so it always finds a whole page.
	pages = 3
	// deletes is how many objects are laid out for each second of deleting.
	deletes = 1000
	// overMemory is how many times the store's memory a cold read covers: at least
	// half of the reads must then come from its drives.
	overMemory = 2
)

// fit chooses objects and space for a repeat of that many seconds, and returns
// the limit of all that may be in the bucket, from this case and from others.
// What a repeat writes may take as much space as its time allows, and is removed
// before another if room gets short.
func (s *settings) fit(seconds float64) (bound int64, err error) {
	bound = s.space
	if bound == 0 {
		bound = usualSpace
	}
	if most := bound / s.size; s.objects == 0 && s.reads() {
		s.objects = min(s.wanted(seconds), max(most/s.share(), 1))
	}
	laid := s.objects * s.size
	need := laid
	if s.mix[loadgen.Put] > 0 {
		// Twice, since a repeat may find what the previous one left.
		need += max(int64(2*fastest*seconds), 4*int64(s.depth*max(s.jobs, 1))*s.size)
	}
	least := max(laid, s.size)
	if s.mix[loadgen.Put] > 0 {
		least = laid + 2*int64(s.depth*max(s.jobs, 1))*s.size
	}
	if least > bound {
		return 0, fmt.Errorf("%d objects of %s, plus room for those written during the test, do not fit into %s", s.objects, setting.SizeWord(s.size), setting.SizeWord(bound))
	}
	s.space = max(min(need, bound), least)
	return bound, nil
}

// reads reports whether objects must be laid out.
func (s *settings) reads() bool {
	return s.mix[loadgen.Get]+s.mix[loadgen.Head]+s.mix[loadgen.List]+s.mix[loadgen.Delete] > 0
}

// share returns the divisor of the space that laid-out objects may take: half if
// others are written beside them, by this load or by others on the same bucket.
func (s *settings) share() int64 {
	if s.mix[loadgen.Put] > 0 || s.read == cold {
		return 2
	}
	return 1
}

// wanted returns how many objects there should be to read, list and delete.
func (s *settings) wanted(seconds float64) int64 {
	var want int64
	switch {
	case s.read == cold && s.storeMemory > 0:
		want = overMemory*s.storeMemory/s.size + 1
	case s.read == cold:
		want = (1 << 50) / s.size // as many as fit
	case s.read == warm:
		want = max(min(usualSet/s.size, 10_000), int64(s.depth*max(s.jobs, 1)))
	default:
		want = usualKeys
	}
	if s.mix[loadgen.List] > 0 {
		want = max(want, pages*int64(s.page))
	}
	if s.mix[loadgen.Delete] > 0 {
		want = max(want, int64(seconds*deletes))
	}
	return want
}

// memoryOf returns the total memory of the hosts behind a store's endpoints, in
// bytes, or 0 if one of them is unknown. Caches of several nodes may hold the
// same data, so this is an upper bound.
func memoryOf(inv assay.Inventory, store assay.ObjectStore) int64 {
	hosts := map[string]bool{}
	for _, endpoint := range store.Endpoints {
		host := behind(inv, endpoint)
		if host == "" || inv.Facts[host].Memory.Total <= 0 {
			return 0
		}
		hosts[host] = true
	}
	total := int64(0)
	for host := range hosts {
		total += inv.Facts[host].Memory.Total
	}
	return total
}

// behind returns the inventory's host that serves an endpoint, or "" for none.
// One address may lead to many hosts, so only a host's own addresses count.
func behind(inv assay.Inventory, endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	name := u.Hostname()
	for _, h := range inv.Hosts {
		if h.Name == name {
			return h.Name
		}
	}
	address := net.ParseIP(name)
	for _, n := range inv.Networks {
		for host, at := range n.Addresses {
			if ip := net.ParseIP(at); ip != nil && ip.Equal(address) {
				return host
			}
		}
	}
	return ""
}
