package sysbench

import (
	"math/bits"

	"assay"
)

const (
	// beyondCache is how many times the caches the buffers must be: a buffer
	// read in order, over and over, then finds nothing of itself left in them.
	beyondCache = 4
	// assumedCache stands for the last-level cache where it is unknown: more
	// than any desktop or small server of one socket had until stacked caches.
	assumedCache = 64 << 20
	// smallestL1 is the least data cache of any core in question, halved for
	// what else is in it.
	smallestL1 = 16 << 10
	// memoryShare is the share of the available memory that may be used: a
	// machine that swaps measures its swap.
	memoryShare = 4
)

// dramBlock is the bytes of each thread's buffer, a power of two (sysbench
// takes no other), so that all together are at least four times the caches.
// assumed says that the caches were not known.
func dramBlock(cpu assay.CPUFacts, threads int) (block int64, assumed bool) {
	cache := largestCache(cpu)
	if cache == 0 {
		cache, assumed = assumedCache, true
	}
	each := (beyondCache*cache + int64(threads) - 1) / int64(threads)
	return ceilPower(each), assumed
}

// largestCache is the size of the level that holds most, all instances
// together: on some servers that is not the last one.
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

// cacheBlock is the bytes of a buffer that fits into half of its thread's part
// of the second-level cache, a power of two. The second level, because on the
// first sysbench's own work between two blocks would show. Where the levels
// are unknown it is what any first level holds.
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

// sharersOf is how many threads use one instance of a cache, at least 1.
func sharersOf(cpu assay.CPUFacts, c assay.Cache) int {
	if cpu.Threads <= 0 || c.Count <= 0 {
		return 1
	}
	return max(1, (cpu.Threads+c.Count-1)/c.Count)
}

// ceilPower is the least power of two that is not below n; n is at least 1.
func ceilPower(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }

// floorPower is the greatest power of two that is not above n; 0 for less than 1.
func floorPower(n int64) int64 {
	if n < 1 {
		return 0
	}
	return 1 << (bits.Len64(uint64(n)) - 1)
}
