package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"assay"
	"assay/lab/ceph"
	"assay/lab/hosts"
	"assay/place/ssh"
	"assay/probe/rados"
	"assay/run/watch"
	"assay/stats"
	"assay/volume/cephpool"
)

// The client's link is the bottleneck, as in most clusters: results that depend only on
// the CPUs scatter by a quarter where a whole Ceph shares two of them, and would hide a
// difference of 1 %.
const (
	cephLink   = 400e6 // bit/s
	cephPairs  = 16
	cephLength = 8 * time.Second
	cephSpeed  = "pool.write.bandwidth"
)

// radosBench is a lent pool with both ways of writing to it.
type radosBench struct {
	place   assay.Place
	probe   assay.Probe
	watcher *watch.Watcher
	trial   assay.Trial
	scratch assay.Scratch
	bare    []string // rados bench's command line, as assay ran it
}

// written is one measurement by either way.
type written struct {
	speed float64 // B/s
	cpu   float64 // of rados bench, s per GB
}

// measureCeph writes 4 MiB objects, 16 at a time, from a client of a Ceph of three: rados
// bench through assay, with its watch and its queries to the monitors, against the same
// command alone. Both run over SSH.
func measureCeph(ctx context.Context, _ wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	what := "4 MiB writes to a pool (rados bench)"
	if err := ceph.Missing(); err != nil {
		return []row{{what: what, against: "rados bench alone", missing: err.Error()}}, nil, nil
	}
	say("ceph: bringing one up")
	l, err := ceph.Up(ctx, filepath.Join(dir, "ceph"), ceph.Options{Hosts: ceph.Standard.Hosts, Client: cephLink})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, l.Down(context.WithoutCancel(ctx))) }()
	at := ssh.New(assay.Host{Name: ceph.Client}, ssh.Options{Address: l.Hosts.Address(ceph.Client, hosts.Management), User: hosts.User, ConfigFile: l.Hosts.Config()})
	defer at.Close()
	b := radosBench{place: at, probe: rados.New(), watcher: watch.New(at, assay.Facts{Host: ceph.Client})}
	subject := assay.Subject{ID: "client/pool/vms", Kind: assay.KindPool, Host: ceph.Client, Name: "vms", Tier: "vms", Volume: cephpool.Kind,
		Params: map[string]string{"pool": ceph.Pool, "user": ceph.User}}
	trials, err := b.probe.Trials(assay.Inventory{Hosts: []assay.Host{{Name: ceph.Client}}, Subjects: []assay.Subject{subject}, Facts: map[string]assay.Facts{ceph.Client: {Host: ceph.Client}}},
		assay.Case{Probe: "rados", Name: "write-4m", Title: what, On: assay.KindPool, Seconds: cephLength.Seconds(), Set: map[string]string{"op": "write", "bs": "4m", "iodepth": "16"}})
	if err != nil {
		return nil, nil, err
	}
	if len(trials) != 1 || trials[0].Absent != nil {
		return nil, nil, fmt.Errorf("%d trials of a pool: %+v", len(trials), trials)
	}
	b.trial = trials[0]
	receipt, err := cephpool.New().Reserve(ctx, at, subject, assay.Request{ID: "benchbenchbench1", Bytes: 1 << 40})
	if err != nil {
		return nil, nil, err
	}
	if b.scratch, err = cephpool.New().Lend(ctx, at, receipt); err != nil {
		return nil, nil, err
	}
	var through, alone []written
	for pair := range cephPairs + 1 {
		say(fmt.Sprintf("ceph: pair %d of %d", pair, cephPairs))
		a, bare, err := b.pair(ctx, pair%2 == 1)
		if err != nil {
			return nil, nil, err
		}
		if pair > 0 {
			through, alone = append(through, a), append(alone, bare)
		}
	}
	return cephRows(what, through, alone)
}

// pair measures both ways once. The very first begins with assay, which determines the
// bare command.
func (b *radosBench) pair(ctx context.Context, bareFirst bool) (through, alone written, err error) {
	if bareFirst {
		if alone, err = b.alone(ctx); err != nil {
			return through, alone, err
		}
	}
	if through, err = b.throughAssay(ctx); err != nil || bareFirst {
		return through, alone, err
	}
	alone, err = b.alone(ctx)
	return through, alone, err
}

func (b *radosBench) throughAssay(ctx context.Context) (written, error) {
	watching, err := b.watcher.Begin(ctx)
	if err != nil {
		return written{}, err
	}
	tr, runErr := b.probe.Run(ctx, b.trial, assay.Bench{Place: b.place, Scratch: b.scratch, Length: cephLength})
	if _, err = watching.End(ctx); runErr != nil || err != nil {
		return written{}, errors.Join(runErr, err)
	}
	step := *tr.Step("measure")
	b.bare = step.Argv
	return b.read(step)
}

// alone runs the same command by itself, and removes what it wrote.
func (b *radosBench) alone(ctx context.Context) (written, error) {
	out, err := b.place.Run(ctx, assay.Cmd{Argv: b.bare, Timeout: time.Minute})
	if err != nil {
		return written{}, err
	}
	w, err := b.read(assay.Step{Name: "measure", Argv: b.bare, Output: out})
	if err != nil {
		return written{}, err
	}
	name := b.bare[slices.Index(b.bare, "--run-name")+1]
	_, err = b.place.Run(ctx, assay.Cmd{Argv: []string{"rados", "--id", ceph.User, "-p", b.scratch.File, "cleanup", "--run-name", name}, Timeout: time.Minute})
	return w, err
}

func (b *radosBench) read(step assay.Step) (written, error) {
	figures, err := b.probe.Parse(assay.Transcript{Probe: "rados", Settings: b.trial.Settings, Steps: []assay.Step{step}})
	if err != nil {
		return written{}, err
	}
	var w written
	bytes := 0.
	for _, m := range figures {
		switch m.Metric {
		case cephSpeed:
			w.speed = m.Value
		case "pool.write.bytes":
			bytes = m.Value
		}
	}
	if bytes > 0 {
		w.cpu = step.Output.CPU.Seconds() / (bytes / 1e9)
	}
	if !(w.speed > 0) {
		return w, fmt.Errorf("rados bench wrote nothing: %s", step.Output.Stderr)
	}
	return w, nil
}

func cephRows(what string, through, alone []written) ([]row, []string, error) {
	of := func(all []written, f func(written) float64) []float64 {
		var out []float64
		for _, w := range all {
			out = append(out, f(w))
		}
		return out
	}
	speed := func(w written) float64 { return w.speed }
	cpu := func(w written) float64 { return w.cpu }
	first, err := compare(what, "rados bench alone", assay.BytesPerSecond, of(through, speed), of(alone, speed), likeTheBareTool)
	if err != nil {
		return nil, nil, err
	}
	second, err := compare("rados bench's CPU time for each GB", "rados bench alone", assay.Seconds, of(through, cpu), of(alone, cpu), claim{})
	if err != nil {
		return nil, nil, err
	}
	note := fmt.Sprintf("rados bench alone scatters by %.1f %% here (coefficient of variation of its %d readings of %g s, by a client's link of %g Mb/s)",
		100*stats.CoV(of(alone, speed)), len(alone), cephLength.Seconds(), cephLink/1e6)
	return []row{first, second}, []string{note}, nil
}
