package guard

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"assay"
)

// Regions of a device that are examined, in bytes. The head holds all known signatures, the
// first two ZFS labels, and the usual starts of partitions: at 63 sectors, 1 MiB, 4 MiB, and
// 2048 sectors of 4 KiB; see starts and copies for what is examined beyond it. The tail holds
// the other two ZFS labels, the second GPT, and the ends of partitions.
//
// In between, the samples lie at random, one in each of equally large parts. Data that covers
// a share p of the device, however spread, is missed with a probability of (1-p)^samples at
// most: 1.2e-9 for 1 %; a share of 0.34 % is found with 99.9 %.
const (
	headBytes   = 9 << 20
	tailBytes   = 2 << 20
	sampleBytes = 4 << 10
	samples     = 2048
	// wholeBytes is the most between head and tail that is read completely
	// instead of sampled.
	wholeBytes = 64 << 20
)

// span is a range of a device: offset and length in bytes, both multiples of a
// sector.
type span struct{ from, length int64 }

// spans returns the ranges to examine on a device of that size: its head, its tail,
// where file systems keep copies of their superblock, and the samples of seed.
func spans(size int64, seed uint64) []span {
	size -= size % sectorBytes
	head, tail := min(size, headBytes), min(size, tailBytes)
	all := []span{{0, head}, {size - tail, tail}}
	between := size - head - tail
	if between <= wholeBytes {
		if between > 0 {
			all = append(all, span{head, between})
		}
		return all
	}
	all = append(all, starts(head, size-tail)...)
	all = append(all, copies(size, head, size-tail)...)
	random := rand.New(rand.NewPCG(seed, samples)) //nolint:gosec // random, not a secret
	for i := range int64(samples) {
		low, high := head+between/samples*i, head+between/samples*(i+1)
		from := low + random.Int64N(high-low-sampleBytes+1)
		all = append(all, span{from - from%sampleBytes, sampleBytes})
	}
	return all
}

// starts returns where partitions begin beyond the head if somebody chose a round
// offset: at powers of two MiB. A file system has its superblock in the first 128 KiB,
// and may have written little else.
func starts(low, high int64) []span {
	const superblock = 128 << 10
	var all []span
	for from := int64(1 << 20); from+superblock <= high; from *= 2 {
		if from >= low {
			all = append(all, span{from, superblock})
		}
	}
	return all
}

// copies returns where ext keeps copies of its superblock (in groups 1, and powers of
// 3, 5 and 7, of 128 MiB each) and where xfs has the heads of its four groups, for a
// file system that begins at the start of the device or a MiB later.
func copies(size, low, high int64) []span {
	const group, around = 128 << 20, 2 << 20
	var all []span
	add := func(from, length int64) {
		from -= from % sampleBytes
		if from >= low && from+length <= high {
			all = append(all, span{from, length})
		}
	}
	for _, n := range []int64{1, 3, 5, 7, 9, 25, 27, 49, 81, 125} {
		add(n*group, sampleBytes)
		add(n*group+1<<20, sampleBytes)
	}
	for quarter := int64(1); quarter < 4; quarter++ {
		add(size/4*quarter-around/2, around)
	}
	return all
}

// sum is a hash that shows whether something was written.
type sum [sha256.Size]byte

// sumOf hashes the parts of a device, except where the mark is.
func sumOf(parts [][]byte) sum {
	h := sha256.New()
	h.Write(parts[0][min(markBytes, len(parts[0])):])
	for _, part := range parts[1:] {
		h.Write(part)
	}
	return sum(h.Sum(nil))
}

// judge records what the parts of a device show. parts are in the order of
// spans.
func (f *Facts) judge(at []span, parts [][]byte) {
	f.Marked(parts[0], parts[1])
	f.head = sha256.Sum256(parts[0][:min(markBytes, len(parts[0]))])
	f.sum = sumOf(parts)
	f.Blank = true
	for i, part := range parts {
		if n, found := written(part); found {
			f.Blank, f.Written = false, at[i].from+int64(n)
			return
		}
	}
}

// written returns the offset of the first byte that is neither zero nor 0xFF, which
// erased flash may read as.
func written(b []byte) (at int, found bool) {
	for i, c := range b {
		if c != 0 && c != 0xff {
			return i, true
		}
	}
	return 0, false
}

// readScript prints the parts of the device $1 listed on stdin, one per line: block
// size, blocks to skip, and blocks to read. It shows dd's messages only if dd fails.
const readScript = `while read -r block skip count; do
	dd if="$1" bs="$block" skip="$skip" count="$count" 2>/dev/null </dev/null && continue
	dd if="$1" of=/dev/null bs="$block" skip="$skip" count="$count" </dev/null
	exit 1
done`

// readBound limits how long reading may take: a disk needs about 10 ms per sample.
const readBound = 5 * time.Minute

// read returns parts of a device.
func read(ctx context.Context, at assay.Place, device string, all []span) ([][]byte, error) {
	var list strings.Builder
	total := int64(0)
	for _, s := range all {
		block := int64(1) << min(bits.TrailingZeros64(uint64(s.from|s.length)), 20)
		fmt.Fprintln(&list, block, s.from/block, s.length/block)
		total += s.length
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", readScript, "sh", device}, Stdin: []byte(list.String()), Timeout: readBound, Limit: max(int(total), assay.OutputLimit)})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s on %s: %w", device, at.Host().Name, err)
	case out.Exit != 0 || int64(len(out.Stdout)) != total:
		said := strings.TrimSpace(string(out.Stderr))
		return nil, fmt.Errorf("read %s on %s: %d of %d bytes: %s", device, at.Host().Name, len(out.Stdout), total, said[strings.LastIndexByte(said, '\n')+1:])
	}
	parts, rest := make([][]byte, 0, len(all)), out.Stdout
	for _, s := range all {
		parts, rest = append(parts, rest[:s.length]), rest[s.length:]
	}
	return parts, nil
}

// markBytes is the length of the mark that Release leaves, in bytes. Whatever
// uses the device next overwrites part of it: formats have their first signature
// there, or clear it.
const markBytes = 4 << 10

// mark is left at the head of a device that assay wrote to and gave back. It
// vouches for the contents at that time, and for nothing later.
type mark struct {
	seed uint64 // of the samples
	sum  sum    // of the parts
}

const markText = `assay: this device was given to be overwritten by benchmarks.
Nothing that follows is anybody's data, as long as samples of it are what they were.
`

// bytes returns the mark as it is written.
func (m mark) bytes() []byte {
	b := make([]byte, markBytes)
	copy(b, fmt.Sprintf("%sseed %016x\nsha256 %x\n", markText, m.seed, m.sum))
	return b
}

// readMark returns the mark in the head of a device.
func readMark(head []byte) (m mark, ok bool) {
	rest, is := bytes.CutPrefix(head, []byte(markText))
	if !is || len(head) < markBytes {
		return m, false
	}
	var hash []byte
	if n, err := fmt.Sscanf(string(rest[:min(len(rest), 256)]), "seed %x\nsha256 %x\n", &m.seed, &hash); n != 2 || err != nil || copy(m.sum[:], hash) != len(m.sum) {
		return m, false
	}
	return m, bytes.HasPrefix(head, m.bytes())
}

// write leaves the mark at the head of a device.
func (m mark) write(ctx context.Context, at assay.Place, device string) error {
	// obs makes dd collect input that arrives in pieces.
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"dd", "of=" + device, "obs=" + strconv.Itoa(markBytes), "conv=notrunc,fsync"},
		Stdin: m.bytes(), Timeout: time.Minute})
	if err != nil {
		return fmt.Errorf("mark %s on %s: %w", device, at.Host().Name, err)
	}
	if out.Exit != 0 {
		return fmt.Errorf("mark %s on %s: %s", device, at.Host().Name, strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
