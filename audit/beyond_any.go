package audit

import (
	"fmt"

	"assay"
	"assay/internal/lazyregexp"
	"assay/limits"
)

var beyondAny = Rule{
	ID: "beyond-any", Number: 93, Applies: "fio, dd, sysbench memory, iperf3, iperf2, netperf", Severities: "E W I",
	Title:   "Faster than any hardware to date",
	Formula: "whatever the facts: storage bandwidth > the widest link of a drive, 30.3 GB/s: E for one named NVMe drive, W where it may be an array; mean latency of random reads, or of direct I/O, under 3 µs: E, of writes of which is not known whether they were direct: W; buffered writes that are not flushed one by one, under 10 µs: W; half of the operations completed in under 3 µs, or random reads in under 5 µs, and nothing says that they were direct: W; in imported output, sequential reads in under 5 µs, or writes in under 8 µs, of which nothing says that they were direct: I; memory > 4.1 TB/s: W, as only HBM does that, > 21.2 TB/s: E; network > 800 Gbit/s: E; TCP or UDP within one host: W, and above 25 Gbit/s, in imported output without the facts of a port: I",
	Source:  "the table of limits of the date in limits/fastest.go, each with its product and year",
	Example: "31,500 MB/s against any single drive's link, 30,250 MB/s: 1.04 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				if l.warm(dir) {
					continue // declared as a cache figure
				}
				found = append(found, l.beyondLink(dir)...)
				found = append(found, l.beyondMedium(dir)...)
			}
		}
		for _, l := range e.looks() {
			found = append(found, l.beyondMemory()...)
			found = append(found, l.beyondPort()...)
		}
		return found
	},
}

const beyondID = "beyond-any"

// oneNVMe matches the name of a namespace: no array has such a name.
var oneNVMe = lazyregexp.New(`^(?:/dev/)?nvme\d+n\d+(?:p\d+)?$`)

func (l look) beyondLink(dir string) []assay.Finding {
	metric := "storage." + dir + ".bandwidth"
	v, ok := l.median(metric)
	fastest := limits.FastestDrive
	if !ok || v <= fastest.Value {
		return nil
	}
	arithmetic := fmt.Sprintf("%s against %s, %s: %s", rate(v), fastest.What, fastest.Amount(), times(v/fastest.Value))
	again := "measure with direct I/O on a file of more than twice the RAM: " + l.again(dir, map[string]string{"size": twiceRAM(l.facts)})
	if oneNVMe.MatchString(l.file()) || oneNVMe.MatchString(l.label(dir, "device")) {
		return []assay.Finding{l.finding(beyondID, assay.Rejects, []string{metric}, arithmetic, "faster than the link of any drive there is, "+fastest.Cited()+": this measures memory", again)}
	}
	return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric}, arithmetic, "no single drive is this fast: this is either an array or memory", "state the number of drives; if there is only one, "+again)}
}

func (l look) beyondMedium(dir string) []assay.Finding {
	metric := "storage." + dir + ".latency.mean"
	v, ok := l.median("storage." + dir + ".latency.total.mean")
	if !ok {
		if v, ok = l.median(metric); ok {
			if submitted, printed := l.median("storage." + dir + ".latency.submission.mean"); printed {
				v += submitted
			}
		}
	}
	if !ok || !(v > 0) || l.label(dir, "tool") == "dd" {
		return nil
	}
	direct, known := isOn(l.label(dir, "direct"))
	fastest := limits.FastestAnswer
	arithmetic := fmt.Sprintf("%s an operation, against the %s of %s", seconds(v), seconds(fastest.Value), fastest.What)
	// Read-ahead loads the next block into memory before it is requested: that is
	// how buffered sequential reads should work.
	device := known && direct || dir == "read" && isRandom(l.label(dir, "pattern"))
	switch {
	case device && v < fastest.Value:
		return []assay.Finding{l.finding(beyondID, assay.Rejects, []string{metric}, arithmetic,
			"no drive is that fast ("+fastest.Cited()+"): this measures memory, such as the page cache, a RAM disk or a null device", "use direct I/O on a drive: "+l.again(dir, nil))}
	case dir == "write" && !known && v < fastest.Value:
		return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric}, arithmetic,
			"these writes only reached memory (page cache, RAM disk): no drive is that fast ("+fastest.Cited()+")", "use direct I/O, or end with a flush: "+l.again(dir, nil))}
	case dir == "read" && (!known || !direct) && isRandom(l.label(dir, "pattern")) && v < cachedRead:
		return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric},
			fmt.Sprintf("%s a random read, against %s", seconds(v), seconds(cachedRead)),
			"the page cache answered these reads: the fastest flash takes ten times as long, and the fastest memory behind NVMe longer than this", "use direct I/O on a file of more than twice the RAM: "+l.again(dir, nil))}
	case (!known || !direct) && !l.ended(dir) && l.completedAtOnce(dir, fastest.Value):
		half, _ := l.median(assay.PercentileMetric("storage."+dir+".", 50))
		return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric},
			fmt.Sprintf("half completed in %s, against the %s of %s", seconds(half), seconds(fastest.Value), fastest.What),
			"at least half of these I/Os were served from memory; no drive is that fast ("+fastest.Cited()+"); the slow ones ran after the cache had filled up", "use direct I/O: "+l.again(dir, nil))}
	case dir == "write" && known && !direct && l.flushesLast() && v < cachedWrite:
		return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric},
			fmt.Sprintf("%s an operation, buffered", seconds(v)),
			"this is the latency of writes into the page cache: the drive's part is in the final flush, and no latency includes it", "use direct I/O: "+l.again(dir, nil))}
	case dir == "write" && known && !direct && !l.ended(dir) && v < cachedWrite:
		return []assay.Finding{l.finding(beyondID, assay.Warns, []string{metric},
			fmt.Sprintf("%s an operation, buffered, with no flush", seconds(v)),
			"these writes only reached the page cache: no drive is this fast, and nothing flushed them", "use direct I/O, or end with a flush: "+l.again(dir, nil))}
	case !l.foreign() || known && direct:
	case dir == "read" && v < cachedRead:
		return []assay.Finding{l.finding(beyondID, assay.Informs, []string{metric}, notSaid(v, cachedRead),
			"these reads were served from memory, by the page cache or read-ahead: this is not the drive's latency", "to measure the drive's latency, use direct I/O: "+l.again(dir, nil))}
	case dir == "write" && !known && !l.ended(dir) && v < quickWrite:
		return []assay.Finding{l.finding(beyondID, assay.Informs, []string{metric}, notSaid(v, quickWrite),
			"these writes most likely only reached memory: hardly any drive is that fast", "use direct I/O, or end with a flush: "+l.again(dir, nil))}
	}
	return nil
}

// notSaid returns the arithmetic for a latency that only memory reaches, if the output
// does not mention direct I/O.
func notSaid(v, drive float64) string {
	return fmt.Sprintf("%s an operation, not direct as far as is known, against %s", seconds(v), seconds(drive))
}

// completedAtOnce reports whether half of the operations were faster than any drive.
func (l look) completedAtOnce(dir string, fastest float64) bool {
	half, ok := l.median(assay.PercentileMetric("storage."+dir+".", 50))
	return ok && half > 0 && half < fastest && l.foreign() && (dir == "write" || isRandom(l.label(dir, "pattern")))
}

func (l look) beyondMemory() []assay.Finding {
	var found []assay.Finding
	for _, metric := range []string{"memory.read.bandwidth", "memory.write.bandwidth"} {
		v, ok := l.median(metric)
		if !ok || l.label("", "scope") == "cache" {
			continue
		}
		fastest, severity := limits.FastestMemory, assay.Rejects
		says := "faster than the memory of any host, " + fastest.Cited() + ": this is the CPU's cache"
		if v <= fastest.Value {
			fastest, severity = limits.FastestModules, assay.Warns
			says = "faster than any memory modules, " + fastest.Cited() + ": either the memory is in the CPU's package (HBM), or this is the CPU's cache"
		}
		if v > fastest.Value {
			found = append(found, l.finding(beyondID, severity, []string{metric},
				fmt.Sprintf("%s against %s: %s", rate(v), fastest.Arithmetic(), times(v/fastest.Value)),
				says, "let each thread walk a buffer too large for any cache: "+l.longer(againRuntime)))
		}
	}
	return found
}

func (l look) beyondPort() []assay.Finding {
	for _, protocol := range []string{"tcp", "udp"} {
		f := flow{look: l, protocol: protocol, metric: "net." + protocol + ".throughput"}
		if !l.positive(f.metric) {
			continue
		}
		fastest := limits.FastestPort
		switch v, _ := l.median(f.metric); {
		case f.loops() && l.foreign():
			return []assay.Finding{l.finding(beyondID, assay.Warns, []string{f.metric},
				orDefault(f.of("from"), "this host")+" to "+orDefault(f.of("to"), "itself"), "both ends are on one host: this measures how fast its CPU copies memory, not a network", "run the server on another host: "+protocolCommand(protocol))}
		case v > fastest.Value:
			return []assay.Finding{l.finding(beyondID, assay.Rejects, []string{f.metric},
				fmt.Sprintf("%s against %s: %s", bitRate(8*v), fastest.What, times(v/fastest.Value)),
				"faster than any network port, "+fastest.Cited()+": both ends run on one host, or this is the sum of several ports", "name both hosts and their interfaces")}
		case v > commonPort && l.foreign() && len(l.facts.NICs) == 0 && !f.bothWays():
			return []assay.Finding{l.finding(beyondID, assay.Informs, []string{f.metric},
				fmt.Sprintf("%s against a port of %s: %s", bitRate(8*v), bitRate(8*commonPort), times(v/commonPort)),
				"unless both hosts have faster ports, both ends ran on one host, as pods, containers or VMs can: then no network was measured", "say where each end ran (kubectl get pods -o wide) and what its port can do (ethtool IFACE)")}
		}
	}
	return nil
}

func protocolCommand(protocol string) string {
	if protocol == "udp" {
		return "iperf3 -c HOST -u -b 0 -t 30"
	}
	return "iperf3 -c HOST -t 30"
}
