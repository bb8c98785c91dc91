package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/marked"
	"assay/lab/ceph"
	"assay/lab/internal/promised"
)

// sized is a Ceph and its pool's number of copies.
type sized struct {
	ceph.Options
	copies int
}

// The clusters before and after the changes. Their links are slow so that the links bound a
// client, not the processors that the hosts share here.
var (
	slowLinks   = sized{ceph.Options{Hosts: 3, Link: 50e6}, 3}
	slowTwo     = sized{ceph.Options{Hosts: 3, Link: 50e6}, 2}
	doubleLinks = sized{ceph.Options{Hosts: 3, Link: 100e6}, 3}
	doubleTwo   = sized{ceph.Options{Hosts: 3, Link: 100e6}, 2}
	fastLinks   = sized{ceph.Options{Hosts: 3, Link: 200e6}, 3}
	fourHosts   = sized{ceph.Options{Hosts: 4, Link: 50e6}, 3}
	slowDrive   = sized{ceph.Options{Hosts: 3, Link: 200e6, Slow: 6e6}, 3}
)

// promise is a change that turns one cluster into another.
type promise struct {
	change      string
	before, now sized
}

// promises are the changes, each with the cluster before and after it. With three copies on
// three hosts, each write waits for the one slow drive, as if all drives were slow.
var promises = []promise{
	{"host*.nic=100M", slowLinks, doubleLinks},
	{"host*.nic=50M", doubleLinks, slowLinks},
	{"vms.replicas=2", slowLinks, slowTwo},
	{"vms.replicas=3", slowTwo, slowLinks},
	{"host=host4", slowLinks, fourHosts},
	{"vms.replicas=2", doubleLinks, doubleTwo},
	{"host*.nic=100M", slowTwo, doubleTwo},
	{"host*.nic=200M", slowLinks, fastLinks},
	{"host*.nic=200M", doubleLinks, fastLinks},
	{"host*.nic=100M", fastLinks, doubleLinks},
	{"vms.drive=6MB/s", fastLinks, slowDrive},
}

const predictSuite = `name: predicted
title: what is predicted of a pool
about: what a client of a pool writes and reads, by its bandwidth and one at a time
quick: true
tiers: true
budget: 3m
repeats: 3
cases:
  - {probe: rados, name: write-1m, title: "1 MiB writes, 16 at once", on: pool, seconds: 4, warmup: 1, set: {op: write, bs: 1m, iodepth: "16"}}
  - {probe: rados, name: read-1m, title: "1 MiB sequential reads, 16 at once", on: pool, seconds: 4, warmup: 1, set: {op: seq, bs: 1m, iodepth: "16"}}
  - {probe: rados, name: write-4k, title: "4 KiB writes, one at a time", on: pool, seconds: 3, warmup: 1, set: {op: write, bs: 4k, iodepth: "1"}}
`

// measurePredictions measures a real Ceph before and after changes, and compares the
// predictions from the first run with the second. It runs only when asked for by name.
func measurePredictions(ctx context.Context, w wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	const name = "predictions"
	if w.only == "" {
		return []row{{what: name, missing: "only measured by its name, since it takes a quarter of an hour"}}, nil, nil
	}
	if why := ceph.Missing(); why != nil {
		return []row{{what: name, missing: why.Error()}}, nil, nil
	}
	runs := map[sized]assay.Run{}
	var all []promised.Row
	for _, p := range promises {
		for _, c := range []sized{p.before, p.now} {
			if _, known := runs[c]; known {
				continue
			}
			say(fmt.Sprintf("predictions: %d hosts, links of %g Mb/s, %d copies", c.Hosts, c.Link/1e6, c.copies))
			if runs[c], err = c.measure(ctx, w, filepath.Join(dir, "ceph-"+strconv.Itoa(len(runs)))); err != nil {
				return nil, nil, err
			}
		}
		c, err := p.parse()
		if err != nil {
			return nil, nil, err
		}
		all = append(all, promised.Hold(c, runs[p.before], runs[p.now], figureOf, func(before, after analysis.Prediction) bool { return before.Trial == after.Trial })...)
		// The results so far are worth reading even if the next change fails.
		if w.document != "" {
			if err := marked.Write(w.document, "bench predictions", promised.Table(all)); err != nil {
				return nil, nil, err
			}
		}
	}
	return nil, []string{promised.Table(all)}, nil
}

func (p promise) parse() (analysis.Change, error) {
	if host, is := strings.CutPrefix(p.change, "host="); is {
		return analysis.AddHost(host), nil
	}
	return analysis.ParseChange(p.change)
}

// figureOf returns the name of the figure that a prediction is about.
func figureOf(p analysis.Prediction) string {
	switch {
	case p.Unit == assay.PerSecond:
		return "4 KiB writes, one at a time"
	case strings.HasPrefix(p.Metric, "pool.read."):
		return "reads"
	}
	return "writes"
}

// measure brings the cluster up in dir, has assay measure its pool from one host, and takes the
// cluster down.
func (c sized) measure(ctx context.Context, w wish, dir string) (run assay.Run, err error) {
	short, err := os.MkdirTemp("", "assay-bench-")
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(short)) }()
	l, err := ceph.Up(ctx, dir, c.Options)
	if err != nil {
		return run, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), labBound)
		defer cancel()
		err = errors.Join(err, l.Down(ctx))
	}()
	if _, err := l.Ceph(ctx, "osd", "pool", "set", ceph.Pool, "size", strconv.Itoa(c.copies)); err != nil {
		return run, err
	}
	suite := filepath.Join(short, "predicted.yaml")
	if err := os.WriteFile(suite, []byte(predictSuite), 0o600); err != nil {
		return run, err
	}
	// The lab's own directory must be empty at the end.
	db := filepath.Join(short, "runs.db")
	measuring := site{binary: w.binary, short: short}.assay("run", "-i", l.Cluster(), "--db", db, "--seed", "1", "--suite", suite, "--host", "host1", "--length", "4s")
	measuring.fine = []int{statusRejected, statusPartial}
	if _, err := measuring.run(ctx); err != nil {
		return run, err
	}
	return loadLatest(ctx, db)
}
