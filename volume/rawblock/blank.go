package rawblock

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
)

// How much of a device is looked at, in bytes: its first MiB, which holds all marks
// that are known and the first two labels of ZFS, its last, with the other two, and
// what lies at even distances between them. Formats begin at one end or the other;
// the samples find what was not made by one.
const (
	endBytes    = 1 << 20
	sampleBytes = 4 << 10
	samples     = 16
)

// markBytes is the length of the mark that Release leaves, in bytes. Whoever uses
// the device next writes over some of it: formats have their first mark there, or
// clear it.
const markBytes = 4 << 10

// Mark is what stands at the head of a device that assay wrote to and gave back.
func Mark() []byte {
	b := make([]byte, markBytes)
	copy(b, "assay: this device was given to be overwritten by benchmarks.\nNothing that follows is anybody's data.\n")
	return b
}

// span is a part of a device, in bytes; both are multiples of a sector.
type span struct{ from, length int64 }

// spans are the parts of a device of that size that are looked at: its head, its
// tail, and samples.
func spans(size int64) []span {
	size -= size % sectorBytes
	end := min(size, endBytes)
	all := []span{{0, end}, {size - end, end}}
	between := size - 2*endBytes
	if between < samples*sampleBytes {
		return all
	}
	for i := range int64(samples) {
		from := endBytes + between/(samples+1)*(i+1)
		all = append(all, span{from - from%sampleBytes, sampleBytes})
	}
	return all
}

// sum tells whether something was written.
type sum [sha256.Size]byte

// judge says what the parts of a device show. parts are as spans gives them.
func (f *Facts) judge(at []span, parts [][]byte) {
	f.Marked(parts[0], parts[1])
	f.Own = bytes.HasPrefix(parts[0], Mark())
	f.sum = sha256.Sum256(slices.Concat(parts...))
	f.Blank = true
	for i, part := range parts {
		if n, found := written(part); found {
			f.Blank, f.Written = false, at[i].from+int64(n)
			return
		}
	}
}

// written gives the first byte that is neither zero nor 0xFF, as which erased flash
// may be read.
func written(b []byte) (at int, found bool) {
	for i, c := range b {
		if c != 0 && c != 0xff {
			return i, true
		}
	}
	return 0, false
}

// readScript prints the parts of the device $0, each FROM+COUNT in sectors.
const readScript = `for s; do dd if="$0" bs=512 skip="${s%+*}" count="${s#*+}" || exit; done`

// read gives parts of a device.
func read(ctx context.Context, at assay.Place, device string, all []span) ([][]byte, error) {
	argv, total := []string{"sh", "-c", readScript, device}, int64(0)
	for _, s := range all {
		argv = append(argv, strconv.FormatInt(s.from/sectorBytes, 10)+"+"+strconv.FormatInt(s.length/sectorBytes, 10))
		total += s.length
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Timeout: time.Minute})
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

// writeMark leaves the mark at the head of a device.
func writeMark(ctx context.Context, at assay.Place, device string) error {
	// obs has dd collect what comes in pieces.
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"dd", "of=" + device, "obs=" + strconv.Itoa(markBytes), "conv=notrunc,fsync"},
		Stdin: Mark(), Timeout: time.Minute})
	if err != nil {
		return fmt.Errorf("mark %s on %s: %w", device, at.Host().Name, err)
	}
	if out.Exit != 0 {
		return fmt.Errorf("mark %s on %s: %s", device, at.Host().Name, strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}
