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
	// usualSpace is the most that a bucket gets where nobody says another: what a
	// store of a homelab has to spare.
	usualSpace = 4 * gib
	// fastest is the rate that a repeat of writes must have room for, in B/s: what
	// 10 Gb/s carry, rounded down.
	fastest = float64(gib)
	// usualSet is what a warm read reads: it fits the memory of every store, and is
	// far more than the caches of a processor.
	usualSet = 256 * mib
	// usualKeys are laid out to be asked for.
	usualKeys = 1000
	// pages of keys are laid out to be listed. A LIST begins anywhere in the first
	// half of them, so that it always finds a whole page.
	pages = 3
	// deletes are laid out for each second of deleting.
	deletes = 1000
	// overMemory is how many times a store's memory a cold read reads: then half of
	// the reads at least must be from its drives.
	overMemory = 2
)

// fit chooses objects and space for a repeat of so many seconds, and gives the
// bound of all that may be in the bucket, from this case and from others. What is
// written in a repeat may take as much as its time allows, and is removed before
// another where room gets short.
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
		// Twice: one repeat may find what the one before it left.
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

// reads reports whether something must be laid out.
func (s *settings) reads() bool {
	return s.mix[loadgen.Get]+s.mix[loadgen.Head]+s.mix[loadgen.List]+s.mix[loadgen.Delete] > 0
}

// share is which part of the space objects may take that are laid out: half where
// others are written beside them, by this load or by others on the same bucket.
func (s *settings) share() int64 {
	if s.mix[loadgen.Put] > 0 || s.read == cold {
		return 2
	}
	return 1
}

// wanted is how many objects there should be to read, to list, to delete.
func (s *settings) wanted(seconds float64) int64 {
	var want int64
	switch {
	case s.read == cold && s.storeMemory > 0:
		want = overMemory*s.storeMemory/s.size + 1
	case s.read == cold:
		want = (1 << 50) / s.size // as many as there is room for
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

// memoryOf is the memory of the hosts behind a store's endpoints, all together,
// in bytes; 0 where one of them is not known. Caches of several nodes may hold
// the same, so that this is the most that they hold.
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

// behind names the host of the inventory that an endpoint is at; "" for none. One
// address may be a door to many, so that only a host's own is taken for it.
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
