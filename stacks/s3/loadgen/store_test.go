package loadgen_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/loadgen"
	"assay/stacks/s3/s3proxy"
)

// TestANodeThatIsOff fails on its own endpoint only.
func TestANodeThatIsOff(t *testing.T) {
	l := garagetest.Up(t, garage.Standard)
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	endpoints := slices.Clone(l.Endpoints())
	endpoints[0] = p.URL
	c := ready(t, target(endpoints, k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1000, Concurrency: 4,
		Rate: 60, Duration: time.Hour})
	ctx, stop := context.WithCancel(patience(t))
	defer stop()
	stopped := make(chan error, 1)
	// Operations go to the endpoints in turn: node1's requests show the load's progress.
	var asked, off atomic.Int64
	follow := func(http.ResponseWriter, *http.Request) bool {
		switch n := asked.Add(1); n {
		case 20:
			go func() {
				stopped <- l.Stop(ctx, "node3")
				off.Store(asked.Load())
			}()
		case off.Load() + 40:
			stop()
		}
		return false
	}
	p.Before.Store(&follow)
	r, err := c.Run(ctx)
	if err := <-stopped; err != nil || !errors.Is(ctx.Err(), context.Canceled) {
		t.Fatal(err, ctx.Err())
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for i, f := range r.Endpoints {
		var refused int64
		for _, e := range f.Errors {
			if e.Class == loadgen.Refused {
				refused += e.Count
			}
		}
		if off := i == 2; (refused > 20) != off || f.Ops == 0 {
			t.Errorf("%s: %d done, failed: %+v", f.Endpoint, f.Ops, f.Errors)
		}
	}
}

// TestAFullDisk fills the data directory of a real store.
func TestAFullDisk(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1, DataBytes: 16 << 20})
	k := garagetest.Bucket(t, l, "bucket")
	c := ready(t, target(l.Endpoints(), k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1 << 20, Concurrency: 1,
		Duration: time.Minute, Limit: 24})
	r, err := c.Run(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	f := figure(t, r, loadgen.Put)
	if f.Ops < 10 || f.Ops > 16 || len(f.Errors) == 0 || f.Errors[0].Class != loadgen.DiskFull {
		t.Errorf("%d of 24 MiB fit into 16, failed: %+v", f.Ops, f.Errors)
	}
}

// TestAWrongClock has a store whose clock is two days ahead.
func TestAWrongClock(t *testing.T) {
	program, err := garage.Program()
	if err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("faketime"); err != nil {
		t.Skip("faketime is not installed")
	}
	wrapper := filepath.Join(t.TempDir(), "garage")
	if err := os.WriteFile(wrapper, fmt.Appendf(nil, "#!/bin/sh\nexec faketime -f +2d '%s' \"$@\"\n", program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_GARAGE", wrapper)
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	c, err := loadgen.New(target(l.Endpoints(), k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1, Concurrency: 1, Duration: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Prepare(patience(t))
	var f *loadgen.Failure
	if !errors.As(err, &f) || f.Class != loadgen.Clock {
		t.Error(err)
	}
}
