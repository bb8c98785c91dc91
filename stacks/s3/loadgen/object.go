package loadgen

import (
	"math/rand/v2"
	"strconv"
	"sync"
)

// object is an object that the load wrote, with the checksum expected on
// reading.
type object struct {
	id      uint64
	crc     uint32
	readers int32
}

// key returns the object's name below the prefix. Consecutive objects have keys
// far apart, so that no part of the store's index is hot.
func (c *Client) key(id uint64) string { return c.keyOf(mix(c.load.Seed, id, 2)) }

// keyOf returns a number's key: 16 digits, so that keys sort in numerical order.
func (c *Client) keyOf(n uint64) string {
	hex := strconv.FormatUint(n, 16)
	return c.target.Prefix + "0000000000000000"[len(hex):] + hex
}

// objects are the objects in the bucket. One that is being read is not deleted.
type objects struct {
	mu    sync.Mutex
	all   []*object
	next  uint64 // id of the newest one
	bytes int64  // of all, and of those in flight
}

// begin returns the id of a new object, or false if the total size would exceed
// space.
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

// add registers an object that was written completely.
func (o *objects) add(id uint64, crc uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all = append(o.all, &object{id: id, crc: crc})
}

// drop releases the space of an object that is not in the bucket.
func (o *objects) drop(size int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= size
}

// read returns a random object, which is kept until released; nil if there is
// none.
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

// take removes and returns an object without readers; nil if there is none.
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

// count returns the number of objects.
func (o *objects) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all)
}
