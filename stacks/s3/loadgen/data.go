package loadgen

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math/rand/v2"
)

// Objects are made of chunks: a stamp unique to the chunk, then a slice of one
// pool of random bytes. No bytes are copied, yet no two objects share a block
// that a store could deduplicate. The slices of one object start at intervals
// that do not divide the pool, so that repeated bytes fall at different
// offsets.
const (
	chunk  = 64 << 10
	stamp  = 16
	pool   = 16 << 20
	stride = chunk + 1021
)

// data generates the content of objects. It is immutable.
type data struct {
	seed uint64
	pool []byte
}

func newData(seed uint64) *data {
	d := &data{seed: seed, pool: make([]byte, pool+chunk)}
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	_, _ = rand.NewChaCha8(key).Read(d.pool) // it never fails
	return d
}

// span is a part of an object: size bytes from byte from, which must start a
// chunk.
type span struct {
	id   uint64 // of the object
	from int64
	size int64
}

// pieces appends up to most chunks of a span to list, beginning with chunk
// number first of the span; stamps must have room for them. It also returns the
// number of bytes.
func (d *data) pieces(list [][]byte, stamps []byte, s span, first, most int) ([][]byte, int64) {
	var total int64
	for i := range most {
		at := int64(first+i) * chunk
		if at >= s.size {
			break
		}
		n := min(chunk, s.size-at)
		number := uint64(s.from/chunk) + uint64(first+i)
		mark := stamps[i*stamp : (i+1)*stamp]
		binary.LittleEndian.PutUint64(mark, mix(d.seed, s.id, number))
		binary.LittleEndian.PutUint64(mark[8:], mix(d.seed+1, s.id, number))
		list = append(list, mark[:min(stamp, n)])
		if n > stamp {
			begin := (mix(d.seed, s.id, 1<<63) + number*stride) % pool
			list = append(list, d.pool[begin:begin+uint64(n)-stamp])
		}
		total += n
	}
	return list, total
}

// mix hashes three numbers into one that looks random. For one seed and the same
// n, no two ids collide: it uses splitmix64's finaliser (Steele, Lea, Flood:
// Fast splittable pseudorandom number generators, 2014), which is a bijection.
func mix(seed, id, n uint64) uint64 {
	return finish(finish(finish(seed)^n) ^ id)
}

func finish(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// batch is the number of chunks handled at once: 4 MiB in one system call.
const batch = 64

// sum returns the CRC-32 of a span, continued from crc, and on request its
// SHA-256 in hexadecimal. Of the CRCs in S3 it uses IEEE's, which Go computes
// eight times as fast as Castagnoli's on x86.
func (d *data) sum(s span, crc uint32, withSHA bool) (uint32, string) {
	var stamps [batch * stamp]byte
	var room [2 * batch][]byte
	sha := sha256.New()
	for first := 0; int64(first)*chunk < s.size; first += batch {
		list, _ := d.pieces(room[:0], stamps[:], s, first, batch)
		for _, p := range list {
			crc = crc32.Update(crc, crc32.IEEETable, p)
			if withSHA {
				_, _ = sha.Write(p) // it never fails
			}
		}
	}
	if !withSHA {
		return crc, ""
	}
	return crc, hex.EncodeToString(sha.Sum(nil))
}

// shaOf returns the SHA-256 of a small body, in hexadecimal.
func shaOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
