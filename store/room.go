package store

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"

	"assay"
	"assay/internal/jsonsize"
)

const (
	// roomAtFirst is how many bytes of memory one reading may take for what the store
	// keeps packed, unpacked and decoded.
	roomAtFirst = 256 << 20
	// roomPerByte is how many more each byte that is stored brings. What assay packs
	// becomes less than that many times as large, so it never lacks room.
	roomPerByte = 16
	// mostGarbage is how much is decoded from JSON before garbage is collected.
	mostGarbage = 32 << 20
)

// room bounds what one reading takes of memory for what a few stored bytes can become
// many of: series, and JSON. What belongs to a row itself takes as much as on the disk.
type room struct {
	*budget
	raw []byte // for what is unpacked, and not needed once it was decoded
}

// budget is what all goroutines of one reading share.
type budget struct {
	sync.Mutex
	left int
	made int // since garbage was collected
}

func newRoom() *room { return &room{budget: &budget{left: roomAtFirst}} }

// beside returns what another goroutine of the same reading takes from.
func (r *room) beside() *room { return &room{budget: r.budget} }

// take takes n bytes.
func (b *budget) take(n int) error {
	b.Lock()
	defer b.Unlock()
	if n > b.left {
		return ErrTooLarge
	}
	b.left -= n
	return nil
}

// bring adds what n stored bytes may take, and returns what is left.
func (b *budget) bring(n int) int {
	b.Lock()
	defer b.Unlock()
	b.left += roomPerByte * n
	return b.left
}

// decoded says that n bytes were made, of which some are garbage by now.
func (b *budget) decoded(n int) {
	b.Lock()
	defer b.Unlock()
	if b.made += n; b.made > mostGarbage {
		runtime.GC()
		b.made = n
	}
}

// unpack returns what a blob holds, until the next call. Nothing is taken for it: who
// keeps what it becomes does.
func (r *room) unpack(blob []byte) ([]byte, error) {
	left := r.bring(len(blob))
	size, err := unpackedSize(blob)
	if err != nil {
		return nil, err
	}
	if size > left/2 { // the other half is what it becomes
		return nil, ErrTooLarge
	}
	if size > cap(r.raw) {
		r.raw = make([]byte, 0, size+size/4)
	}
	// No more than it says it is: a second frame may follow the one that says so.
	raw, err := exactUnpacker().DecodeAll(blob, r.raw[:0:size])
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return raw, nil
}

// unpackedSize is the most that a blob becomes, as it says itself. Of what pack makes,
// only what is shorter than 256 bytes says nothing.
func unpackedSize(blob []byte) (int, error) {
	if len(blob) == 0 {
		return 0, nil
	}
	var h zstd.Header
	switch err := h.Decode(blob); {
	case err != nil:
		return 0, fmt.Errorf("%w (%w)", ErrDamaged, err)
	case !h.HasFCS:
		return 255, nil
	case h.FrameContentSize > largest:
		return 0, ErrTooLarge
	}
	return int(h.FrameContentSize), nil
}

// json decodes JSON that is stored as it is.
func (r *room) json(raw []byte, into any) error {
	r.bring(len(raw))
	return r.decode(raw, into)
}

// unpackJSON decodes packed JSON.
func (r *room) unpackJSON(blob []byte, into any) error {
	raw, err := r.unpack(blob)
	if err != nil {
		return err
	}
	return r.decode(raw, into)
}

func (r *room) decode(raw []byte, into any) error {
	n, err := jsonsize.Weigh(raw, into, min(r.bring(0), largest))
	if err != nil {
		return ErrTooLarge
	}
	// A list that grows leaves garbage as large as itself, several times over.
	if err := r.take(n + n/2); err != nil {
		return err
	}
	r.decoded(n)
	return decode(raw, into)
}

func (r *room) samples(blob []byte) (all []assay.Sample, err error) {
	raw, err := r.series(blob)
	if err != nil {
		return nil, err
	}
	return samplesOf(raw)
}

func (r *room) histogram(blob []byte) (all []assay.Bin, err error) {
	raw, err := r.series(blob)
	if err != nil {
		return nil, err
	}
	return histogramOf(raw)
}

// series returns the two columns of a series, nil for none.
func (r *room) series(blob []byte) ([]byte, error) {
	if blob == nil {
		return nil, nil
	}
	raw, err := r.unpack(blob)
	if err != nil {
		return nil, err
	}
	if raw == nil {
		raw = []byte{}
	}
	return raw, r.take(len(raw))
}
