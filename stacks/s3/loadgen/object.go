package loadgen

import (
	"math/rand/v2"
	"strconv"
	"sync"
)

// object is one that the load wrote, and what must come back when it is read.
type object struct {
	id      uint64
	crc     uint32
	readers int32
}

// key is the object's name below the prefix. Keys of neighbours lie far apart,
// so that no part of the store's index is hot.
func (c *Client) key(id uint64) string { return c.keyOf(mix(c.load.Seed, id, 2)) }

// keyOf returns a number's key: 16 digits, so that keys are in the order of their
// numbers.
func (c *Client) keyOf(n uint64) string {
	hex := strconv.FormatUint(n, 16)
	return c.target.Prefix + "0000000000000000"[len(hex):] + hex
}

// objects are those that are in the bucket. What is read at the moment is not
// deleted.
type objects struct {
	mu    sync.Mutex
	all   []*object
	next  uint64 // id of the next new one
	bytes int64  // of all, and of those being written
}

// begin returns the id of a new object, unless its size would take more than space.
func (o *objects) begin(size, space int64) (uint64, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if space > 0 && o.bytes+size > space {
		return 0, false
	}
	o.bytes += size
	o.next++
	return o.next, true
}

// add makes an object known that is written whole.
func (o *objects) add(id uint64, crc uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, &object{id: id, crc: crc})
}

// drop returns back the space of an object that is not in the bucket.
func (o *objects) drop(size int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= size
}

// read returns any object, which then stays until it is released; nil where there
// is none.
func (o *objects) read(r *rand.Rand) *object {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.all) == 0 {
		return nil
	}
	one := o.all[r.IntN(len(o.all))]
	one.readers++
	return one
}

func (o *objects) release(one *object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	one.readers--
}

// take returns an object that nobody reads, and forgets it; nil where there is
// none.
func (o *objects) take(r *rand.Rand) *object {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.all)
	if n == 0 {
		return nil
	}
	at := r.IntN(n)
	for range n {
		if o.all[at].readers == 0 {
			one := o.all[at]
			o.all[at] = o.all[n-1]
			o.all[n-1] = nil
			o.all = o.all[:n-1]
			return one
		}
		at = (at + 1) % n
	}
	return nil
}

// count says how many there are.
func (o *objects) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all)
}
