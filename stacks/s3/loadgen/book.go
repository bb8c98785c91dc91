package loadgen

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"
)

// Book is what a client knows about the objects in the bucket: with it another
// process continues where this one ended.
type Book struct {
	Seed    uint64   `json:"seed"`
	Size    int64    `json:"size"` // of an object, B
	Payload Payload  `json:"payload"`
	Next    uint64   `json:"next"`  // id of the newest object
	Bytes   int64    `json:"bytes"` // that are taken, also by objects that may be there or not
	IDs     []uint64 `json:"ids"`
	CRCs    []uint32 `json:"crcs"` // of the same objects
}

// Book returns what is in the bucket.
func (c *Client) Book() Book {
	o := &c.objects
	o.mu.Lock()
	defer o.mu.Unlock()
	b := Book{Seed: c.load.Seed, Size: c.load.Size, Payload: c.payload(), Next: o.next, Bytes: o.bytes}
	for _, one := range o.all {
		b.IDs, b.CRCs = append(b.IDs, one.id), append(b.CRCs, one.crc)
	}
	return b
}

// Open continues with what another client of the same seed and size wrote. It
// replaces Prepare.
func (c *Client) Open(b Book) error {
	if b.Seed != c.load.Seed || b.Size != c.load.Size || len(b.IDs) != len(b.CRCs) {
		return errors.New("the objects in the bucket belong to another load")
	}
	o := &c.objects
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next, o.bytes, o.all = b.Next, b.Bytes, nil
	for i, id := range b.IDs {
		o.all = append(o.all, &object{id: id, crc: b.CRCs[i]})
	}
	if c.target.Payload == Auto {
		c.unsigned.Store(b.Payload == Unsigned)
	}
	return nil
}

// LayOut writes objects until there are as many as the load asks for. It starts
// none after until, if that is not zero.
func (c *Client) LayOut(ctx context.Context, until time.Time) error {
	var left atomic.Int64
	left.Store(int64(c.load.Objects - c.objects.count()))
	return c.each(ctx, func(ctx context.Context, w *worker, endpoint int) error {
		for left.Add(-1) >= 0 && (until.IsZero() || time.Now().Before(until)) {
			j, err := w.ready(Put, endpoint)
			if err != nil {
				return err
			}
			if o := w.do(ctx, j); o.fail != nil {
				return o.fail
			}
		}
		return nil
	})
}

// Trim removes objects, newest first, until there are no more than the load asks
// for. After until, if that is not zero, it starts no removal except one per
// worker: however slow the store, room is made in the end. left is how many are
// still too many. The book is right even on failure: what was removed is gone from
// it, and what may or may not be gone, no more than was in flight at once, is not
// read again and keeps its space.
func (c *Client) Trim(ctx context.Context, until time.Time) (left int, err error) {
	o := &c.objects
	o.mu.Lock()
	slices.SortFunc(o.all, func(a, b *object) int { return cmp.Compare(a.id, b.id) })
	keep := min(c.load.Objects, len(o.all))
	over := slices.Clone(o.all[keep:])
	o.all = o.all[:keep]
	o.mu.Unlock()
	slices.Reverse(over)

	var begun atomic.Int64
	err = c.each(ctx, func(ctx context.Context, w *worker, endpoint int) error {
		for ctx.Err() == nil {
			i := int(begun.Add(1)) - 1
			if i >= len(over) {
				return nil
			}
			if err := w.removed(ctx, endpoint, request{method: "DELETE", key: c.key(over[i].id)}); err != nil {
				return err
			}
			o.drop(c.load.Size)
			if !until.IsZero() && !time.Now().Before(until) {
				return nil
			}
		}
		return nil
	})
	rest := over[min(int(begun.Load()), len(over)):]
	for _, one := range rest {
		o.add(one.id, one.crc)
	}
	return len(rest), err
}
