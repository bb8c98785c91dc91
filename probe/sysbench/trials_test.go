package sysbench

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
)

// Caches as lscpu reports them.
var (
	epyc = assay.CPUFacts{Threads: 2, Caches: []assay.Cache{
		{Level: 1, Type: "Data", Bytes: 32 << 10, Count: 2}, {Level: 1, Type: "Instruction", Bytes: 32 << 10, Count: 2},
		{Level: 2, Type: "Unified", Bytes: 1 << 20, Count: 2}, {Level: 3, Type: "Unified", Bytes: 32 << 20, Count: 1}}}
	i5 = assay.CPUFacts{Threads: 6, Caches: []assay.Cache{
		{Level: 1, Type: "Data", Bytes: 32 << 10, Count: 6}, {Level: 2, Type: "Unified", Bytes: 256 << 10, Count: 6},
		{Level: 3, Type: "Unified", Bytes: 9 << 20, Count: 1}}}
	i7smt = assay.CPUFacts{Threads: 12, Caches: i5.Caches}
	pi4   = assay.CPUFacts{Threads: 4, Caches: []assay.Cache{
		{Level: 1, Type: "Data", Bytes: 32 << 10, Count: 4}, {Level: 2, Type: "Unified", Bytes: 1 << 20, Count: 1}}}
	bigL2 = assay.CPUFacts{Threads: 64, Caches: []assay.Cache{
		{Level: 2, Type: "Unified", Bytes: 2 << 20, Count: 64}, {Level: 3, Type: "Unified", Bytes: 105 << 20, Count: 1}}}
	blank = assay.CPUFacts{Threads: 4}
)

func TestBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		cpu         assay.CPUFacts
		threads     int
		dram, cache int64
		assumed     bool
	}{
		"epyc, all":      {epyc, 2, 64 << 20, 512 << 10, false},
		"epyc, one":      {epyc, 1, 128 << 20, 512 << 10, false},
		"i5-8500T, all":  {i5, 6, 8 << 20, 128 << 10, false},
		"i5-8500T, one":  {i5, 1, 64 << 20, 128 << 10, false},
		"i7-8700T, all":  {i7smt, 12, 4 << 20, 64 << 10, false},
		"Pi 4, all":      {pi4, 4, 1 << 20, 128 << 10, false},
		"more L2 than 3": {bigL2, 64, 8 << 20, 1 << 20, false},
		"unknown":        {blank, 4, 64 << 20, 16 << 10, true},
	} {
		block, assumed := dramBlock(c.cpu, c.threads)
		if block != c.dram || assumed != c.assumed {
			t.Errorf("%s: dram block %d KiB, want %d; assumed %v", name, block>>10, c.dram>>10, assumed)
		}
		if block := cacheBlock(c.cpu); block != c.cache {
			t.Errorf("%s: cache block %d KiB, want %d", name, block>>10, c.cache>>10)
		}
	}
}

func TestBuffersAlwaysGetPastTheCaches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpu := assay.CPUFacts{Threads: rapid.IntRange(1, 512).Draw(t, "threads")}
		for level := 1; level <= rapid.IntRange(0, 4).Draw(t, "levels"); level++ {
			cpu.Caches = append(cpu.Caches, assay.Cache{Level: level, Type: "Unified",
				Bytes: rapid.Int64Range(1, 1<<30).Draw(t, "bytes"), Count: rapid.IntRange(0, 64).Draw(t, "count")})
		}
		threads := rapid.IntRange(1, cpu.Threads).Draw(t, "used")
		block, _ := dramBlock(cpu, threads)
		if block&(block-1) != 0 || block <= 0 {
			t.Fatalf("%d is no power of two", block)
		}
		if block*int64(threads) < beyondCache*cpu.LastLevel() {
			t.Fatalf("%d x %d is within the caches", block, threads)
		}
		if small := cacheBlock(cpu); small&(small-1) != 0 || small < 4096 {
			t.Fatalf("cache block %d", small)
		}
	})
}

func inventory(cpu assay.CPUFacts, available int64) assay.Inventory {
	return assay.Inventory{
		Facts: map[string]assay.Facts{"pve1": {Host: "pve1", CPU: cpu, Memory: assay.MemoryFacts{Available: available}}},
		Subjects: []assay.Subject{
			{ID: "pve1/cpu/cpu", Kind: assay.KindCPU, Host: "pve1", Name: "cpu"},
			{ID: "pve1/memory/memory", Kind: assay.KindMemory, Host: "pve1", Name: "memory"},
		},
	}
}

func TestTrials(t *testing.T) {
	memory := map[string]string{"kind": "memory", "op": "read", "level": "dram", "threads": "all"}
	c := assay.Case{Probe: "sysbench", Name: "mem-read", On: assay.KindMemory, Set: memory, Seconds: 5}
	for name, tc := range map[string]struct {
		cpu       assay.CPUFacts
		available int64
		absent    assay.AbsenceWord
	}{
		"fits":           {i5, 8 << 30, ""},
		"too little":     {blank, 512 << 20, assay.NotSupported},
		"memory unknown": {blank, 0, assay.Unknown},
		"cpu unknown":    {assay.CPUFacts{}, 8 << 30, assay.Unknown},
	} {
		trials, err := New().Trials(inventory(tc.cpu, tc.available), c)
		if err != nil || len(trials) != 1 {
			t.Fatalf("%s: %d trials, %v", name, len(trials), err)
		}
		got := trials[0]
		if got.ID != "sysbench/mem-read@pve1/memory/memory" || !slices.Equal(got.Claims, []string{"pve1/memory/memory", "pve1/cpu/cpu"}) {
			t.Errorf("%s: %+v", name, got)
		}
		if (got.Absent == nil) != (tc.absent == "") || got.Absent != nil && (got.Absent.Word != tc.absent || got.Absent.Hint == "") {
			t.Errorf("%s: absent %+v", name, got.Absent)
		}
		if _, assumed := got.Settings["llc"]; tc.absent == "" && assumed {
			t.Errorf("%s: %v", name, got.Settings)
		}
	}
	if memory["block"] != "" || memory["threads"] != "all" {
		t.Errorf("the suite's settings were changed: %v", memory)
	}
	trials, err := New().Trials(inventory(i5, 8<<30), assay.Case{Name: "cpu", On: assay.KindCPU, Set: map[string]string{"kind": "cpu", "threads": "1"}})
	if err != nil || len(trials) != 1 || !slices.Equal(trials[0].Claims, []string{"pve1/cpu/cpu"}) {
		t.Errorf("%+v, %v", trials, err)
	}
	for _, c := range []assay.Case{
		{On: assay.KindMemory, Set: map[string]string{"kind": "cpu", "threads": "1"}},
		{On: assay.KindCPU, Set: memory},
		{On: assay.KindCPU, Set: map[string]string{"threads": "1"}},
		{On: assay.KindCPU, Set: map[string]string{"kind": "cpu", "threads": "0"}},
		{On: assay.KindCPU, Set: map[string]string{"kind": "cpu"}},
		{On: assay.KindCPU, Set: map[string]string{"kind": "cpu", "threads": "1", "op": "read"}},
		{On: assay.KindMemory, Set: map[string]string{"kind": "memory", "threads": "1", "op": "none", "level": "dram"}},
		{On: assay.KindMemory, Set: map[string]string{"kind": "memory", "threads": "1", "op": "read"}},
	} {
		if _, err := New().Trials(assay.Inventory{}, c); err == nil {
			t.Errorf("%v on %s was accepted", c.Set, c.On)
		}
	}
}

func TestCommand(t *testing.T) {
	for seconds, end := range map[float64]string{.5: "--time=1 run", 2.9: "--time=2 run", 10: "--time=10 --report-interval=1 run"} {
		got, err := command(map[string]string{"kind": "memory", "op": "read", "block": "4096", "threads": "3"}, seconds)
		want := "sysbench memory --memory-oper=read --memory-access-mode=seq --memory-scope=local " +
			"--memory-block-size=4096 --memory-total-size=1000000T --threads=3 " + end
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%v, %v", got, err)
		}
	}
	if _, err := command(nil, 1); err == nil {
		t.Error("no kind was accepted")
	}
}

// here runs commands on this machine.
type here struct{}

func (here) Host() assay.Host { return assay.Host{Name: "here"} }
func (here) Close() error     { return nil }

func (here) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	out := assay.Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Exit: cmd.ProcessState.ExitCode()}
	if _, exited := err.(*exec.ExitError); exited {
		err = nil
	}
	return out, err
}

func TestRunHere(t *testing.T) {
	if _, err := exec.LookPath("sysbench"); err != nil {
		t.Skip("sysbench is not installed")
	}
	for metric, set := range map[string]map[string]string{
		"cpu.events_per_second":  {"kind": "cpu", "threads": "1"},
		"memory.read.bandwidth":  {"kind": "memory", "op": "read", "level": "dram", "threads": "1", "block": strconv.Itoa(8 << 20)},
		"memory.write.bandwidth": {"kind": "memory", "op": "write", "level": "cache", "threads": "2", "block": strconv.Itoa(128 << 10)},
	} {
		trial := assay.Trial{ID: "sysbench/x@here", Settings: set}
		tr, err := New().Run(t.Context(), trial, assay.Bench{Place: here{}, Length: time.Second})
		if err != nil {
			t.Fatalf("%s: %v", metric, err)
		}
		got, err := New().Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", metric, err)
		}
		m := assay.Repeat{Measurements: got}.Measurement(metric)
		if m == nil || m.Labels["threads"] != set["threads"] || m.Labels["block"] != set["block"] {
			t.Errorf("%s: %+v", metric, m)
		}
	}
	trial := assay.Trial{Settings: map[string]string{"kind": "memory", "op": "read", "threads": "1", "block": "3000000"}}
	tr, err := New().Run(t.Context(), trial, assay.Bench{Place: here{}, Length: time.Second})
	if err == nil || !strings.Contains(err.Error(), "FATAL") || len(tr.Steps) != 1 {
		t.Errorf("a block that is no power of two: %v", err)
	}
}
