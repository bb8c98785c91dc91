package loadgen

import (
	"bytes"
	"hash/crc32"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// bytesOf concatenates the pieces of a span.
func bytesOf(d *data, s span) []byte {
	var all []byte
	for first := 0; int64(first)*chunk < s.size; first += 3 {
		list, _ := d.pieces(nil, make([]byte, 3*stamp), s, first, 3)
		for _, p := range list {
			all = append(all, p...)
		}
	}
	return all
}

// TestDataDoNotCompress also checks that no two blocks of objects are alike, as
// a store could deduplicate those.
func TestDataDoNotCompress(t *testing.T) {
	d := newData(1)
	const size = 24 << 20 // longer than the pool
	seen := map[string]bool{}
	for id := range uint64(3) {
		b := bytesOf(d, span{id: id, size: size})
		if len(b) != size {
			t.Fatalf("%d B, want %d", len(b), size)
		}
		for at := 0; at < size; at += 4096 {
			block := string(b[at : at+4096])
			if seen[block] {
				t.Fatalf("object %d has a block of 4 KiB at %d that was there before", id, at)
			}
			seen[block] = true
		}
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault))
		if err != nil {
			t.Fatal(err)
		}
		if packed := e.EncodeAll(b, nil); len(packed) < size*99/100 {
			t.Errorf("object %d packs into %d of %d B", id, len(packed), size)
		}
	}
}

// TestPartsAreTheWhole: an object and its sum are the same in parts.
func TestPartsAreTheWhole(t *testing.T) {
	d := newData(2)
	for _, size := range []int64{1, 15, 16, 17, chunk, chunk + 1, batch*chunk + 5, 3*batch*chunk - 1} {
		whole := bytesOf(d, span{id: 9, size: size})
		const part = 2 * chunk
		var parts []byte
		var crc uint32
		for from := int64(0); from < size; from += part {
			s := span{id: 9, from: from, size: min(part, size-from)}
			parts = append(parts, bytesOf(d, s)...)
			crc, _ = d.sum(s, crc, false)
		}
		sum, sha := d.sum(span{id: 9, size: size}, 0, true)
		want := crc32.ChecksumIEEE(whole)
		if !bytes.Equal(whole, parts) || sum != want || crc != want || sha != shaOf(whole) {
			t.Errorf("%d B: parts and whole differ", size)
		}
	}
}

func TestKeysAreUnique(t *testing.T) {
	c := &Client{target: Target{Prefix: "p/"}, load: Load{Seed: 3}}
	seen := map[string]bool{}
	for id := range uint64(200_000) {
		k := c.key(id)
		if seen[k] || len(k) != 18 {
			t.Fatalf("key %q of %d", k, id)
		}
		seen[k] = true
	}
}
