package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

var cpuFingerprint = Rule{
	ID: "cpu-fingerprint", Number: 14, Applies: "comparisons", Severities: "W",
	Title: "The disk test measured the CPU",
	Formula: "one host's CPU speed (sysbench events a second with one thread) over the mean of the others' differs from 1 by > 5 %, " +
		"and at least three storage figures, and at least half of those the hosts have in common, show the same ratio within 2 %",
	Source:  "a drive is no faster for being asked by a faster processor: figures that scale with the CPU are limited by it",
	Example: "pve4 over the mean of 3 others: CPU 1.169; 4k randread 1.161, 4k randwrite 1.179, 1m read 1.163, 1m write 1.180",
	Check: func(e Evidence) []assay.Finding {
		const id = "cpu-fingerprint"
		hosts, speed := e.cpuSpeeds()
		tests := e.storageTests()
		if len(hosts) < 2 {
			return e.speedsMissing(tests)
		}
		var best *fingerprint
		for _, host := range hosts {
			f := fingerprintOf(host, hosts, speed, tests)
			if f != nil && (best == nil || len(f.figures) > len(best.figures) ||
				len(f.figures) == len(best.figures) && math.Abs(f.cpu-1) > math.Abs(best.cpu-1)) {
				best = f
			}
		}
		if best == nil {
			return nil
		}
		f := best.of.finding(id, assay.Warns, best.metrics, best.sum,
			fmt.Sprintf("the storage figures of %s differ from the others' by exactly the ratio of CPU speeds: this measured the CPU, not the drives", best.host),
			"make the drive the bottleneck: fewer system calls, several jobs, and a file too large for any cache: "+
				best.of.again(best.of.directions()[0], map[string]string{"numjobs": "4", "iodepth": "32", "size": twiceRAM(best.of.facts)}))
		return []assay.Finding{f}
	},
}

// fingerprint is a host whose storage figures follow the ratio of its CPU.
type fingerprint struct {
	host    string
	cpu     float64
	figures []string
	metrics []string
	sum     string
	of      look // the host's first figure with that ratio
}

// storageTest is one storage figure of one test, by host.
type storageTest struct {
	key    string // what makes it the same test
	name   string // for people
	metric string
	values map[string]float64
	looks  map[string]look
}

// cpuSpeeds returns the events a second of a single thread, by host.
func (e Evidence) cpuSpeeds() (hosts []string, speed map[string]float64) {
	speed = map[string]float64{}
	for _, l := range e.looks() {
		v, ok := l.median("cpu.events_per_second")
		host := l.Trial.Subject.Host
		if !ok || !(v > 0) || l.label("", "threads") != "1" {
			continue
		}
		if _, seen := speed[host]; !seen {
			hosts = append(hosts, host)
		}
		speed[host] = v
	}
	return hosts, speed
}

// storageTests returns the headlines of storage tests by test and direction. Only
// the first per host counts.
func (e Evidence) storageTests() []*storageTest {
	var all []*storageTest
	for _, l := range e.looks() {
		for _, c := range l.claims() {
			if c.family != "storage" {
				continue
			}
			metric := c.stem + "bandwidth"
			if slices.Contains(l.headlines(), c.stem+"iops") {
				metric = c.stem + "iops"
			}
			v, ok := l.median(metric)
			if !ok || !(v > 0) {
				continue
			}
			name := strings.TrimSpace(c.says("bs") + " " + orDefault(c.says("pattern"), c.course))
			key := strings.Join([]string{metric, name, c.says("iodepth"), c.says("jobs"), c.says("sync")}, " ")
			i := slices.IndexFunc(all, func(t *storageTest) bool { return t.key == key })
			if i < 0 {
				i, all = len(all), append(all, &storageTest{key, name, metric, map[string]float64{}, map[string]look{}})
			}
			host := l.Trial.Subject.Host
			if _, seen := all[i].values[host]; !seen {
				all[i].values[host], all[i].looks[host] = v, l
			}
		}
	}
	return all
}

// fingerprintOf compares one host with the mean of the others; nil if its
// storage figures do not follow its CPU.
func fingerprintOf(host string, hosts []string, speed map[string]float64, tests []*storageTest) *fingerprint {
	over := func(of map[string]float64) (float64, bool) {
		var others []float64
		for _, h := range hosts {
			v, ok := of[h]
			if !ok {
				return 0, false
			}
			if h != host {
				others = append(others, v)
			}
		}
		return of[host] / stats.Mean(others), true
	}
	f := fingerprint{host: host}
	f.cpu, _ = over(speed)
	if !(math.Abs(f.cpu-1) > fingerprintApart) {
		return nil
	}
	common := 0
	for _, t := range tests {
		ratio, ok := over(t.values)
		if !ok {
			continue
		}
		common++
		if math.Abs(ratio/f.cpu-1) <= fingerprintMatch {
			if len(f.figures) == 0 {
				f.of = t.looks[host]
			}
			f.figures = append(f.figures, fmt.Sprintf("%s %s", t.name, grouped(ratio, 3)))
			if !slices.Contains(f.metrics, t.metric) {
				f.metrics = append(f.metrics, t.metric)
			}
		}
	}
	if len(f.figures) < fingerprintFigures || 2*len(f.figures) < common {
		return nil
	}
	against := fmt.Sprintf("the mean of %d others", len(hosts)-1)
	if len(hosts) == 2 {
		against = hosts[1-slices.Index(hosts, host)]
	}
	f.sum = fmt.Sprintf("%s over %s: CPU %s; %s", host, against, grouped(f.cpu, 3), strings.Join(f.figures, ", "))
	return &f
}

// speedsMissing reports that three or more storage tests compare hosts whose CPU
// speeds are unknown.
func (e Evidence) speedsMissing(tests []*storageTest) []assay.Finding {
	common := 0
	var of *look
	for _, t := range tests {
		if len(t.values) < 2 {
			continue
		}
		compared := 0
		for _, l := range t.looks {
			if l.Trial.Comparison != "" {
				compared++
			}
		}
		if compared < 2 {
			continue
		}
		common++
		for _, l := range e.looks() { // first in result order, not map order
			if _, ok := t.looks[l.Trial.Subject.Host]; ok && of == nil && l.Trial.Comparison != "" {
				of = &l
			}
		}
	}
	if common < fingerprintFigures || of == nil {
		return nil
	}
	return []assay.Finding{of.unchecked("cpu-fingerprint", nil, "single-thread CPU speed of each host", "run on each: sysbench cpu --threads=1 --time=90 run")}
}
