package dd

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/setting"
)

const (
	leastFile = 16 * mib
	// passSeconds is how long one pass should take: long compared with one
	// flush, short compared with a repeat.
	passSeconds = 3.0
)

// Prepare makes the source of incompressible data and writes the file from it
// once, so that every measured block is allocated and written. The first 16 MiB
// are timed to choose the size.
func (probe) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	s := begin(t, on)
	if on.Scratch.File == "" || on.Scratch.Dir == "" {
		return s.tr, on.Scratch, fmt.Errorf("trial %s: no directory and file were provided", t.ID)
	}
	if on.Scratch.Bytes < 2*leastFile {
		return s.tr, on.Scratch, fmt.Errorf("%w: dd has %d MiB and needs %d", assay.ErrNoSpace, on.Scratch.Bytes/mib, 2*leastFile/mib)
	}
	set, err := readSettings(setting.Stored(t.Case, t.Settings))
	if err != nil {
		return s.tr, on.Scratch, err
	}
	size, err := s.chooseSize(ctx, set.size)
	if err != nil {
		return s.tr, on.Scratch, err
	}
	if size > leastFile {
		if err := s.makeSource(ctx, stepSource, size); err != nil {
			return s.tr, on.Scratch, err
		}
	}
	if err := s.create(ctx, stepFile, size, "if="+s.source(), "of="+on.Scratch.File); err != nil {
		return s.tr, on.Scratch, err
	}
	ready := on.Scratch
	ready.Bytes = size
	return s.tr, ready, nil
}

// chooseSize writes the first 16 MiB and returns the size of one file in bytes: fixed, or
// one that suits the speed if that is 0.
func (s *session) chooseSize(ctx context.Context, fixed int64) (int64, error) {
	if err := s.try(ctx, stepMemory, "cat", "/proc/meminfo"); err != nil {
		return 0, err
	}
	memory := availableMemory(s.tr.Steps[0].Output.Stdout)
	if err := s.makeSource(ctx, stepSpeed, leastFile); err != nil {
		return 0, err
	}
	most := s.on.Scratch.Bytes / 2
	if fixed > 0 {
		return min(fixed, most) / mib * mib, nil
	}
	speed := leastFile / elapsed(s.tr.Steps[len(s.tr.Steps)-1])
	return fileSize(speed, most, memory, s.on.Length), nil
}

// fileSize returns about passSeconds' worth of data, in whole MiB, within the
// lent space (most), a quarter of the available memory (0 unknown), and what
// can be made and copied at that speed (B/s) within bound (0 for none).
func fileSize(speed float64, most, memory int64, bound time.Duration) int64 {
	want := speed * passSeconds
	if bound > 0 {
		want = min(want, speed*bound.Seconds()/2) // it is written twice
	}
	if memory > 0 {
		want = min(want, float64(memory)/4)
	}
	want = min(want, float64(most))
	return max(int64(want), leastFile) / mib * mib
}

// availableMemory parses MemAvailable of /proc/meminfo in bytes; 0 if it is
// missing.
func availableMemory(meminfo []byte) int64 {
	for line := range bytes.Lines(meminfo) {
		rest, ok := bytes.CutPrefix(line, []byte("MemAvailable:"))
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB"), 10, 64)
		if err == nil && kib > 0 && kib < 1<<50 {
			return kib << 10
		}
	}
	return 0
}

// makeSource writes size bytes of /dev/urandom to the source.
func (s *session) makeSource(ctx context.Context, step string, size int64) error {
	return s.create(ctx, step, size, "if=/dev/urandom", "of="+s.source(), "count="+strconv.FormatInt(size/mib, 10))
}

// create runs a dd that flushes, and checks that it wrote everything. It uses
// fsync, which every dd supports, where a measurement would use fdatasync.
func (s *session) create(ctx context.Context, name string, size int64, operands ...string) error {
	argv := append([]string{"dd"}, operands...)
	step, err := s.must(ctx, name, append(argv, "bs=1M", "conv=fsync")...)
	if err != nil {
		return err
	}
	if sum, err := parseSummary(step); err == nil && sum.bytes != size {
		return fmt.Errorf("%s on %s: wrote %d of %d bytes", strings.Join(step.Argv, " "), s.on.Place.Host().Name, sum.bytes, size)
	}
	return nil
}

// elapsed returns dd's own time in seconds, or what assay measured if dd does
// not say; never 0.
func elapsed(step assay.Step) float64 {
	if sum, err := parseSummary(step); err == nil {
		return sum.seconds
	}
	return max(step.Output.Elapsed.Seconds(), 1e-3)
}
