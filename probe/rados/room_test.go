package rados_test

import (
	"context"
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/probe/rados"
)

// desk records the commands that it gets. Its pool has no objects.
type desk struct {
	assay.Place
	ran []string
}

func (*desk) Host() assay.Host { return assay.Host{Name: "pve1"} }

func (d *desk) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	d.ran = append(d.ran, strings.Join(c.Argv, " "))
	if strings.Contains(d.ran[len(d.ran)-1], " stat ") {
		return assay.Output{Exit: 1}, nil
	}
	return assay.Output{}, nil
}

// Objects written, by a write or to be read, take at most a third of the lent space: the
// other two are for other sizes. Filling takes five times as long as reading, unless less
// time is left. In a namespace all commands name it.
func TestObjectsTakeAThirdOfWhatWasLent(t *testing.T) {
	pool := assay.Subject{ID: "pve1/pool/vms", Kind: assay.KindPool, Host: "pve1", Name: "vms", Tier: "vms", Volume: "radosspace", Params: map[string]string{"pool": "vms", "user": "assay"}}
	inv := assay.Inventory{Subjects: []assay.Subject{pool}}
	for _, c := range []struct {
		op, bs, file string
		ready        time.Duration
		want         string
	}{
		{"seq", "4m", "assay-x", 45 * time.Second, "rados --id assay -p assay-x bench 25 write -t 16 --run-name assay-read-4m -b 4194304 --max-objects 255 --no-cleanup"},
		{"rand", "4k", "assay-x", 3 * time.Second, "rados --id assay -p assay-x bench 3 write -t 16 --run-name assay-read-4k -b 4096 --max-objects 131072 --no-cleanup"},
		{"seq", "4m", "vms/assay-x", time.Minute, "rados --id assay -p vms -N assay-x bench 25 write -t 16 --run-name assay-read-4m -b 4194304 --max-objects 255 --no-cleanup"},
		{"write", "4m", "vms/assay-x", time.Minute, "rados --id assay -p vms -N assay-x bench 5 write -t 16 --run-name assay-write-4m -b 4194304 --max-objects 255 --no-cleanup"},
	} {
		trials, err := rados.New().Trials(inv, assay.Case{Probe: "rados", Name: c.op, On: assay.KindPool, Seconds: 5, Set: map[string]string{"op": c.op, "bs": c.bs}})
		if err != nil || len(trials) != 1 {
			t.Fatal(trials, err)
		}
		trial, at := trials[0], &desk{}
		trial.Length = 5 * time.Second
		on := assay.Bench{Place: at, Scratch: assay.Scratch{File: c.file, Bytes: 3 << 30}, Length: c.ready}
		if _, err := rados.New().(assay.RepeatPreparer).PrepareRepeat(t.Context(), trial, on); err != nil {
			t.Fatal(err)
		}
		if c.op == "write" {
			on.Length = trial.Length
			if _, err := rados.New().Run(t.Context(), trial, on); err != nil {
				t.Fatal(err)
			}
		}
		found := false
		for _, ran := range at.ran {
			found = found || ran == c.want
			if strings.HasPrefix(ran, "rados ") && strings.Contains(c.file, "/") && !strings.Contains(ran, " -p vms -N assay-x ") {
				t.Errorf("outside of the namespace: %s", ran)
			}
		}
		if !found {
			t.Errorf("ran\n%s\nwant\n%s", strings.Join(at.ran, "\n"), c.want)
		}
	}
}

// The OSDs' commit times belong to the write that was measured meanwhile.
func TestOSDsAreLookedAtWhileWritesAreMeasured(t *testing.T) {
	bench, err := os.ReadFile("testdata/pacific-write.txt")
	if err != nil {
		t.Fatal(err)
	}
	perf := `{"osdstats":{"osd_perf_infos":[{"id":0,"perf_stats":{"commit_latency_ms":3,"commit_latency_ns":3400000}},{"id":7,"perf_stats":{"commit_latency_ms":90,"commit_latency_ns":90000000}}]}}`
	for op, want := range map[string]map[string]float64{"write": {"osd.0": .0034, "osd.7": .09}, "seq": {}} {
		tr := assay.Transcript{Probe: "rados", Settings: map[string]string{"op": op, "bs": "4m"}, Steps: []assay.Step{
			{Name: "measure", Argv: []string{"rados", "bench", "10", "write"}, Output: assay.Output{Stdout: bench}},
			{Name: "osd-perf", Output: assay.Output{Stdout: []byte(perf)}},
		}}
		all, err := rados.New().Parse(tr)
		if err != nil {
			t.Fatal(op, err)
		}
		got := map[string]float64{}
		for _, m := range all {
			if m.Metric == "pool.osd.commit" {
				got[m.Labels["osd"]] = math.Round(m.Value*1e6) / 1e6
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", op, got, want)
		}
	}
}
