package rados

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/stacks/ceph"
)

const (
	name   = "rados"
	volume = "cephpool" // lends the scratch space
)

// The transcript steps besides "measure".
const (
	stepAfter = "status-after" // of the cluster, after the measurement
	stepPerf  = "osd-perf"     // during measurement
	stepTree  = "osd-tree"     // if an OSD stands out
	stepLook  = "look"
	stepFill  = "fill"
	stepClear = "clear"
)

// Spec describes the probe. It names no tool, since few hosts are clients of a Ceph cluster;
// on those, the volume has run ceph before and reported what is missing.
func (reader) Spec() assay.Spec {
	spec := assay.Spec{Name: name}
	for _, op := range []string{"write", "read"} {
		for _, m := range metrics {
			spec.Metrics = append(spec.Metrics, "pool."+op+"."+m.name)
		}
		spec.Metrics = append(spec.Metrics, "pool."+op+".bytes")
	}
	spec.Metrics = append(spec.Metrics, "tool.duration", ceph.MetricCommit)
	return spec
}

// PrepareRepeat writes the objects that a read needs, once.
func (reader) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: name, Settings: t.Settings}
	b, err := newBench(t, on)
	if err != nil {
		return tr, err
	}
	if b.op == "write" {
		return tr, nil
	}
	out, err := b.rados(ctx, &tr, stepLook, time.Minute, "stat", b.set())
	if err != nil || out.Exit == 0 {
		return tr, err
	}
	filling := min(on.Length, fillShare*t.Length)
	out, err = b.rados(ctx, &tr, stepFill, filling+grace, b.bench(wholeSeconds(filling), "write")...)
	if err != nil {
		return tr, err
	}
	return tr, b.access.Failed(on.Place, "rados bench write", out)
}

// fillShare is how many times longer objects are written than they are then read,
// which is much faster: a sequential read ends with its objects.
const fillShare = 5

// grace is how long a bench may take beyond its length to finish its last operations;
// a slow cluster has many in flight.
const grace = 2 * time.Minute

// Run measures once. Meanwhile it queries the OSDs' latencies; afterwards it removes what was
// written, and records the cluster's health beside the figures.
func (reader) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: name, Settings: t.Settings}
	b, err := newBench(t, on)
	if err != nil {
		return tr, err
	}
	length := on.Length
	if length <= 0 {
		length = max(t.Length, time.Second)
	}
	beside, stop := context.WithCancel(ctx)
	var perf assay.Transcript
	var asked sync.WaitGroup
	asked.Go(func() {
		select {
		case <-beside.Done():
		case <-time.After(length / 2):
			_ = b.ceph(beside, &perf, stepPerf, "osd", "perf") // figures do not depend on it
		}
	})
	out, err := b.rados(ctx, &tr, "measure", max(t.Bound, length+grace), b.bench(wholeSeconds(length), b.op)...)
	stop()
	asked.Wait()
	if err != nil {
		return tr, err
	}
	if err := b.access.Failed(on.Place, "rados bench "+b.op, out); err != nil {
		return tr, err
	}
	tr.Steps = append(tr.Steps, perf.Steps...)
	if b.op == "write" {
		if _, err := b.rados(ctx, &tr, stepClear, 10*time.Minute, "cleanup", "--run-name", b.set()); err != nil {
			return tr, err
		}
	}
	return tr, b.ceph(ctx, &tr, stepAfter, "status")
}

// wholeSeconds rounds to whole seconds for rados bench.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Round(d.Seconds()))) }

// bench is one trial on the lent pool.
type bench struct {
	settings
	place  assay.Place
	access ceph.Access
	pool   string // POOL, or POOL/NAMESPACE
	most   int64  // objects
}

func newBench(t assay.Trial, on assay.Bench) (bench, error) {
	s, err := readSettings(t.Case, t.Settings)
	if err != nil {
		return bench{}, err
	}
	if on.Scratch.File == "" || on.Scratch.Bytes <= 0 {
		return bench{}, fmt.Errorf("trial %s: no pool was provided", t.ID)
	}
	return bench{settings: s, place: on.Place, access: ceph.Of(t.Subject.Params), pool: on.Scratch.File, most: s.objects(on.Scratch.Bytes)}, nil
}

// set names the objects of a trial: reads of the same size share theirs, and writes
// have their own, since these are removed.
func (b bench) set() string {
	if b.op == "write" {
		return "assay-write-" + b.bs
	}
	return "assay-read-" + b.bs
}

// bench returns the arguments of a rados bench. A write ends when the lent space is
// full.
func (b bench) bench(seconds int, op string) []string {
	words := []string{"bench", strconv.Itoa(seconds), op, "-t", strconv.Itoa(b.depth), "--run-name", b.set()}
	if op == "write" {
		words = append(words, "-b", strconv.FormatInt(b.size, 10), "--max-objects", strconv.FormatInt(b.most, 10), "--no-cleanup")
	}
	return words
}

func (b bench) rados(ctx context.Context, tr *assay.Transcript, step string, bound time.Duration, words ...string) (assay.Output, error) {
	pool, space, within := strings.Cut(b.pool, "/")
	where := []string{"-p", pool}
	if within {
		where = append(where, "-N", space)
	}
	argv := b.access.Argv("rados", append(where, words...)...)
	return b.run(ctx, tr, step, bound, argv)
}

func (b bench) ceph(ctx context.Context, tr *assay.Transcript, step string, words ...string) error {
	argv := b.access.Argv("ceph", append(append([]string{"--connect-timeout", "30"}, words...), "--format", "json")...)
	out, err := b.run(ctx, tr, step, time.Minute, argv)
	if err != nil {
		return err
	}
	return b.access.Failed(b.place, "ceph "+strings.Join(words, " "), out)
}

func (b bench) run(ctx context.Context, tr *assay.Transcript, step string, bound time.Duration, argv []string) (assay.Output, error) {
	out, err := b.place.Run(ctx, assay.Cmd{Argv: argv, Timeout: bound})
	tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: argv, Output: out})
	host := b.place.Host().Name
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, assay.ErrNoCommand):
		return out, assay.WithHint("install ceph-common there", "%s: %s: %w", host, argv[0], err)
	case errors.Is(err, assay.ErrTimeout):
		return out, assay.WithHint("operations hang: see ceph health detail", "%s: %s (%s): %w", host, argv[0], step, err)
	}
	return out, fmt.Errorf("%s: %s (%s): %w", host, argv[0], step, err)
}

// commits returns the OSDs' commit latencies during a write, or none if they were not
// queried: for seconds afterwards, they still reflect earlier writes.
func commits(tr assay.Transcript) []assay.Measurement {
	step := tr.Step(stepPerf)
	if step == nil || step.Output.Exit != 0 || tr.Settings["op"] != "write" {
		return nil
	}
	osds, err := ceph.ReadPerf(step.Output.Stdout)
	if err != nil {
		return nil // figures do not depend on it
	}
	var all []assay.Measurement
	for _, o := range osds {
		all = append(all, assay.Measurement{
			Metric: ceph.MetricCommit, Value: o.Commit, Unit: assay.Seconds, Labels: map[string]string{"osd": "osd." + strconv.Itoa(o.OSD)},
		})
	}
	return all
}

// Notes reports the state in which the cluster was measured.
func (reader) Notes(tr assay.Transcript) []assay.Note {
	var notes []assay.Note
	var why []string
	if s := tr.Step(stepAfter); s != nil {
		if status, err := ceph.ReadStatus(s.Output.Stdout); err == nil && !status.Settling() {
			why = status.Disturbed()
		}
	}
	if len(why) > 0 {
		notes = append(notes, assay.Note{ID: "ceph-disturbed", Text: "measured while the cluster was " + strings.Join(why, ", ") + ": the figures are lower than those of a healthy, idle cluster"})
	}
	return notes
}
