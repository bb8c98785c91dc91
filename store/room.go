package store

import (
	"fmt"
	"runtime"

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
	left int
	made int    // since garbage was collected
	raw  []byte // for what is unpacked, and not needed once it was decoded
}

func newRoom() *room { return &room{left: roomAtFirst} }

// take takes n bytes.
func (r *room) take(n int) error {
	if n > r.left {
		return ErrTooLarge
	}
	r.left -= n
	return nil
}

// unpack returns what a blob holds, until the next call. Nothing is taken for it: who
// keeps what it becomes does.
func (r *room) unpack(blob []byte) ([]byte, error) {
	r.left += roomPerByte * len(blob)
	size, err := unpackedSize(blob)
	if err != nil {
		return nil, err
	}
	if size > r.left/2 { // the other half is what it becomes
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
	r.left += roomPerByte * len(raw)
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
	n, err := jsonsize.Weigh(raw, into, min(r.left, largest))
	if err != nil {
		return ErrTooLarge
	}
	// A list that grows leaves garbage as large as itself, several times over.
	if err := r.take(n + n/2); err != nil {
		return err
	}
	if r.made += n; r.made > mostGarbage {
		runtime.GC()
		r.made = n
	}
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
