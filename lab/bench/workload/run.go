package workload

import (
	"fmt"
	"math"
	"strings"
	"time"

	"assay"
)

// Size is the size of a run.
type Size struct {
	Trials  int
	Repeats int // of each trial
	Samples int // per repeat, of its throughput
}

// The run sizes used to measure reports.
var (
	ThousandMeasurements   = Size{Trials: 20, Repeats: 5}
	HundredThousandSamples = Size{Trials: 20, Repeats: 5, Samples: 1000}
)

// Metrics are the metrics of every repeat, one measurement each.
var Metrics = []string{
	"storage.read.iops", "storage.read.bandwidth", "storage.read.latency.mean", "storage.read.latency.stddev",
	"storage.read.latency.min", "storage.read.latency.max", "storage.read.latency.p50", "storage.read.latency.p99",
	"storage.read.latency.p99_9", "tool.duration",
}

const (
	host = "made-up"
	long = 5 * time.Second // of a repeat
)

var began = time.Date(2025, 3, 14, 20, 0, 0, 0, time.UTC)

// Run makes a run of size z with that id, started later than those made with a
// smaller n.
func Run(id string, n int, z Size) assay.Run {
	run := assay.Run{
		ID: id, Suite: "baseline", Version: "0", Started: began.Add(time.Duration(n) * time.Hour),
		Elapsed: time.Duration(z.Trials*z.Repeats) * long, Status: assay.RunDone, Seed: 1, Budget: time.Hour,
		Inventory: assay.Inventory{
			Hosts: []assay.Host{{Name: host}},
			Facts: map[string]assay.Facts{host: {Host: host, CPU: assay.CPUFacts{Model: "made up", Cores: 4, Threads: 8}}},
		},
	}
	for t := range z.Trials {
		trial := trialNumber(t)
		result := assay.Result{Trial: trial}
		for r := range z.Repeats {
			result.Repeats = append(result.Repeats, Repeat(run.Started, t, r+1, z))
		}
		run.Inventory.Subjects = append(run.Inventory.Subjects, trial.Subject)
		run.Results = append(run.Results, result)
		run.Findings = append(run.Findings, assay.Finding{
			Rule: "cov", Severity: assay.Warns, Subject: trial.ID, Metrics: Metrics[:1],
			Arithmetic: "coefficient of variation 7.9 % > 5 %", Message: "the repeats disagree",
		})
	}
	return run
}

func trialNumber(t int) assay.Trial {
	dir := fmt.Sprintf("/srv/%d", t)
	subject := assay.Subject{ID: host + "/directory/" + dir, Kind: assay.KindDirectory, Host: host, Name: dir}
	return assay.Trial{
		ID: "fio/randread-4k@" + subject.ID, Probe: "fio", Case: "randread-4k", Title: "4 KiB random read",
		Subject: subject, Risk: assay.Writes, Repeats: 5, Length: long,
		Settings: map[string]string{"rw": "randread", "bs": "4k", "iodepth": "32", "direct": "1"},
	}
}

// Repeat makes repeat n of trial t, as large as that of a storage trial: a
// transcript of some 30 kB, a histogram, and a watch with a tick a second.
func Repeat(runBegan time.Time, t, n int, z Size) assay.Repeat {
	rep := assay.Repeat{
		N: n, Started: runBegan.Add(time.Duration((n-1)*z.Trials+t) * long), Elapsed: long, Outcome: assay.Done,
		Transcript: assay.Transcript{Probe: "fio", Steps: []assay.Step{{
			Name: "measure", Argv: []string{"fio", "--name=randread-4k"}, Output: assay.Output{Stdout: printed(n), Elapsed: long},
		}}},
		Watch: &assay.Watch{ToolCPU: 3},
	}
	for i, metric := range Metrics {
		rep.Measurements = append(rep.Measurements, measurement(metric, float64(i+1)*1e4*(1+.01*wobble(n+t))))
	}
	throughput := &rep.Measurements[0]
	for s := range z.Samples {
		throughput.Samples = append(throughput.Samples, assay.Sample{
			At: long.Seconds() * float64(s) / float64(z.Samples), Value: 1e4 * (1 + .1*wobble(s)),
		})
	}
	mean := &rep.Measurements[2]
	for b := range 200 {
		mean.Histogram = append(mean.Histogram, assay.Bin{Upper: 1e-6 * math.Pow(1.04, float64(b)), Count: int64(1000 * (1 + wobble(b)))})
	}
	for s := range int(long / time.Second) {
		rep.Watch.Ticks = append(rep.Watch.Ticks, assay.Tick{
			At: float64(s), CPU: assay.CPUTime{User: 2 * float64(s), Idle: 6 * float64(s)}, Clock: 3e9,
			Devices: map[string]assay.DeviceCounts{"nvme0n1": {Reads: int64(s) * 1e4}},
			Temps:   map[string]float64{"nvme/Composite": 44 + wobble(s)},
		})
	}
	return rep
}

func measurement(metric string, value float64) assay.Measurement {
	known, _ := assay.Describe(metric)
	return assay.Measurement{
		Metric: metric, Value: value, Unit: known.Unit,
		Labels: map[string]string{"bs": "4k", "direct": "1", "ioengine": "io_uring", "iodepth": "32"},
	}
}

// printed returns about as much text as a tool prints, and about as
// compressible.
func printed(n int) []byte {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "      \"%d\" : %d,\n", 1000+37*i, int64(1e5*(1+wobble(n+7*i))))
	}
	return []byte(b.String())
}

// wobble returns an irregular-looking value between -1 and 1.
func wobble(i int) float64 { return math.Sin(float64(i) * 12.9898) }
