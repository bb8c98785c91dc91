package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"assay"
	"assay/probe/fio"
)

// The history that is queried: nights of a homelab with five hosts; each run
// measures one host, as the baseline suite does. Each fio repeat has what a
// capture of fio's output has, with one sample a second of operations and of
// bytes.
const (
	historyRuns    = 1000
	historyHosts   = 5
	historyRepeats = 8
	historySeconds = 40 // of a repeat
	upgradedAfter  = 120
	upgradedHost   = 2 // its drives are slower after upgradedAfter runs
	afterUpgrade   = .93
)

// historyCases are the trials of a run: on three directories, two devices, the
// CPU and the memory.
var historyCases = []struct {
	probe, name string
	kind        assay.SubjectKind
	subjects    []string
	bs, rw      string
	value       float64 // of the headline metric, in base units
}{
	{"fio", "randread-4k", assay.KindDirectory, directories, "4k", "randread", 60e3},
	{"fio", "randwrite-4k", assay.KindDirectory, directories, "4k", "randwrite", 40e3},
	{"fio", "seqread-1m", assay.KindDirectory, directories, "1m", "read", 2.1e3},
	{"fio", "seqwrite-1m", assay.KindDirectory, directories, "1m", "write", 1.4e3},
	{"fio", "syncwrite-4k", assay.KindDirectory, directories, "4k", "write", 900},
	{"fio", "device-randread-4k", assay.KindDevice, []string{"/dev/nvme0n1"}, "4k", "randread", 70e3},
	{"fio", "device-seqread-1m", assay.KindDevice, []string{"/dev/nvme0n1"}, "1m", "read", 2.5e3},
	{"sysbench", "cpu-1", assay.KindCPU, []string{"cpu"}, "", "cpu.events_per_second", 1.1e3},
	{"sysbench", "cpu-all", assay.KindCPU, []string{"cpu"}, "", "cpu.events_per_second", 8e3},
	{"sysbench", "memory-read-1", assay.KindMemory, []string{"memory"}, "", "memory.read.bandwidth", 2e10},
	{"sysbench", "memory-read-all", assay.KindMemory, []string{"memory"}, "", "memory.read.bandwidth", 6e10},
	{"sysbench", "memory-write-1", assay.KindMemory, []string{"memory"}, "", "memory.write.bandwidth", 1e10},
	{"sysbench", "memory-write-all", assay.KindMemory, []string{"memory"}, "", "memory.write.bandwidth", 3e10},
	{"sysbench", "cache-read-all", assay.KindMemory, []string{"memory"}, "", "memory.read.bandwidth", 3e11},
	{"sysbench", "cache-write-all", assay.KindMemory, []string{"memory"}, "", "memory.write.bandwidth", 2e11},
}

var directories = []string{"/", "/srv/ssd", "/srv/nvme"}

// history makes up runs. Its numbers are the same on every call.
type history struct {
	captured []assay.Measurement // of one fio read repeat
	printed  []byte              // what fio printed
}

func newHistory() (*history, error) {
	text, err := os.ReadFile(captureJSON)
	if err != nil {
		return nil, assay.WithHint("run it in the project's directory", "captures: %w", err)
	}
	measured, err := fio.New().Parse(assay.Transcript{Probe: "fio", Steps: []assay.Step{{
		Name: "measure", Argv: []string{"fio"}, Output: assay.Output{Stdout: text},
	}}})
	return &history{measured, text}, err
}

// historyRun returns the name and start time of run n, counted from 0. All runs
// of one host start at the same time of day.
func historyRun(n int) (id string, began time.Time) {
	began = time.Date(2025, 1, 1, 2, n%historyHosts, 0, 0, time.UTC).AddDate(0, 0, n/historyHosts)
	return began.Format("20060102-150405-") + fmt.Sprintf("%06x", n), began
}

// first returns the first run of a host, numbered from 0.
func (h *history) first(n int) assay.Run {
	host := fmt.Sprintf("pve%d", n+1)
	random := rand.New(rand.NewPCG(uint64(n), 7)) //nolint:gosec // chance, not secrecy
	id, began := historyRun(n)
	run := assay.Run{
		ID: id, Suite: "baseline", Version: "1.0",
		Started: began, Elapsed: time.Hour, Status: assay.RunDone, Seed: int64(n), Budget: time.Hour,
		Inventory: historyInventory(host),
	}
	for _, c := range historyCases {
		for _, on := range c.subjects {
			subject := assay.Subject{ID: host + "/" + string(c.kind) + "/" + on, Kind: c.kind, Host: host, Name: on}
			r := assay.Result{Trial: assay.Trial{
				ID: c.probe + "/" + c.name + "@" + subject.ID, Probe: c.probe, Case: c.name, Title: c.name, Subject: subject,
				Repeats: historyRepeats, Length: historySeconds * time.Second, Risk: assay.Writes,
				Settings: map[string]string{"rw": c.rw, "bs": c.bs, "iodepth": "32", "size": "4GiB"},
			}}
			level := c.value * (1 + .05*float64(n))
			for i := range historyRepeats + 1 { // the first is the warm-up
				v := level * math.Exp(.015*random.NormFloat64())
				r.Repeats = append(r.Repeats, h.repeat(began, i, c.probe == "fio", c.rw, c.bs, v, random))
			}
			run.Inventory.Subjects = append(run.Inventory.Subjects, subject)
			run.Results = append(run.Results, r)
		}
	}
	for _, r := range run.Results {
		run.Findings = append(run.Findings, assay.Finding{Rule: "memory-clock", Severity: assay.NotChecked, Subject: r.Trial.ID,
			Message: "not checked", Missing: "dmidecode"})
	}
	return run
}

// historyInventory describes one host, with as many facts as a real one.
func historyInventory(host string) assay.Inventory {
	f := assay.Facts{Host: host, CPU: assay.CPUFacts{Model: "made up", Cores: 4, Threads: 8}}
	for i := range 20 {
		f.Block = append(f.Block, assay.BlockDevice{Name: fmt.Sprintf("sd%c", 'a'+i), Path: fmt.Sprintf("/dev/sd%c", 'a'+i),
			Model: "made up " + fmt.Sprint(i), Firmware: "1", Bytes: 1 << 40, Scheduler: "none"})
	}
	for _, d := range directories {
		f.Dirs = append(f.Dirs, assay.DirFacts{Path: d, FileSystem: "ext4", Source: "/dev/sda1", Device: "sda1", Drives: []string{"sda"},
			Options: []string{"rw", "relatime"}, Bytes: 1 << 40, Free: 1 << 39, Writable: true, Exists: true})
	}
	return assay.Inventory{Hosts: []assay.Host{{Name: host}}, Facts: map[string]assay.Facts{host: f}}
}

// repeat returns a repeat whose headline value is v.
func (h *history) repeat(began time.Time, n int, storage bool, what, bs string, v float64, random *rand.Rand) assay.Repeat {
	rep := assay.Repeat{
		N: n, Started: began.Add(time.Duration(n) * 6 * time.Minute), Elapsed: historySeconds * time.Second, Outcome: assay.Done,
		Transcript: assay.Transcript{Probe: "fio", Steps: []assay.Step{{Name: "measure", Argv: []string{"fio", "--rw=" + what}, Output: assay.Output{Stdout: h.printed}}}},
		Watch:      &assay.Watch{ToolCPU: 3},
	}
	for s := range historySeconds {
		rep.Watch.Ticks = append(rep.Watch.Ticks, assay.Tick{At: float64(s), CPU: assay.CPUTime{User: 2 * float64(s), Idle: 6 * float64(s)}, Clock: 3e9,
			Devices: map[string]assay.DeviceCounts{"sda": {Reads: int64(s) * 1e4, ReadBytes: int64(s) * 4e7}, "sdb": {}},
			Temps:   map[string]float64{"nvme/Composite": 44 + random.Float64()}})
	}
	rep.Watch.After = assay.Snapshot{Uptime: historySeconds}
	if !storage {
		rep.Transcript.Steps[0].Output.Stdout = nil
		m, _ := assay.Describe(what)
		rep.Measurements = []assay.Measurement{
			{Metric: what, Value: v, Unit: m.Unit, Labels: map[string]string{"threads": "8", "tool": "sysbench", "version": "1.0.20"}},
			{Metric: "tool.duration", Value: historySeconds, Unit: assay.Seconds},
		}
		return rep
	}
	size := map[string]float64{"4k": 4096, "1m": 1 << 20}[bs]
	for _, m := range h.captured {
		if strings.Contains(what, "write") {
			m.Metric = strings.Replace(m.Metric, "storage.read.", "storage.write.", 1)
		}
		if m.Labels["bs"] != "" {
			labels := map[string]string{}
			for k, l := range m.Labels {
				labels[k] = l
			}
			labels["bs"], labels["pattern"] = bs, what
			m.Labels = labels
		}
		m.Samples = nil
		scale := 0.
		switch {
		case strings.HasSuffix(m.Metric, ".iops"):
			scale = 1
		case strings.HasSuffix(m.Metric, ".bandwidth"):
			scale = size
		case m.Metric == "tool.duration":
			m.Value = historySeconds
		case m.Unit == assay.Seconds:
			m.Value *= 60e3 / v
		}
		if scale > 0 {
			m.Value = v * scale
			for s := range historySeconds {
				m.Samples = append(m.Samples, assay.Sample{At: float64(s) + .5, Value: math.Round(v * scale * (1 + .05*random.NormFloat64()))})
			}
		}
		rep.Measurements = append(rep.Measurements, m)
	}
	return rep
}
