package assay

import (
	"strconv"
	"strings"
)

// Unit is a base unit. A Unit knows no prefixes: those belong to reports.
type Unit string

// The units.
const (
	BytesPerSecond Unit = "B/s"
	BitsPerSecond  Unit = "bit/s"
	Seconds        Unit = "s"
	PerSecond      Unit = "1/s"
	Bytes          Unit = "B"
	Celsius        Unit = "°C"
	Hertz          Unit = "Hz"
	One            Unit = "1"
)

// Better says which way a metric gets better.
type Better int

// The directions.
const (
	Neither Better = iota
	Higher
	Lower
)

// Metric is one word of the vocabulary.
type Metric struct {
	Name   string
	Unit   Unit
	Better Better
	Help   string
	// Support marks what is kept for the audit and not shown as a figure.
	Support bool
}

// Metrics is the vocabulary, for assay's own figures and for other people's.
// Latency percentiles are a family of their own: see Describe.
var Metrics = buildMetrics()

func buildMetrics() []Metric {
	var all []Metric
	add := func(name string, unit Unit, better Better, help string) {
		all = append(all, Metric{Name: name, Unit: unit, Better: better, Help: help})
	}
	support := func(name string, unit Unit, help string) {
		all = append(all, Metric{Name: name, Unit: unit, Help: help, Support: true})
	}
	for _, dir := range []string{"read", "write", "trim"} {
		p := "storage." + dir + "."
		add(p+"iops", PerSecond, Higher, "completed operations in a second")
		add(p+"bandwidth", BytesPerSecond, Higher, "bytes in a second")
		add(p+"latency.mean", Seconds, Lower, "mean completion latency")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the completion latency")
		add(p+"latency.min", Seconds, Lower, "least completion latency")
		add(p+"latency.max", Seconds, Lower, "greatest completion latency")
		support(p+"latency.total.mean", Seconds, "mean latency from submission call to completion")
		support(p+"latency.submission.mean", Seconds, "mean time spent in the submission call")
		support(p+"bytes", Bytes, "bytes that the tool says it moved")
		support(p+"ios", One, "operations that the tool says it completed")
	}
	support("storage.iodepth.share", One, "share of operations issued at a queue depth up to label level")
	support("storage.latency_bucket.share", One, "share of operations in the latency bucket of label upper, in seconds")
	support("storage.errors", One, "operations that failed")
	support("tool.duration", Seconds, "how long the tool says it measured")
	add("cpu.events_per_second", PerSecond, Higher, "sysbench prime-number events in a second")
	add("cpu.scaling", One, Higher, "events in a second with all threads, over those with one")
	add("cpu.latency.mean", Seconds, Lower, "mean time of one sysbench event")
	add("memory.read.bandwidth", BytesPerSecond, Higher, "bytes read from memory in a second")
	add("memory.write.bandwidth", BytesPerSecond, Higher, "bytes written to memory in a second")
	add("smart.passed", One, Higher, "1 where the drive calls itself healthy, 0 where it does not")
	add("smart.available_spare", One, Higher, "share of spare blocks left")
	add("smart.percentage_used", One, Lower, "share of the rated endurance used; may pass 1")
	add("smart.media_errors", One, Lower, "unrecovered data-integrity errors (NVMe), uncorrectable sectors (ATA)")
	add("smart.temperature", Celsius, Lower, "temperature of the drive")
	add("smart.power_on_hours", Seconds, Neither, "time powered on, in seconds despite its name")
	add("smart.data_written", Bytes, Neither, "bytes written by the host over the drive's life")
	add("smart.data_read", Bytes, Neither, "bytes read by the host over the drive's life")
	add("smart.unsafe_shutdowns", One, Lower, "power losses without notice")
	add("smart.error_log_entries", One, Neither, "entries of the error log; most are refused commands, not lost data")
	support("smart.throttle_minutes", Seconds, "time above the warning or critical temperature, in seconds despite its name")
	add("thermal.idle", Celsius, Lower, "temperature before the load")
	add("thermal.load", Celsius, Lower, "highest temperature under load")
	add("thermal.rise", Celsius, Lower, "thermal.load - thermal.idle")
	add("thermal.settle", Seconds, Lower, "time from the end of the load until within 2 °C of idle")
	add("thermal.clock.idle", Hertz, Neither, "mean CPU clock before the load")
	add("thermal.clock.load", Hertz, Higher, "mean CPU clock under load")
	add("thermal.throttles", One, Lower, "thermal throttling events counted by the kernel during the load")
	return all
}

// Describe gives the metric of that name. A latency percentile such as
// storage.read.latency.p99_9 is known wherever its mean is; p99_9 is 99.9 %.
func Describe(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, true
		}
	}
	if stem, p, ok := cutPercentile(name); ok {
		if m, known := Describe(stem + "latency.mean"); known {
			m.Name, m.Help = name, p+"th percentile of the completion latency"
			return m, true
		}
	}
	return Metric{}, false
}

// cutPercentile splits storage.read.latency.p99_9 into storage.read. and 99.9.
func cutPercentile(name string) (stem, percent string, ok bool) {
	i := strings.LastIndex(name, "latency.p")
	if i < 0 {
		return "", "", false
	}
	percent = strings.Replace(name[i+len("latency.p"):], "_", ".", 1)
	p, err := strconv.ParseFloat(percent, 64)
	if err != nil || p < 0 || p > 100 {
		return "", "", false
	}
	return name[:i], percent, true
}

// PercentileMetric names the percentile p (0..100) of a latency: stem
// "storage.read." and 99.9 give storage.read.latency.p99_9.
func PercentileMetric(stem string, p float64) string {
	return stem + "latency.p" + strings.Replace(strconv.FormatFloat(p, 'f', -1, 64), ".", "_", 1)
}

// Percentile gives the percentile (0..100) that a metric's name says it is.
func Percentile(metric string) (float64, bool) {
	_, percent, ok := cutPercentile(metric)
	if !ok {
		return 0, false
	}
	p, err := strconv.ParseFloat(percent, 64)
	return p, err == nil
}
