package s3

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/setting"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
)

const (
	name   = "s3"
	volume = "bucket" // lends the scratch space
)

// The steps of a transcript.
const (
	stepMeasure = "measure"
	stepLayOut  = "lay-out"
)

// probe is stateless: everything it knows of a trial is in the trial.
type probe struct{}

var (
	_ assay.Probe    = probe{}
	_ assay.Preparer = probe{}
	_ assay.Noter    = probe{}
)

// New returns the probe; it also implements assay.Preparer and assay.Noter.
func New() assay.Probe { return probe{} }

// Spec describes the probe. It requires no tool: the bucket comes with it.
func (probe) Spec() assay.Spec {
	var metrics []string
	for _, op := range loadgen.Ops {
		stem := stemOf(op)
		for _, m := range []string{
			"ops", "throughput", "latency.mean", "latency.stddev", "latency.min", "latency.max", "first_byte.mean", "first_byte.p50", "first_byte.p99",
			"requests", "errors",
		} {
			metrics = append(metrics, stem+m)
		}
		for _, p := range percentiles {
			metrics = append(metrics, assay.PercentileMetric(stem, p))
		}
	}
	return assay.Spec{Name: name, Metrics: append(metrics,
		"object.list.keys", "object.endpoint.ops", "object.endpoint.throughput", "object.endpoint.latency.mean", "object.class.errors",
		"object.unsent", "object.delay.max", "object.cpu", "tool.duration", "tool.lead")}
}

// Run measures once, after PrepareRepeat. If the agent fails, that is in the
// transcript, and Parse returns an error. on.Enough gets all operations, of
// whatever kind.
func (probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := transcriptOf(t)
	if on.Scratch.Dir == "" || on.Scratch.File == "" {
		return tr, fmt.Errorf("trial %s: no bucket was provided", t.ID)
	}
	job, err := jobOf(t, on)
	if err != nil {
		return tr, err
	}
	job.Do = agent.Run
	job.Bound = t.Bound
	if job.Bound <= 0 {
		job.Bound = 2*job.Load.Duration + time.Minute
	}
	var heed func([]byte) bool
	if on.Enough != nil {
		heed = (&follower{tell: on.Enough}).heed
	}
	return tr, carryOut(ctx, &tr, on.Place, stepMeasure, on.Scratch.Dir, job, heed)
}

// jobOf returns a trial's load on the lent bucket.
func jobOf(t assay.Trial, on assay.Bench) (agent.Job, error) {
	s, err := readSettings(t.Case, t.Settings)
	if err != nil {
		return agent.Job{}, err
	}
	length := on.Length
	if length <= 0 {
		length = max(t.Length, time.Second)
	}
	space := s.space
	if on.Scratch.Bytes > 0 {
		space = min(space, on.Scratch.Bytes)
	}
	load := &loadgen.Load{
		Mix: s.mix, Size: s.size, PartSize: s.part, Concurrency: s.depth * max(s.jobs, 1), Rate: s.rate,
		Duration: length, Objects: int(min(s.objects, space/s.size)), Space: space, PageSize: s.page,
	}
	return agent.Job{Dir: on.Scratch.Dir, Bucket: on.Scratch.File, Space: on.Scratch.Bytes, Set: setOf(s), Load: load, Payload: s.payload}, nil
}

// setOf names the objects of a load. Loads that only read objects of the same
// size share them; loads that write or delete have their own.
func setOf(s settings) string {
	text := "size-" + setting.SizeWord(s.size)
	if s.mix[loadgen.Put]+s.mix[loadgen.Delete] > 0 {
		text = strings.ToLower(strings.NewReplacer("=", "", ",", "-").Replace(mixWord(s.mix))) + "-" + setting.SizeWord(s.size)
	}
	if s.part > 0 {
		text += "-part-" + setting.SizeWord(s.part)
	}
	return text + "-of-" + strconv.FormatInt(s.objects, 10)
}

// carryOut runs a job on the agent, and adds it to the transcript.
func carryOut(ctx context.Context, tr *assay.Transcript, at assay.Place, step, dir string, job agent.Job, heed func([]byte) bool) error {
	text, err := json.Marshal(job)
	if err != nil {
		return err
	}
	argv := []string{path.Join(dir, "assay"), "agent"}
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Stdin: text, Timeout: job.Bound + 5*time.Second, Limit: assay.LongOutputLimit, OnStdout: heed})
	tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: argv, Stdin: text, Output: out})
	host := at.Host().Name
	switch {
	case err == nil:
		return nil
	case errors.Is(err, assay.ErrNoCommand):
		return assay.WithHint("it was removed during the run: run it again", "%s: the agent is missing from %s: %w", host, dir, err)
	case errors.Is(err, assay.ErrTimeout):
		return assay.WithHint("the store may be slow or hung: check its log", "%s: agent (%s): %w", host, step, err)
	}
	return fmt.Errorf("%s: agent (%s): %w", host, step, err)
}

func transcriptOf(t assay.Trial) assay.Transcript {
	return assay.Transcript{Probe: name, Settings: t.Settings}
}

// follower passes on each second that the agent reports.
type follower struct {
	tell func(assay.Sample) bool
	text []byte
}

// heed is an assay.Cmd's OnStdout. It skips lines that do not report a second:
// they are read at the end.
func (f *follower) heed(piece []byte) (enough bool) {
	f.text = append(f.text, piece...)
	for {
		line, rest, found := bytes.Cut(f.text, []byte("\n"))
		if !found {
			return false
		}
		tick, ok := agent.ReadTick(line)
		f.text = append(f.text[:0], rest...)
		if ok && f.tell(assay.Sample{At: float64(tick.At), Value: float64(tick.Ops)}) {
			return true
		}
	}
}
