package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/order"
	"assay/plan/multiclient"
)

var clientSaturated = Rule{
	ID: "client-saturated", Number: 40, Applies: "rados, s3, iperf3, fio, diskspd", Severities: "E I",
	Title:   "The client was the bottleneck",
	Formula: "the busier end of the generator uses > 90 % of a core at less than the line rate; assay's own object client uses > 80 % of the CPUs it may use, on any of its hosts; a job of fio uses > 95 % of a core, or DiskSpd finds all CPUs > 95 % busy: I; or, among runs that differ only in the number of clients, more clients get > 1.1 x at a mean latency within 10 %",
	Source:  "J. D. C. Little, A Proof for the Queuing Formula L = lambda W (1961): a system that is not saturated answers more clients just as fast; the limits are a choice. iperf3 runs one thread per stream since 3.16 (release notes)",
	Example: "1, 2, 3 clients: 3,213, 6,890, 9,613 MB/s at 20.5, 19.1, 20.5 ms",
	Check: func(e Evidence) []assay.Finding {
		return append(append(append(busyGenerators(e), busyObjectClients(e)...), moreClients(e)...), busyJobs(e)...)
	},
}

// busyJobs finds storage loads that waited for a CPU, according to the tool.
func busyJobs(e Evidence) []assay.Finding {
	var found []assay.Finding
	for _, l := range e.storage() {
		share, ok := parseFloat(l.label("", "cpu_share"))
		if !l.foreign() || !ok || !(share > busyJob) {
			continue
		}
		of, says, advice := "a core", "each job used a whole core: the figure reflects the CPU as much as the storage", "add jobs until the rate stops growing: "+l.again(l.main(), nil)
		if l.label("", "tool") == "diskspd" {
			of, says, advice = "all CPUs", "all CPUs were busy: the figure reflects them as much as the storage", "use larger blocks or a machine with more CPUs, and look at what else ran"
		}
		found = append(found, l.finding("client-saturated", assay.Informs, l.headlines(), fmt.Sprintf("%s of %s, against %s", percent(share), of, percent(busyJob)), says, advice))
	}
	return found
}

// busyGenerators finds network tests that waited for their own CPU.
func busyGenerators(e Evidence) []assay.Finding {
	const id = "client-saturated"
	var found []assay.Finding
	for _, f := range e.network() {
		speed, _ := f.median(f.metric)
		cpu, ok := f.median("net.cpu")
		if !ok || !(cpu > busyCore) {
			continue
		}
		metrics := []string{f.metric}
		threads, known := generatorThreads(f, cpu)
		if !known {
			found = append(found, f.unchecked(id, metrics, "version of iperf3", "its output shows it: from 3.16 on each stream has its own thread"))
			continue
		}
		if !(cpu/float64(threads) > busyCore) {
			continue
		}
		way, missing := f.line()
		if missing == "" && 8*speed >= nearLine*way.ceiling {
			continue // the line was the limit
		}
		if missing != "" && nearUsualLine(speed) {
			found = append(found, f.unchecked(id, metrics, missing, "give it: --fact nic=10G --fact mtu=1500"))
			continue
		}
		sum := fmt.Sprintf("%s of a core against %s, at %s", percent(cpu), percent(busyCore), rate(speed))
		if threads > 1 {
			sum = fmt.Sprintf("%s of %d cores against %s, at %s", percent(cpu/float64(threads)), threads, percent(busyCore), rate(speed))
		}
		found = append(found, f.finding(id, assay.Rejects, metrics, sum,
			"a lower bound, not the limit: the tool ran out of CPU before the network was saturated",
			"with iperf3 3.16 or later each stream has its own thread: "+f.command("-P 4")))
	}
	return found
}

// busyObjectClients finds object store loads that waited for the CPUs of the host
// generating them: signing, checksums and system calls. With several hosts at once,
// one busy host is enough to lower their total.
func busyObjectClients(e Evidence) []assay.Finding {
	const id = "client-saturated"
	var found []assay.Finding
	for _, r := range e.Results {
		l, cpu := busiestClient(r)
		if !(cpu > busyClient) {
			continue
		}
		var metrics []string
		for _, op := range l.ofObjects() {
			for _, figure := range []string{"ops", "throughput"} {
				if name := "object." + op + "." + figure; l.positive(name) {
					metrics = append(metrics, name)
				}
			}
		}
		of := "the CPUs available to it"
		if n, ok := parseCount(l.label("", "cpus")); ok {
			of = fmt.Sprintf("the %d CPUs available to it", n)
			if n == 1 {
				of = "the one CPU available to it"
			}
		}
		client := "the client"
		if len(r.Trial.Others) > 0 {
			client += " on " + l.Trial.Subject.Host
		}
		found = append(found, l.finding(id, assay.Rejects, metrics,
			fmt.Sprintf("%s used %s of %s, against %s", client, percent(cpu), of, percent(busyClient)),
			"a lower bound, not the limit: the client ran out of CPU before the store was saturated",
			"measure from more hosts at once, or from one with more CPUs; in a pod, raise its CPU limit"))
	}
	return found
}

// busiestClient returns the part of a result from the host with the busiest CPUs,
// and the share of them it used; 0 if unknown.
func busiestClient(r assay.Result) (busiest look, cpu float64) {
	for _, s := range multiclient.Subjects(r.Trial) {
		part := multiclient.Of(r, s.Host)
		part.Trial.Subject = s
		l := lookAt(&part, part.Counted(), &assay.Facts{}, false)
		if used, ok := l.median("object.cpu"); ok && used > cpu {
			busiest, cpu = l, used
		}
	}
	return busiest, cpu
}

var versionNumber = lazyregexp.New(`(\d+)\.(\d+)`)

// generatorThreads returns how many threads shared the tool's CPU time: one
// before iperf3 3.16, one per stream since. known is false if it depends on the
// version and none was printed.
func generatorThreads(f flow, cpu float64) (n int, known bool) {
	streams := max(f.streams(), 1)
	if streams == 1 || f.of("tool") != "iperf3" {
		return 1, true
	}
	if m := versionNumber.FindStringSubmatch(f.of("version")); m != nil {
		major, _ := strconv.Atoi(m[1])
		minor, _ := strconv.Atoi(m[2])
		if major > 3 || major == 3 && minor >= 16 {
			return streams, true
		}
		return 1, true
	}
	if cpu > 1/busyCore {
		return streams, true // more than one core: it had threads
	}
	return 1, false
}

// served is what that many clients got.
type served struct {
	look
	metric         string
	clients        int
	speed, latency float64
}

// moreClients compares runs that differ only in the number of clients.
func moreClients(e Evidence) []assay.Finding {
	var order []string
	sets := map[string][]served{}
	for _, l := range e.looks() {
		n, ok := parseCount(l.label("", "clients"))
		if !ok {
			continue
		}
		for _, s := range l.served(n) {
			key := s.likeness()
			if key == "" {
				continue
			}
			if sets[key] == nil {
				order = append(order, key)
			}
			sets[key] = append(sets[key], s)
		}
	}
	var found []assay.Finding
	for _, key := range order {
		if f := lowerBound(sets[key]); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

func (l look) served(clients int) []served {
	var all []served
	for _, stem := range []string{"pool.write.", "pool.read.", "object.put.", "object.get."} {
		latency, ok := l.median(stem + "latency.mean")
		if !ok || !(latency > 0) {
			continue
		}
		for _, name := range []string{"bandwidth", "throughput", "iops", "ops"} {
			if speed, ok := l.median(stem + name); ok && speed > 0 {
				all = append(all, served{l, stem + name, clients, speed, latency})
				break
			}
		}
	}
	return all
}

// likeness returns a key that is equal for runs differing only in the clients,
// "" for runs that cannot be compared: requests at an object store with unknown
// concurrency. Settings in the key must be per client.
func (s served) likeness() string {
	each := orDefault(s.label("", "threads"), s.label("", "concurrency"))
	if each == "" && strings.HasPrefix(s.metric, "object.") {
		return ""
	}
	file := s.Trial.From
	if i := strings.LastIndexByte(file, ':'); i >= 0 {
		file = file[:i]
	}
	words := []string{file, s.Trial.Comparison, s.Trial.Subject.ID, s.metric, each}
	for _, key := range []string{"tool", "op", "pattern", "bs", "object_size", "pool", "bucket", "endpoint"} {
		words = append(words, s.label("", key))
	}
	return strings.Join(words, "\x00")
}

// lowerBound reports that the fewest clients reach only a lower bound, if more
// got more. Two runs with the same number of clients are no series: it is
// unclear which belongs to it.
func lowerBound(all []served) *assay.Finding {
	order.Stable(all, func(a, b served) int { return a.clients - b.clients })
	first := -1
	for i := 0; i+1 < len(all); i++ {
		a, b := all[i], all[i+1]
		if a.clients == b.clients {
			return nil
		}
		if first < 0 && b.speed > growsBy*a.speed && math.Abs(b.latency/a.latency-1) <= flatLatency {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	var clients, speeds, latencies []string
	for _, s := range all[first:] {
		clients = append(clients, strconv.Itoa(s.clients))
		latencies = append(latencies, figure(s.latency*1e3))
		if strings.HasSuffix(s.metric, "bandwidth") || strings.HasSuffix(s.metric, "throughput") {
			speeds = append(speeds, figure(s.speed/1e6))
		} else {
			speeds = append(speeds, figure(s.speed))
		}
	}
	unit := "operations a second"
	if s := all[first]; strings.HasSuffix(s.metric, "bandwidth") || strings.HasSuffix(s.metric, "throughput") {
		unit = "MB/s"
	}
	s := all[first]
	advice := "add clients on other machines until the sum stops growing"
	if s.label("", "tool") == "rados" {
		advice = "add clients until the sum stops growing, " + s.onEveryNode()
	}
	f := s.finding("client-saturated", assay.Rejects, []string{s.metric},
		fmt.Sprintf("%s clients: %s %s at %s ms", strings.Join(clients, ", "), strings.Join(speeds, ", "), unit, strings.Join(latencies, ", ")),
		fmt.Sprintf("a lower bound, not the limit: %d clients could not generate more load", s.clients), advice)
	if s.clients == 1 {
		f.Message = "a lower bound, not the limit: one client could not generate more load"
	}
	return &f
}
