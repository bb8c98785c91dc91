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

// adder adds a figure to the vocabulary, supporter what is kept for the audit.
type (
	adder     func(name string, unit Unit, better Better, help string)
	supporter func(name string, unit Unit, help string)
)

func buildMetrics() []Metric {
	var all []Metric
	var add adder = func(name string, unit Unit, better Better, help string) {
		all = append(all, Metric{Name: name, Unit: unit, Better: better, Help: help})
	}
	var support supporter = func(name string, unit Unit, help string) {
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
		support(p+"iops.stddev", PerSecond, "standard deviation of the tool's own samples of the operations a second; label samples: how many")
		support(p+"bandwidth.stddev", BytesPerSecond, "standard deviation of the tool's own samples of the bandwidth; label samples: how many")
		support(p+"device.bytes", Bytes, "bytes that the kernel counted at the device of label device meanwhile, as the tool says")
		support(p+"device.ios", One, "operations that the kernel completed at the device of label device meanwhile, as the tool says")
		support(p+"device.merges", One, "operations that the kernel merged into others at the device of label device, as the tool says")
	}
	support("storage.iodepth.share", One, "share of operations issued at a queue depth up to label level")
	support("storage.latency_bucket.share", One, "share of operations in the latency bucket of label upper, in seconds")
	support("storage.errors", One, "operations that failed")
	support("tool.duration", Seconds, "how long the tool says it measured")
	support("tool.lead", Seconds, "from when the tool was started to when it began to measure")
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
	addNetwork(add, support)
	addObjects(add, support)
	addPools(add, support)
	addMigration(add, support)
	add("thermal.temperature", Celsius, Lower, "one look at a sensor")
	add("thermal.idle", Celsius, Lower, "temperature before the load")
	add("thermal.load", Celsius, Lower, "highest temperature under load")
	add("thermal.rise", Celsius, Lower, "thermal.load - thermal.idle")
	add("thermal.settle", Seconds, Lower, "time from the end of the load until within 2 °C of idle")
	add("thermal.clock.idle", Hertz, Neither, "mean CPU clock before the load")
	add("thermal.clock.load", Hertz, Higher, "mean CPU clock under load")
	add("thermal.throttles", One, Lower, "thermal throttling events counted by the kernel during the load")
	return all
}

func addNetwork(add adder, support supporter) {
	for _, protocol := range []string{"tcp", "udp"} {
		add("net."+protocol+".throughput", BytesPerSecond, Higher, "payload bytes that arrived in a second, all streams together")
	}
	add("net.tcp.retransmits", One, Lower, "TCP segments sent again")
	add("net.udp.jitter", Seconds, Lower, "mean deviation of the transit time (RFC 1889)")
	add("net.udp.loss", One, Lower, "share of datagrams that did not arrive")
	add("net.rtt.min", Seconds, Lower, "least round-trip time of an echo request on an idle link")
	add("net.rtt.median", Seconds, Lower, "median of the round-trip times")
	add("net.rtt.mean", Seconds, Lower, "mean of the round-trip times")
	add("net.rtt.max", Seconds, Lower, "greatest round-trip time")
	add("net.rtt.stddev", Seconds, Lower, "standard deviation of the round-trip times")
	add("net.rtt.loss", One, Lower, "share of echo requests that had no answer")
	add("net.path_mtu", Bytes, Higher, "greatest packet that arrives whole, with its IP header")
	support("net.tcp.bytes", Bytes, "payload bytes that were sent")
	support("net.tcp.rtt", Seconds, "mean round-trip time while sending, as the kernel smooths it")
	support("net.tcp.cwnd", Bytes, "congestion window of one stream at the end")
	support("net.tcp.mss", Bytes, "payload of one segment")
	support("net.cpu", One, "share of one CPU that the tool used at its busier end")
}

func addObjects(add adder, support supporter) {
	for _, op := range []string{"put", "get", "delete", "head", "list"} {
		p := "object." + op + "."
		add(p+"ops", PerSecond, Higher, "requests completed in a second")
		add(p+"throughput", BytesPerSecond, Higher, "bytes in a second")
		add(p+"latency.mean", Seconds, Lower, "mean time of one request")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the time of one request")
		add(p+"latency.min", Seconds, Lower, "least time of one request")
		add(p+"latency.max", Seconds, Lower, "greatest time of one request")
		add(p+"first_byte.mean", Seconds, Lower, "mean time to the first byte of an answer")
		support(p+"requests", One, "requests that were completed")
		add(p+"first_byte.p50", Seconds, Lower, "median time to the first byte of an answer")
		add(p+"first_byte.p99", Seconds, Lower, "99th percentile of the time to the first byte of an answer")
		support(p+"errors", One, "requests that failed")
	}
	add("object.list.keys", One, Neither, "keys that one LIST gave, on the mean")
	support("object.class.errors", One, "requests of label op that failed in the way of label class")
	support("object.endpoint.ops", PerSecond, "requests of label op completed in a second at the endpoint of label endpoint")
	support("object.endpoint.throughput", BytesPerSecond, "bytes of label op in a second at the endpoint of label endpoint")
	support("object.endpoint.latency.mean", Seconds, "mean time of one request of label op at the endpoint of label endpoint")
	support("object.unsent", One, "requests of a fixed rate that never began")
	support("object.delay.max", Seconds, "how late a request of a fixed rate began at most")
	support("object.cpu", One, "share of the CPUs that the load generator could use and did")
}

func addPools(add adder, support supporter) {
	for _, op := range []string{"write", "read"} {
		p := "pool." + op + "."
		add(p+"bandwidth", BytesPerSecond, Higher, "bytes in a second, all clients together")
		add(p+"iops", PerSecond, Higher, "operations in a second, all clients together")
		add(p+"latency.mean", Seconds, Lower, "mean time of one operation")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the time of one operation")
		add(p+"latency.min", Seconds, Lower, "least time of one operation")
		add(p+"latency.max", Seconds, Lower, "greatest time of one operation")
		for _, of := range []struct {
			name string
			unit Unit
		}{{"bandwidth", BytesPerSecond}, {"iops", PerSecond}} {
			support(p+of.name+".stddev", of.unit, "standard deviation of the "+of.name+" over the seconds")
			support(p+of.name+".min", of.unit, "least "+of.name+" of a second")
			support(p+of.name+".max", of.unit, "greatest "+of.name+" of a second")
		}
		support(p+"ios", One, "operations that were completed")
		support(p+"bytes", Bytes, "bytes that were moved")
	}
}

func addMigration(add adder, support supporter) {
	add("migration.transferred", Bytes, Neither, "amount of memory sent")
	add("migration.duration", Seconds, Lower, "from the start of the task to its end")
	add("migration.downtime", Seconds, Lower, "how long the guest stood still")
	add("migration.throughput", BytesPerSecond, Higher, "mean speed, as the log says it")
	support("migration.memory", Bytes, "memory of the guest")
	support("migration.transfer_time", Seconds, "from the start of sending memory to its end")
	support("migration.downtime.limit", Seconds, "longest standstill that was allowed")
	support("migration.disk.transferred", Bytes, "disk that was sent, where the storage is not shared")
	support("migration.disk.duration", Seconds, "how long sending the disk took")
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
