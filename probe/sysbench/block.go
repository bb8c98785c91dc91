package sysbench

import (
	"math/bits"

	"assay"
)

const (
	// beyondCache is how many times the size of the caches the buffers must be:
	// a buffer read in order, over and over, then never hits the caches.
	beyondCache = 4
	// assumedCache is used if the size of the last-level cache is unknown: more
	// than any desktop or small single-socket server had before stacked caches.
	assumedCache = 64 << 20
	// smallestL1 is the smallest data cache of any relevant core, halved to
	// leave room for other data.
	smallestL1 = 16 << 10
	// memoryShare is the fraction of the available memory that may be used, as
	// a divisor: a machine that swaps measures its swap.
	memoryShare = 4
)

// dramBlock returns the size of each thread's buffer in bytes, a power of two
// (sysbench accepts no other), so that all together are at least four times the
// caches. assumed reports whether the caches were unknown.
func dramBlock(cpu assay.CPUFacts, threads int) (block int64, assumed bool) {
	cache := largestCache(cpu)
	if cache == 0 {
		cache, assumed = assumedCache, true
	}
	each := (beyondCache*cache + int64(threads) - 1) / int64(threads)
	return ceilPower(each), assumed
}

// largestCache returns the size of the cache level with the largest total over
// all instances: on some servers that is not the last level.
func largestCache(cpu assay.CPUFacts) int64 {
	levels := map[int]int64{}
	for _, c := range cpu.Caches {
		if c.Type != "Instruction" {
			levels[c.Level] += c.Bytes * int64(max(c.Count, 1))
		}
	}
	largest := cpu.LastLevel()
	for _, total := range levels {
		largest = max(largest, total)
	}
	return largest
}

// cacheBlock returns the size in bytes of a buffer that fits into half of its
// thread's share of the second-level cache, a power of two. On the first level,
// sysbench's own work between two blocks would show. If the levels are unknown,
// the buffer fits any first level.
func cacheBlock(cpu assay.CPUFacts) int64 {
	for _, level := range []int{2, 1} {
		for _, c := range cpu.Caches {
			if c.Level != level || c.Type == "Instruction" || c.Bytes <= 0 {
				continue
			}
			sharers := sharersOf(cpu, c)
			return max(floorPower(c.Bytes/int64(2*sharers)), 4<<10)
		}
	}
	return smallestL1
}

// sharersOf returns how many threads share one instance of a cache, at least 1.
func sharersOf(cpu assay.CPUFacts, c assay.Cache) int {
	if cpu.Threads <= 0 || c.Count <= 0 {
		return 1
	}
	return max(1, (cpu.Threads+c.Count-1)/c.Count)
}

// ceilPower returns the smallest power of two that is not below n; n is at
// least 1.
func ceilPower(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }

// floorPower returns the largest power of two that is not above n, or 0 if n is
// less than 1.
func floorPower(n int64) int64 {
	if n < 1 {
		return 0
	}
	return 1 << (bits.Len64(uint64(n)) - 1)
}
