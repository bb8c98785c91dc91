package multiclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
)

// fake parses measurements from a step's output, as JSON.
type fake struct{}

func (fake) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var all []assay.Measurement
	step := tr.Step("measure")
	if step == nil {
		return nil, errors.New("nothing was measured")
	}
	return all, json.Unmarshal(step.Output.Stdout, &all)
}

func transcript(t interface{ Fatal(...any) }, hosts ...[]assay.Measurement) assay.Transcript {
	var parts []Part
	for i, all := range hosts {
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, Part{hostName(i), assay.Transcript{Probe: "fake", Settings: map[string]string{"rw": "read"},
			Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}})
	}
	return Join(parts)
}

func hostName(i int) string { return string(rune('a' + i)) }

func parsed(t interface{ Fatal(...any) }, hosts ...[]assay.Measurement) assay.Repeat {
	all, err := Parse(fake{}, transcript(t, hosts...))
	if err != nil {
		t.Fatal(err)
	}
	return assay.Repeat{N: 1, Outcome: assay.Done, Measurements: all}
}

// metric returns a total, which must come before any per-host share.
func metric(t interface{ Fatal(...any) }, r assay.Repeat, name string) assay.Measurement {
	m := r.Measurement(name)
	if m == nil || m.Labels[labelClients] == "" || m.Labels[labelHost] != "" {
		t.Fatal(fmt.Sprintf("%s: the first is no total: %+v", name, m))
	}
	return *m
}

// drawn returns measurements of a made-up storage tool.
func drawn(r *rapid.T, name string) []assay.Measurement {
	bins := []assay.Bin{}
	total, sum, squares := int64(0), 0., 0.
	for i := range rapid.IntRange(1, 20).Draw(r, name+" bins") {
		b := assay.Bin{Upper: float64(i+1) * 1e-4, Count: rapid.Int64Range(1, 1000).Draw(r, name+" count")}
		bins, total = append(bins, b), total+b.Count
		sum += b.Upper * float64(b.Count)
		squares += b.Upper * b.Upper * float64(b.Count)
	}
	mean, n := sum/float64(total), float64(total)
	at := func(p float64) float64 {
		seen := int64(0)
		for _, b := range bins {
			if seen += b.Count; float64(seen) >= float64(total)*p/100-1e-9 {
				return b.Upper
			}
		}
		return 0
	}
	labels := map[string]string{"bs": "4k", "engine": "psync"}
	samples := []assay.Sample{}
	for s := range rapid.IntRange(0, 5).Draw(r, name+" seconds") {
		samples = append(samples, assay.Sample{At: float64(s + 1), Value: n})
	}
	return []assay.Measurement{
		{Metric: "storage.read.iops", Value: n / 5, Unit: assay.PerSecond, Labels: labels, Samples: samples},
		{Metric: "storage.read.bandwidth", Value: 4096 * n / 5, Unit: assay.BytesPerSecond, Labels: labels},
		{Metric: "storage.read.latency.mean", Value: mean, Unit: assay.Seconds, Labels: labels, Histogram: bins},
		{Metric: "storage.read.latency.stddev", Value: math.Sqrt(max(squares/n-mean*mean, 0)), Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.latency.max", Value: bins[len(bins)-1].Upper, Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.latency.min", Value: bins[0].Upper, Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.latency.p50", Value: at(50), Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.latency.p99", Value: at(99), Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.latency.p99_9", Value: at(99.9), Unit: assay.Seconds, Labels: labels},
		{Metric: "storage.read.ios", Value: n, Unit: assay.One, Labels: labels},
		{Metric: "tool.duration", Value: 5, Unit: assay.Seconds, Labels: labels},
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b)) }

// k identical hosts have k times the rate, and the latencies of one.
func TestEqualPartsGiveKTimesTheRateAndTheSameLatencies(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		k := rapid.IntRange(2, 8).Draw(r, "k")
		one := drawn(r, "one")
		var hosts [][]assay.Measurement
		for range k {
			hosts = append(hosts, one)
		}
		rep := parsed(r, hosts...)
		for _, m := range one {
			got, want := metric(r, rep, m.Metric), m.Value
			if adds(m.Metric) {
				want *= float64(k)
			}
			// A deviation near zero is rounding.
			if !near(got.Value, want) && !(strings.HasSuffix(m.Metric, "stddev") && got.Value < 1e-9) {
				r.Fatalf("%s of %d hosts: %v, want %v", m.Metric, k, got.Value, want)
			}
			if got.Labels["bs"] != "4k" || got.Labels[labelClients] != fmt.Sprint(k) || got.Unit != m.Unit {
				r.Fatalf("%s: %+v", m.Metric, got)
			}
			for i, s := range m.Samples {
				if len(got.Samples) != len(m.Samples) || !near(got.Samples[i].Value, float64(k)*s.Value) || got.Samples[i].At != s.At {
					r.Fatalf("samples %v of each %v", got.Samples, m.Samples)
				}
			}
		}
	})
}

// Hosts that differ have together what one would that did all of it.
func TestUnlikePartsAreTheirPool(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a, b := drawn(r, "a"), drawn(r, "b")
		rep := parsed(r, a, b)
		n, sum, squares, last := 0., 0., 0., 0.
		bins := metric(r, rep, "storage.read.latency.mean").Histogram
		for _, bin := range bins {
			if bin.Upper <= last {
				r.Fatalf("bins out of order: %v", bins)
			}
			last = bin.Upper
			n += float64(bin.Count)
			sum += bin.Upper * float64(bin.Count)
			squares += bin.Upper * bin.Upper * float64(bin.Count)
		}
		for name, want := range map[string]float64{
			"storage.read.ios": n, "storage.read.iops": n / 5, "storage.read.latency.mean": sum / n, "storage.read.latency.max": last,
		} {
			if got := metric(r, rep, name).Value; !near(got, want) {
				r.Fatalf("%s is %v, want %v", name, got, want)
			}
		}
		if got, want := metric(r, rep, "storage.read.latency.stddev").Value, math.Sqrt(max(squares/n-sum/n*sum/n, 0)); math.Abs(got-want) > 1e-9 {
			r.Fatalf("deviation %v, want %v", got, want)
		}
		low, high := min(a[7].Value, b[7].Value), max(a[7].Value, b[7].Value)
		if got := metric(r, rep, "storage.read.latency.p99").Value; got < low || got > high {
			r.Fatalf("p99 of both is %v, of each %v and %v", got, low, high)
		}
	})
}

// The mean of two percentiles is not a percentile, as one host with nine fast
// operations in ten and a slow host with little load show.
func TestPercentilesAreNeverAveraged(t *testing.T) {
	host := func(upper float64, n int64) []assay.Measurement {
		return []assay.Measurement{
			{Metric: "object.get.latency.mean", Value: upper, Unit: assay.Seconds, Histogram: []assay.Bin{{Upper: upper, Count: n}}},
			{Metric: "object.get.latency.p50", Value: upper, Unit: assay.Seconds},
			{Metric: "object.get.latency.p99", Value: upper, Unit: assay.Seconds},
			{Metric: "object.get.requests", Value: float64(n), Unit: assay.One},
		}
	}
	rep := parsed(t, host(.001, 900), host(1, 100))
	for name, want := range map[string]float64{"object.get.latency.p50": .001, "object.get.latency.p99": 1, "object.get.latency.mean": .1009} {
		if got := metric(t, rep, name).Value; !near(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// What cannot be merged is absent, and no per-host share replaces it.
func TestWhatCannotBePutTogetherIsAbsent(t *testing.T) {
	with := []assay.Measurement{
		{Metric: "storage.read.iops", Value: 100, Unit: assay.PerSecond},
		{Metric: "storage.read.iops.stddev", Value: 3, Unit: assay.PerSecond},
		{Metric: "storage.read.latency.mean", Value: 1e-3, Unit: assay.Seconds, Histogram: []assay.Bin{{Upper: 1e-3, Count: 500}}},
		{Metric: "storage.read.latency.p99", Value: 1e-3, Unit: assay.Seconds},
		{Metric: "storage.read.latency.max", Value: 2e-3, Unit: assay.Seconds},
		{Metric: "storage.read.device.bytes", Value: 1, Unit: assay.Bytes, Labels: map[string]string{"device": "sda"}},
		{Metric: "storage.iodepth.share", Value: 1, Unit: assay.One, Labels: map[string]string{"level": "1"}},
		{Metric: "thermal.load", Value: 70, Unit: assay.Celsius},
		{Metric: "net.rtt.max", Value: 1, Unit: assay.Seconds},
	}
	without := slices.Clone(with)
	without[2].Histogram = nil
	rep := parsed(t, with, without)
	for _, m := range rep.Measurements {
		switch m.Metric {
		case "storage.read.iops", "storage.read.latency.max":
		default:
			t.Errorf("%s is %v %v", m.Metric, m.Value, m.Labels)
		}
	}
	if got := metric(t, rep, "storage.read.iops").Value; got != 200 {
		t.Errorf("operations a second: %v", got)
	}
	if got := metric(t, rep, "storage.read.latency.max").Value; got != 2e-3 {
		t.Errorf("greatest latency: %v", got)
	}
}

// Only labels that all have alike are those of all; jobs stay apart.
func TestLabelsAndJobs(t *testing.T) {
	job := func(name, device string, v float64) assay.Measurement {
		return assay.Measurement{Metric: "storage.write.iops", Value: v, Unit: assay.PerSecond, Labels: map[string]string{"job": name, "bs": "4k", "device": device}}
	}
	rep := parsed(t, []assay.Measurement{job("log", "sda", 1), job("data", "sda", 10)}, []assay.Measurement{job("log", "nvme0n1", 100), job("data", "nvme0n1", 1000)})
	got := ""
	for _, m := range rep.Measurements {
		got += fmt.Sprintf("%s %s %s%s %v; ", m.Labels["job"], m.Labels["device"], m.Labels[labelClients], m.Labels[labelHost], m.Value)
	}
	if want := "log  2 101; data  2 1010; log sda a 1; data sda a 10; log nvme0n1 b 100; data nvme0n1 b 1000; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A second for which one host has no sample is dropped; ends need not match.
func TestSamplesOfTheSecondsThatAllHave(t *testing.T) {
	of := func(samples ...assay.Sample) []assay.Measurement {
		return []assay.Measurement{{Metric: "storage.read.iops", Value: 1, Unit: assay.PerSecond, Samples: samples}}
	}
	rep := parsed(t,
		of(assay.Sample{At: 1.01, Value: 10}, assay.Sample{At: 2.02, Value: 20}, assay.Sample{At: 3, Value: 30}),
		of(assay.Sample{At: .99, Value: 1}, assay.Sample{At: 3.1, Value: 3}, assay.Sample{At: 4.1, Value: 4}))
	if got, want := fmt.Sprint(metric(t, rep, "storage.read.iops").Samples), "[{1 11} {3.05 33}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestOfOneHost(t *testing.T) {
	a := []assay.Measurement{{Metric: "storage.read.iops", Value: 1, Unit: assay.PerSecond, Labels: map[string]string{"bs": "4k"}}}
	b := []assay.Measurement{{Metric: "storage.read.iops", Value: 10, Unit: assay.PerSecond, Labels: map[string]string{"bs": "4k"}}}
	rep := parsed(t, a, b)
	rep.Transcript = transcript(t, a, b)
	r := assay.Result{Trial: assay.Trial{Subject: assay.Subject{Host: "a"}, Others: []assay.Subject{{Host: "b"}}}, Repeats: []assay.Repeat{rep}}
	for host, want := range map[string]float64{"a": 1, "b": 10} {
		got := Of(r, host)
		if v := got.Values("storage.read.iops"); len(v) != 1 || v[0] != want || len(got.Repeats[0].Measurements) != 1 {
			t.Errorf("of %s: %+v", host, got.Repeats[0].Measurements)
		}
		if m := got.Repeats[0].Measurements[0]; m.Labels[labelHost] != "" || m.Labels["bs"] != "4k" {
			t.Errorf("of %s: labels %v", host, m.Labels)
		}
		if steps := got.Repeats[0].Transcript.Steps; len(steps) != 1 || steps[0].Host != host {
			t.Errorf("of %s: steps %+v", host, steps)
		}
	}
	if v := r.Values("storage.read.iops"); v[0] != 11 {
		t.Errorf("the result was changed: %v", v)
	}
	r.Trial.Others = nil
	if v := Of(r, "a").Values("storage.read.iops"); v[0] != 11 {
		t.Errorf("a result of one host was cut: %v", v)
	}
}

// A transcript without host names goes to the parser as it is; an error names
// its host.
func TestParseOfOneAndOfABrokenOne(t *testing.T) {
	text := []byte(`[{"metric":"storage.read.iops","value":7,"unit":"1/s"}]`)
	one := assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}
	got, err := Parse(fake{}, one)
	if err != nil || len(got) != 1 || got[0].Value != 7 || len(got[0].Labels) != 0 {
		t.Errorf("of one host: %+v, %v", got, err)
	}
	two := Join([]Part{{"a", one}, {"b", assay.Transcript{Steps: []assay.Step{{Name: "look"}}}}})
	if _, err := Parse(fake{}, two); err == nil || err.Error() != "host b: nothing was measured" {
		t.Errorf("the error is %v", err)
	}
}

// Split undoes Join, byte for byte.
func TestTranscriptsComeBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var parts []Part
		for i := range rapid.IntRange(1, 5).Draw(r, "hosts") {
			p := Part{Host: hostName(i), Transcript: assay.Transcript{Probe: "fake", Settings: map[string]string{"rw": "read"}}}
			for n := range rapid.IntRange(1, 4).Draw(r, "steps") {
				p.Transcript.Steps = append(p.Transcript.Steps, assay.Step{Name: fmt.Sprint("step", n), Host: p.Host,
					Output: assay.Output{Stdout: rapid.SliceOf(rapid.Byte()).Draw(r, "out")}})
			}
			parts = append(parts, p)
		}
		if got := Split(Join(parts)); fmt.Sprintf("%v", got) != fmt.Sprintf("%v", parts) {
			r.Fatalf("%v became %v", parts, got)
		}
	})
}

// Skew is between the starts of the hosts' longest commands or, if the tool
// reports it, between the measured periods.
func TestApart(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	step := func(name string, at, length time.Duration) assay.Step {
		return assay.Step{Name: name, Output: assay.Output{Started: noon.Add(at), Elapsed: length}}
	}
	parts := []Part{
		{"a", assay.Transcript{Steps: []assay.Step{step("drop-caches", 0, time.Second), step("measure", time.Second, 5*time.Second), step(Preparing+"write", -time.Hour, time.Hour)}}},
		{"b", assay.Transcript{Steps: []assay.Step{step("measure", 1300*time.Millisecond, 5*time.Second)}}},
		{"c", assay.Transcript{Steps: []assay.Step{step("measure", 900*time.Millisecond, 5*time.Second)}}},
	}
	if apart, whole := Apart(Join(parts), nil, 4*time.Second); apart != 400*time.Millisecond || whole != 4*time.Second {
		t.Errorf("they were %s apart, of %s", apart, whole)
	}
	if apart, _ := Apart(parts[0].Transcript, nil, 4*time.Second); apart != 0 {
		t.Errorf("one host was %s apart from itself", apart)
	}
	// Commands that began at the same time, and the measured periods.
	for _, c := range []struct {
		name        string
		leads       [2]float64
		took        [2]float64
		apart, most float64
	}{
		{"at once", [2]float64{1, 1}, [2]float64{3, 3}, 0, 3},
		{"one made room first", [2]float64{1, 3}, [2]float64{3, 3}, 2, 3},
		{"one after the other", [2]float64{1, 9}, [2]float64{3, 3}, 3, 3},
		{"one ended early", [2]float64{1, 1}, [2]float64{3, 1}, 2, 3},
		{"one within the other", [2]float64{1, 2}, [2]float64{10, 5}, 5, 10},
	} {
		var hosts [][]assay.Measurement
		for i := range c.leads {
			hosts = append(hosts, []assay.Measurement{{Metric: "tool.lead", Value: c.leads[i], Unit: assay.Seconds}, {Metric: "tool.duration", Value: c.took[i], Unit: assay.Seconds}})
		}
		tr := transcript(t, hosts...)
		for i := range tr.Steps {
			tr.Steps[i].Output.Started, tr.Steps[i].Output.Elapsed = noon, 20*time.Second
		}
		all, err := Parse(fake{}, tr)
		if err != nil {
			t.Fatal(err)
		}
		if apart, whole := Apart(tr, all, 7*time.Second); !near(apart.Seconds()+1, c.apart+1) || !near(whole.Seconds(), c.most) {
			t.Errorf("%s: %s of %s, want %g s of %g s", c.name, apart, whole, c.apart, c.most)
		}
	}
}

// The busiest client counts for all, and each keeps its own; keys of a LIST are the
// mean over all LISTs.
func TestFiguresOfObjectClients(t *testing.T) {
	host := func(cpu, keys, lists float64) []assay.Measurement {
		return []assay.Measurement{
			{Metric: "object.list.keys", Value: keys, Unit: assay.One}, {Metric: "object.list.requests", Value: lists, Unit: assay.One},
			{Metric: "object.cpu", Value: cpu, Unit: assay.One, Labels: map[string]string{"cpus": fmt.Sprint(cpu * 10)}},
		}
	}
	a, b := host(.2, 1000, 300), host(.9, 500, 100)
	rep := parsed(t, a, b)
	if got := metric(t, rep, "object.cpu"); got.Value != .9 || got.Labels["cpus"] != "" {
		t.Errorf("of all: %+v", got)
	}
	if got := metric(t, rep, "object.list.keys").Value; !near(got, 875) {
		t.Errorf("%g keys a LIST", got)
	}
	for i, want := range []float64{.2, .9} {
		if own := ofHost(rep.Measurements, hostName(i)); len(own) != 3 || own[2].Value != want || own[2].Labels["cpus"] != fmt.Sprint(want*10) {
			t.Errorf("of %s: %+v", hostName(i), own)
		}
	}
}
