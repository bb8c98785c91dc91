package dd

import (
	"context"
	"fmt"
	"time"

	"assay"
	"assay/internal/setting"
)

// mostPasses bounds the transcript of a repeat on very fast storage.
const mostPasses = 200

// Run copies the whole file once, and again until on.Length has passed: on a
// fast drive one pass is too short to mean anything.
func (probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	s := begin(t, on)
	set, err := readSettings(setting.Stored(t.Case, t.Settings))
	if err != nil {
		return s.tr, err
	}
	pass := passes[set.op]
	if on.Scratch.File == "" || on.Scratch.Dir == "" {
		return s.tr, fmt.Errorf("trial %s: no directory and file were provided", t.ID)
	}
	for n := range mostPasses {
		if err := pass(s, ctx, n); err != nil {
			return s.tr, err
		}
		if s.spent() >= on.Length {
			break
		}
	}
	return s.tr, nil
}

// spent returns the time of all steps except warming up. It includes emptying
// the cache before every pass, so that a repeat does not last much longer than
// requested.
func (s *session) spent() (sum time.Duration) {
	for _, step := range s.tr.Steps {
		if step.Name != stepWarm {
			sum += step.Output.Elapsed
		}
	}
	return sum
}

// passes are the functions that run one pass; n counts from 0.
var passes = map[string]func(s *session, ctx context.Context, n int) error{
	opWrite:    (*session).write,
	opReadCold: (*session).readCold,
	opReadWarm: (*session).readWarm,
}

// write overwrites the file's own blocks from a source in memory.
func (s *session) write(ctx context.Context, n int) error {
	if n == 0 {
		if err := s.warm(ctx, s.source()); err != nil {
			return err
		}
	}
	return s.measure(ctx, "if="+s.source(), "of="+s.on.Scratch.File, "bs=1M", "conv=notrunc,fdatasync")
}

// readWarm reads from the page cache.
func (s *session) readWarm(ctx context.Context, n int) error {
	if n == 0 {
		if err := s.warm(ctx, s.on.Scratch.File); err != nil {
			return err
		}
	}
	return s.measureRead(ctx)
}

// readCold reads after trying everything that may drop the file from the page
// cache. None of it has to work: Parse labels the result by what did.
func (s *session) readCold(ctx context.Context, _ int) error {
	file := s.on.Scratch.File
	steps := [][]string{{stepSync, "sync"}} // a dirty page cannot be dropped
	if s.tr.Settings["drop"] == "1" {
		steps = append(steps, []string{stepDropCaches, "sh", "-c", "echo 3 > /proc/sys/vm/drop_caches"})
	}
	steps = append(steps,
		[]string{stepAdvise, "dd", "if=" + file, "iflag=nocache", "count=0"},
		[]string{stepResident, "fincore", "--bytes", "--noheadings", "--output", "RES", file})
	for _, step := range steps {
		if err := s.try(ctx, step[0], step[1:]...); err != nil {
			return err
		}
	}
	return s.measureRead(ctx)
}

// warm reads a file into the page cache. Not with cat: its output would be sent
// back.
func (s *session) warm(ctx context.Context, file string) error {
	_, err := s.must(ctx, stepWarm, "dd", "if="+file, "of=/dev/null", "bs=1M")
	return err
}

func (s *session) measureRead(ctx context.Context) error {
	return s.measure(ctx, "if="+s.on.Scratch.File, "of=/dev/null", "bs=1M")
}

func (s *session) measure(ctx context.Context, operands ...string) error {
	_, err := s.must(ctx, stepMeasure, append([]string{"dd"}, operands...)...)
	return err
}
