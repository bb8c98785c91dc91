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
	// roomAtFirst is how many bytes of memory one read may take for data that is
	// stored packed, once unpacked and decoded.
	roomAtFirst = 256 << 20
	// roomPerByte is how many more bytes each stored byte adds. What assay packs
	// expands by less than this factor, so it never lacks room.
	roomPerByte = 16
	// mostGarbage is how much JSON is decoded between garbage collections.
	mostGarbage = 32 << 20
)

// room bounds the memory that one read takes for data that may expand from few stored
// bytes: series and JSON. A row's own fields take as much as on disk.
type room struct {
	*budget
	raw []byte // buffer for unpacked data, free once it is decoded
}

// budget is shared by all goroutines of one read.
type budget struct {
	sync.Mutex
	left int
	made int // since the last collection
}

func newRoom() *room { return &room{budget: &budget{left: roomAtFirst}} }

// beside returns a room for another goroutine of the same read.
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

// bring adds the allowance for n stored bytes, and returns what is left.
func (b *budget) bring(n int) int {
	b.Lock()
	defer b.Unlock()
	b.left += roomPerByte * n
	return b.left
}

// decoded records that n bytes were decoded, some of which are garbage by now.
func (b *budget) decoded(n int) {
	b.Lock()
	defer b.Unlock()
	if b.made += n; b.made > mostGarbage {
		runtime.GC()
		b.made = n
	}
}

// unpack returns the contents of a blob, valid until the next call. It takes nothing
// from the budget: whoever keeps the decoded result does.
func (r *room) unpack(blob []byte) ([]byte, error) {
	left := r.bring(len(blob))
	size, err := unpackedSize(blob)
	if err != nil {
		return nil, err
	}
	if size > left/2 { // the other half is for decoding it
		return nil, ErrTooLarge
	}
	if size > cap(r.raw) {
		r.raw = make([]byte, 0, size+size/4)
	}
	// At most the size in the header: a second frame may follow the one with that
	// header.
	raw, err := exactUnpacker().DecodeAll(blob, r.raw[:0:size])
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return raw, nil
}

// unpackedSize returns the maximum unpacked size of a blob, according to its header.
// Of what pack produces, only data shorter than 256 bytes omits the size.
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

// json decodes JSON that is stored unpacked.
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
	// A growing list leaves garbage of several times its own size.
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
