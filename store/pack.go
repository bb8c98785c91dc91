package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"

	"assay"
	"assay/internal/jsonsize"
)

// largest is the limit in bytes for one item of the store, once unpacked and again
// once decoded: it bounds what a damaged or foreign item can cost.
const largest = 256 << 20

// Both are safe for concurrent use. zstd's own checksum detects damage that
// SQLite, which has none, passes through.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil)
		if err != nil {
			panic(err) // only for invalid options
		}
		return e
	})
	// exactUnpacker never grows the buffer it is given.
	exactUnpacker = sync.OnceValue(func() *zstd.Decoder { return newUnpacker(zstd.WithDecodeAllCapLimit(true)) })
)

func newUnpacker(more ...zstd.DOption) *zstd.Decoder {
	d, err := zstd.NewReader(nil, append(more, zstd.WithDecoderMaxMemory(largest), zstd.WithDecoderConcurrency(0))...)
	if err != nil {
		panic(err)
	}
	return d
}

func pack(raw []byte) ([]byte, error) {
	if len(raw) > largest {
		return nil, fmt.Errorf("%d bytes exceed the store's limit of %d for one item: %w", len(raw), largest, assay.ErrTooLong)
	}
	return packer().EncodeAll(raw, nil), nil
}

func packJSON(v any) ([]byte, error) {
	raw, err := toJSON(v)
	if err != nil {
		return nil, err
	}
	return pack(raw)
}

// toJSON leaves <, > and & unescaped: the result is also read in a shell.
func toJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func fromJSON(raw []byte, into any) error {
	if err := jsonsize.Check(raw, into, largest); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return decode(raw, into)
}

// decode decodes JSON that is known not to take too much memory.
func decode(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	return nil
}

// packPairs packs two columns of n 64-bit words. Each word is XORed with the
// previous one, and the bytes are grouped by their position in the word:
// neighbours share their high bytes, which gives zstd long runs of zeros.
func packPairs(n int, at func(i int) (a, b uint64)) ([]byte, error) {
	raw := make([]byte, 16*n)
	var lastA, lastB uint64
	for i := range n {
		a, b := at(i)
		scatter(raw[:8*n], i, n, a^lastA)
		scatter(raw[8*n:], i, n, b^lastB)
		lastA, lastB = a, b
	}
	return pack(raw)
}

// pairs decodes two columns: it passes their length n to prepare, then each pair to
// take, in order.
func pairs(raw []byte, prepare func(n int), take func(i int, a, b uint64)) error {
	if len(raw)%16 != 0 {
		return fmt.Errorf("%w (%d bytes are no whole number of pairs)", ErrDamaged, len(raw))
	}
	n := len(raw) / 16
	prepare(n)
	var a, b uint64
	for i := range n {
		a ^= gather(raw[:8*n], i, n)
		b ^= gather(raw[8*n:], i, n)
		take(i, a, b)
	}
	return nil
}

func scatter(planes []byte, i, n int, word uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], word)
	for k, c := range w {
		planes[k*n+i] = c
	}
}

func gather(planes []byte, i, n int) uint64 {
	var w [8]byte
	for k := range w {
		w[k] = planes[k*n+i]
	}
	return binary.LittleEndian.Uint64(w[:])
}

// packSamples returns nil for no samples.
func packSamples(all []assay.Sample) ([]byte, error) {
	for _, s := range all {
		if !finite(s.At) || !finite(s.Value) {
			return nil, fmt.Errorf("sample %v at %v s cannot be stored", s.Value, s.At)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return packPairs(len(all), func(i int) (a, b uint64) {
		return math.Float64bits(all[i].At), math.Float64bits(all[i].Value)
	})
}

func samplesOf(raw []byte) (all []assay.Sample, err error) {
	if raw == nil {
		return nil, nil
	}
	err = pairs(raw, func(n int) { all = make([]assay.Sample, n) }, func(i int, a, b uint64) {
		all[i] = assay.Sample{At: math.Float64frombits(a), Value: math.Float64frombits(b)}
	})
	return all, err
}

// packHistogram returns nil for no bins.
func packHistogram(all []assay.Bin) ([]byte, error) {
	for _, b := range all {
		if !finite(b.Upper) || b.Count < 0 {
			return nil, fmt.Errorf("histogram bin of %d up to %v s cannot be stored", b.Count, b.Upper)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return packPairs(len(all), func(i int) (a, b uint64) {
		return math.Float64bits(all[i].Upper), uint64(all[i].Count)
	})
}

func histogramOf(raw []byte) (all []assay.Bin, err error) {
	if raw == nil {
		return nil, nil
	}
	err = pairs(raw, func(n int) { all = make([]assay.Bin, n) }, func(i int, a, b uint64) {
		all[i] = assay.Bin{Upper: math.Float64frombits(a), Count: int64(b)}
	})
	return all, err
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
