package assay

import (
	"bytes"
	"strconv"
	"strings"
)

// Unit is a base unit. It has no prefixes: those belong to reports.
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

// Better is the direction in which a metric improves.
type Better int

// The directions.
const (
	Neither Better = iota
	Higher
	Lower
)

// Metric is one entry of the vocabulary.
type Metric struct {
	Name   string
	Unit   Unit
	Better Better
	Help   string
	// Support marks metrics that are kept for the audit and not shown as
	// figures.
	Support bool
}

// Metrics is the vocabulary, for assay's own figures and for imported ones.
// Latency percentiles are a separate family: see Describe.
var Metrics = buildMetrics()

// metricAt maps each name to its index in Metrics.
var metricAt = func() map[string]int {
	at := make(map[string]int, len(Metrics))
	for i, m := range Metrics {
		at[m.Name] = i
	}
	return at
}()

// adder adds a figure to the vocabulary, supporter a metric kept for the audit.
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
		add(p+"iops", PerSecond, Higher, "completed operations per second")
		add(p+"bandwidth", BytesPerSecond, Higher, "bytes per second")
		add(p+"latency.mean", Seconds, Lower, "mean completion latency")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the completion latency")
		add(p+"latency.min", Seconds, Lower, "minimum completion latency")
		add(p+"latency.max", Seconds, Lower, "maximum completion latency")
		support(p+"latency.total.mean", Seconds, "mean latency from submission call to completion")
		support(p+"latency.submission.mean", Seconds, "mean time spent in the submission call")
		support(p+"bytes", Bytes, "bytes transferred, as reported by the tool")
		support(p+"ios", One, "operations completed, as reported by the tool")
		support(p+"iops.stddev", PerSecond, "standard deviation of the tool's own IOPS samples; label samples: how many")
		support(p+"bandwidth.stddev", BytesPerSecond, "standard deviation of the tool's own bandwidth samples; label samples: how many")
		support(p+"device.bytes", Bytes, "bytes that the kernel counted at the device in label device, as reported by the tool")
		support(p+"device.ios", One, "operations that the kernel completed at the device in label device, as reported by the tool")
		support(p+"device.merges", One, "operations that the kernel merged at the device in label device, as reported by the tool")
	}
	add("storage.copy.bandwidth", BytesPerSecond, Higher, "bytes per second of a copy of which is not known whether storage was read or written")
	support("storage.copy.bytes", Bytes, "bytes copied, as reported by the tool")
	add("storage.total.iops", PerSecond, Higher, "completed reads and writes per second, where the tool doesn't tell them apart")
	add("storage.total.bandwidth", BytesPerSecond, Higher, "bytes per second, reads and writes not told apart")
	add("storage.total.latency.mean", Seconds, Lower, "mean latency, reads and writes (with sysbench flushes, too) not told apart")
	add("storage.total.latency.stddev", Seconds, Lower, "standard deviation of the latency, reads and writes not told apart")
	add("storage.sync.iops", PerSecond, Higher, "flushes to stable storage (fsync, fdatasync) completed per second")
	add("storage.sync.latency.mean", Seconds, Lower, "mean time of one fsync or fdatasync after a write")
	add("storage.sync.latency.stddev", Seconds, Lower, "standard deviation of the time of one fsync or fdatasync")
	add("storage.sync.latency.min", Seconds, Lower, "minimum time of one fsync or fdatasync")
	add("storage.sync.latency.max", Seconds, Lower, "maximum time of one fsync or fdatasync")
	for _, of := range []struct{ op, what string }{{"create", "created"}, {"stat", "looked at (stat) or read"}, {"delete", "deleted"}} {
		add("storage.files."+of.op+".rate", PerSecond, Higher, "small files "+of.what+" per second")
		add("storage.files."+of.op+".latency.max", Seconds, Lower, "maximum time until a small file was "+of.what)
	}
	support("storage.iodepth.share", One, "share of operations issued at a queue depth up to that in label level")
	support("storage.latency_bucket.share", One, "share of operations in one latency bucket; label upper is its upper bound in seconds")
	support("storage.errors", One, "operations that failed")
	support("tool.duration", Seconds, "measuring time, as reported by the tool")
	support("tool.lead", Seconds, "time from the start of the tool until it began to measure")
	add("cpu.events_per_second", PerSecond, Higher, "sysbench prime-number events per second")
	add("cpu.scaling", One, Higher, "events per second with all threads, divided by those with one thread")
	add("cpu.latency.mean", Seconds, Lower, "mean time of one sysbench event")
	add("cpu.score", One, Higher, "score of a CPU benchmark in its own points; label test says of which")
	add("cpu.cipher.throughput", BytesPerSecond, Higher, "bytes enciphered or hashed per second; label cipher says how, bs in pieces of which size")
	add("memory.copy.bandwidth", BytesPerSecond, Higher, "bytes per second that a copy loop counted; label test says of which")
	add("database.transactions", PerSecond, Higher, "transactions completed per second")
	add("database.queries", PerSecond, Higher, "statements completed per second, those that begin and end transactions with them")
	add("database.latency.mean", Seconds, Lower, "mean time of one transaction")
	add("database.latency.stddev", Seconds, Lower, "standard deviation of the time of one transaction")
	add("memory.read.bandwidth", BytesPerSecond, Higher, "bytes read from memory per second")
	add("memory.write.bandwidth", BytesPerSecond, Higher, "bytes written to memory per second")
	add("smart.passed", One, Higher, "1 if the drive reports itself healthy, otherwise 0")
	add("smart.available_spare", One, Higher, "share of spare blocks left")
	add("smart.percentage_used", One, Lower, "share of the rated endurance used; can exceed 1")
	add("smart.media_errors", One, Lower, "unrecovered data-integrity errors (NVMe), uncorrectable sectors (ATA)")
	add("smart.temperature", Celsius, Lower, "temperature of the drive")
	add("smart.power_on_hours", Seconds, Neither, "time powered on, in seconds despite its name")
	add("smart.data_written", Bytes, Neither, "bytes written by the host over the drive's life")
	add("smart.data_read", Bytes, Neither, "bytes read by the host over the drive's life")
	add("smart.unsafe_shutdowns", One, Lower, "power losses without a clean shutdown")
	add("smart.error_log_entries", One, Neither, "entries in the error log; most are rejected commands, not lost data")
	add("smart.reallocated_sectors", One, Lower, "sectors replaced by spare ones (ATA), grown defects (SCSI)")
	add("smart.crc_errors", One, Lower, "transfers that arrived damaged at either end of the cable")
	add("smart.self_test_failures", One, Lower, "failed self-tests in the drive's log")
	support("smart.failing_attributes", One, "attributes at or below the vendor's threshold; label now names them, past those that were")
	support("smart.end_to_end_errors", One, "data damaged inside the drive, between its cache and its interface")
	support("smart.spin_retries", One, "starts of the motor that had to be repeated")
	support("smart.load_cycles", One, "how often the heads were parked")
	support("smart.non_medium_errors", One, "errors of a SCSI drive that are not of its medium: protocol, transport")
	support("smart.throttle_minutes", Seconds, "time above the warning or critical temperature, in seconds despite its name")
	addNetwork(add, support)
	addObjects(add, support)
	addPools(add, support)
	addMigration(add, support)
	addFailover(add, support)
	addTimeline(support)
	add("thermal.temperature", Celsius, Lower, "one sensor reading")
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
		add("net."+protocol+".throughput", BytesPerSecond, Higher, "payload bytes received per second, all streams together")
	}
	add("net.tcp.retransmits", One, Lower, "retransmitted TCP segments")
	add("net.udp.jitter", Seconds, Lower, "mean deviation of the transit time (RFC 1889)")
	add("net.udp.loss", One, Lower, "share of datagrams that did not arrive")
	add("net.rtt.min", Seconds, Lower, "minimum round-trip time of an echo request on an idle link")
	add("net.rtt.median", Seconds, Lower, "median of the round-trip times")
	add("net.rtt.mean", Seconds, Lower, "mean of the round-trip times")
	add("net.rtt.max", Seconds, Lower, "maximum round-trip time")
	add("net.rtt.stddev", Seconds, Lower, "standard deviation of the round-trip times")
	add("net.rtt.loss", One, Lower, "share of echo requests without a reply")
	add("net.rtt.duplicates", One, Lower, "share of echo requests with more than one reply")
	add("net.rdma.throughput", BytesPerSecond, Higher, "bytes per second by RDMA")
	add("net.rdma.latency.mean", Seconds, Lower, "mean time of one RDMA operation")
	add("net.rdma.latency.min", Seconds, Lower, "minimum time of one RDMA operation")
	add("net.rdma.latency.max", Seconds, Lower, "maximum time of one RDMA operation")
	add("net.path_mtu", Bytes, Higher, "largest packet that arrives unfragmented, including its IP header")
	support("net.tcp.bytes", Bytes, "payload bytes sent")
	support("net.tcp.rtt", Seconds, "mean of the kernel's smoothed round-trip time while sending")
	support("net.tcp.cwnd", Bytes, "congestion window of one stream at the end")
	support("net.tcp.mss", Bytes, "payload of one segment (MSS)")
	support("net.cpu", One, "share of one CPU used by the tool on the busier host")
}

func addObjects(add adder, support supporter) {
	for _, op := range []string{"put", "get", "delete", "head", "list"} {
		p := "object." + op + "."
		add(p+"ops", PerSecond, Higher, "requests completed per second")
		add(p+"throughput", BytesPerSecond, Higher, "bytes per second")
		add(p+"latency.mean", Seconds, Lower, "mean latency")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the latency")
		add(p+"latency.min", Seconds, Lower, "minimum latency")
		add(p+"latency.max", Seconds, Lower, "maximum latency")
		add(p+"first_byte.mean", Seconds, Lower, "mean time to the first byte of a response")
		support(p+"requests", One, "completed requests")
		support(p+"ops.min", PerSecond, "fewest requests completed in any second")
		add(p+"first_byte.p50", Seconds, Lower, "median time to the first byte of a response")
		add(p+"first_byte.p99", Seconds, Lower, "99th percentile of the time to the first byte of a response")
		support(p+"errors", One, "requests that failed")
	}
	add("object.list.keys", One, Neither, "mean number of keys returned by one LIST")
	support("object.class.errors", One, "failed requests of the kind in label op, by the error class in label class")
	support("object.endpoint.ops", PerSecond, "requests of the kind in label op completed per second at the endpoint in label endpoint")
	support("object.endpoint.throughput", BytesPerSecond, "bytes per second of the kind in label op at the endpoint in label endpoint")
	support("object.endpoint.latency.mean", Seconds, "mean latency of the kind in label op at the endpoint in label endpoint")
	support("object.unsent", One, "requests of a fixed-rate load that were never sent")
	support("object.delay.max", Seconds, "maximum delay of a request of a fixed-rate load")
	support("object.cpu", One, "share of the available CPU time that the load generator used")
}

func addPools(add adder, support supporter) {
	for _, op := range []string{"write", "read"} {
		p := "pool." + op + "."
		add(p+"bandwidth", BytesPerSecond, Higher, "bytes per second, all clients together")
		add(p+"iops", PerSecond, Higher, "operations per second, all clients together")
		add(p+"latency.mean", Seconds, Lower, "mean latency")
		add(p+"latency.stddev", Seconds, Lower, "standard deviation of the latency")
		add(p+"latency.min", Seconds, Lower, "minimum latency")
		add(p+"latency.max", Seconds, Lower, "maximum latency")
		for _, of := range []struct {
			name string
			unit Unit
		}{{"bandwidth", BytesPerSecond}, {"iops", PerSecond}} {
			support(p+of.name+".stddev", of.unit, "standard deviation of the per-second "+of.name)
			support(p+of.name+".min", of.unit, "lowest "+of.name+" of any second")
			support(p+of.name+".max", of.unit, "highest "+of.name+" of any second")
		}
		support(p+"ios", One, "completed operations")
		support(p+"bytes", Bytes, "bytes transferred")
	}
	support("pool.osd.commit", Seconds, "what the OSD in label osd took to make writes safe, as it says of its last seconds")
}

func addMigration(add adder, support supporter) {
	add("migration.transferred", Bytes, Neither, "amount of memory sent")
	add("migration.duration", Seconds, Lower, "duration of the task")
	add("migration.downtime", Seconds, Lower, "how long the guest was paused")
	add("migration.downtime.seen", Seconds, Lower, "longest time without an answer of the guest to a ping, at the interval in label interval")
	add("migration.throughput", BytesPerSecond, Higher, "mean speed, as reported in the log")
	for _, by := range []struct{ name, title string }{{"udp", "UDP"}, {"tcp", "TCP, over one open connection"}} {
		add("migration.downtime.seen."+by.name, Seconds, Lower, "longest time without an answer of the guest to "+by.title+", at the interval in label interval")
	}
	add("migration.io.longest", Seconds, Lower, "longest synchronous write of 4 KiB in the guest, by the clock of the host that asked it; label filesystem says to what")
	support("migration.io.longest.guest", Seconds, "what that took by the guest's own clock, which stands still while the guest does; 0 for a write that waited through that and was not the longest by it")
	support("migration.io.before", Seconds, "longest such write before the migration")
	for _, phase := range []struct{ name, title string }{{"before", "before a migration"}, {"during", "during it, downtime included"}, {"after", "after it"}} {
		support("migration.load."+phase.name, BytesPerSecond, "memory that the load in the guest changed per second "+phase.title+"; label load says how much it was to")
	}
	support("migration.load.memory", Bytes, "memory that the load in the guest changed round and round")
	support("migration.udp.lost", One, "questions by UDP that the guest did not answer")
	support("migration.tcp.lost", One, "questions over TCP that were lost with a connection that broke")
	support("migration.tcp.broken", One, "connections that broke")
	support("migration.clock.stood", Seconds, "how long the guest's own clock stood still in the longest time without an answer to UDP")
	support("migration.observer.pause", Seconds, "longest time in which the host that asked the guest did not ask: it was busy")
	support("migration.ping.lost", One, "pings that the guest did not answer")
	support("migration.dirty_rate", BytesPerSecond, "memory that the guest changed per second, as the hypervisor last counted it")
	support("migration.zero", Bytes, "memory in pages of one value, which are not sent as a whole")
	support("migration.memory", Bytes, "memory of the guest")
	support("migration.transfer_time", Seconds, "duration of the memory transfer")
	support("migration.downtime.limit", Seconds, "maximum downtime allowed")
	support("migration.disk.transferred", Bytes, "disk data sent, if the storage is not shared")
	support("migration.disk.duration", Seconds, "duration of the disk transfer")
}

func addFailover(add adder, support supporter) {
	add("failover.time", Seconds, Lower, "longest time without an answer while something was stopped, of the observer who waited longest, at the interval in label interval")
	add("failover.time.least", Seconds, Lower, "failover.time of the observer that waited least, where there are two")
	add("failover.lost", One, Lower, "requests without an answer in time, from the stop until it was put back, all observers together")
	add("failover.requests", One, Neither, "requests in that time, all observers together")
	add("failover.back", Seconds, Lower, "longest time without an answer after it was put back")
	add("failover.restart", Seconds, Lower, "time from when it was put back until it was seen to run")
	add("failover.whole", Seconds, Lower, "time until redundancy was whole again, from what label from says: start, when it was put back, or stop")
	add("failover.latency.before", Seconds, Lower, "median time of a request before the stop")
	add("failover.latency.during", Seconds, Lower, "median time of those that were answered while it was stopped")
	for _, phase := range []struct{ name, title string }{
		{"before", "before the stop"}, {"stopped", "from the stop until it was put back"},
		{"recovery", "from then until redundancy was whole again"}, {"after", "after that"},
	} {
		support("failover.load."+phase.name, PerSecond, "what the load did per second "+phase.title+"; label host says where it ran")
	}
	support("failover.back.lost", One, "requests without an answer after it was put back")
	support("failover.stopped", Seconds, "how long it was stopped")
	support("failover.onset", Seconds, "time from the stop to the last answer before the failover, by clocks that differ by at most label uncertainty")
}

func addTimeline(support supporter) {
	support(MetricMoment, Seconds, "when what label what names happened, since the first such moment of its repeat; label by is the host that did or saw it, and label uncertainty by how much it may be off")
}

// Describe returns the metric of that name. A latency percentile such as
// storage.read.latency.p99_9 is known wherever its mean is; p99_9 is 99.9 %.
func Describe(name string) (Metric, bool) {
	if i, ok := metricAt[name]; ok {
		return Metrics[i], true
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

// PercentileMetric returns the name of the percentile p (0..100) of a latency:
// stem "storage.read." and 99.9 give storage.read.latency.p99_9.
func PercentileMetric(stem string, p float64) string {
	name := append(make([]byte, 0, 64), stem...)
	name = append(name, "latency.p"...)
	at := len(name)
	name = strconv.AppendFloat(name, p, 'f', -1, 64)
	if point := bytes.IndexByte(name[at:], '.'); point >= 0 {
		name[at+point] = '_'
	}
	return string(name)
}

// Percentile returns the percentile (0..100) in the name of a metric.
func Percentile(metric string) (float64, bool) {
	_, percent, ok := cutPercentile(metric)
	if !ok {
		return 0, false
	}
	p, err := strconv.ParseFloat(percent, 64)
	return p, err == nil
}
