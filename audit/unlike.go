package audit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
)

var unlike = Rule{
	ID: "unlike", Number: 51, Applies: "comparisons", Severities: "E",
	Title: "Unlike things compared",
	Formula: "results of one comparison and test that differ in direction, engine, block size, concurrency (jobs x depth, or just jobs for synchronous engines; " +
		"by IOPS x latency if the settings do not say), direct, sync, file system, payload, CPU, replicas, or state of cache and file; " +
		"only if both state it, and not if this is the declared subject of the comparison",
	Source:  "a difference between two results can be attributed to one thing only if everything else is equal",
	Example: "block: 4k (a) against 1M (b); sync: 1 (a) against 0 (b)",
	Check: func(e Evidence) []assay.Finding {
		type mixture struct {
			differences []difference
			claims      []claim
		}
		var order []string
		mixtures := map[string]*mixture{}
		for _, claims := range append(e.comparisons(), e.crossed()...) {
			for _, set := range alike(claims) {
				name := set[0].Trial.Comparison
				found := differences(set)
				if len(found) == 0 {
					continue
				}
				if mixtures[name] == nil {
					mixtures[name] = &mixture{}
					order = append(order, name)
				}
				m := mixtures[name]
				for _, d := range found {
					if !slices.ContainsFunc(m.differences, func(o difference) bool { return o.sum == d.sum || o.what == d.what }) {
						m.differences = append(m.differences, d)
					}
				}
				m.claims = append(m.claims, set...)
			}
		}
		var all []assay.Finding
		for _, name := range order {
			m := mixtures[name]
			var what, sums []string
			for _, d := range m.differences {
				what, sums = append(what, d.what), append(sums, d.sum)
			}
			odd := m.differences[0].odd
			f := odd.finding("unlike", assay.Rejects, nil, strings.Join(sums, "; "),
				fmt.Sprintf("%q compares things that differ in %s: the difference cannot be attributed to one of them", name, prose.And(what)),
				odd.asOthers(m.differences))
			all = append(all, f)
		}
		return all
	},
}

// difference is a setting in which results of one comparison differ.
type difference struct {
	what string
	sum  string // both values, and whose they are
	odd  claim  // the one that differs from most
	like claim  // one of those that it differs from
}

// field is a setting that must be equal; of returns its value, "" if unknown.
type field struct {
	what string
	keys []string // a comparison of any of these may differ in it
	of   func(c claim) string
}

var comparedFields = []field{
	{"direction", []string{"direction", "pattern", "op"}, func(c claim) string { return c.course }},
	{"mix", []string{"pattern"}, mixOf},
	{"engine", []string{"engine", "tool"}, func(c claim) string { return c.says("engine") }},
	{"block", []string{"bs", "object_size", "block", "size"}, blockOf},
	{"order", []string{"pattern"}, orderOf},
	{"concurrency", []string{"iodepth", "jobs", "clients", "threads", "streams", "concurrency", "engine", "cpu"}, concurrencyOf},
	{"direct", []string{"direct"}, func(c claim) string { return onOff(c.says("direct")) }},
	{"sync", []string{"sync"}, syncOf},
	{"sync of ZFS", []string{"zfs_sync", "sync"}, func(c claim) string { return c.says("zfs_sync") }},
	{"target", []string{"target", "fs"}, targetOf},
	{"file system", []string{"fs"}, fileSystemOf},
	{"payload", []string{"source"}, func(c claim) string { return c.says("source") }},
	{"CPU", []string{"cpu"}, cpuOf},
	{"replicas", []string{"replicas"}, replicasOf},
	{"cache", []string{"cache"}, func(c claim) string { return c.says("cache") }},
	{"blocks written before", []string{"written_before"}, writtenBefore},
}

// mixOf reports whether reads and writes ran together: reads alone differ from
// reads among writes.
func mixOf(c claim) string {
	switch pattern := c.says("pattern"); {
	case pattern == "":
		return ""
	case isMixed(pattern):
		return "reads among writes"
	}
	return "one direction alone"
}

// differences returns the fields in which the claims of one set differ.
func differences(set []claim) []difference {
	var found []difference
	for _, f := range comparedFields {
		if slices.ContainsFunc(f.keys, set[0].varies) {
			continue
		}
		var order []string
		whose := map[string][]claim{}
		for _, c := range set {
			v := f.of(c)
			if v == "" {
				continue
			}
			if whose[v] == nil {
				order = append(order, v)
			}
			whose[v] = append(whose[v], c)
		}
		if len(order) > 1 {
			found = append(found, differ(f.what, order, whose))
		} else if f.what == "concurrency" {
			if d, ok := measuredApart(set); ok {
				found = append(found, d)
			}
		}
	}
	return found
}

func differ(what string, order []string, whose map[string][]claim) difference {
	var terms []string
	most, least := order[0], order[len(order)-1]
	for _, v := range order {
		var ids []string
		for _, c := range whose[v] {
			ids = append(ids, c.Trial.ID)
		}
		terms = append(terms, v+" ("+some(ids)+")")
		if len(whose[v]) > len(whose[most]) {
			most = v
		}
	}
	if least == most {
		least = order[0]
	}
	return difference{what, what + ": " + strings.Join(terms, " against "), whose[least][0], whose[most][0]}
}

// measuredApart compares the concurrency implied by latencies, for results
// whose settings do not give the number of jobs.
func measuredApart(set []claim) (difference, bool) {
	var low, high claim
	least, most := math.Inf(1), 0.0
	for _, c := range set {
		if _, said := c.inFlightAsSet(); said || c.family == "cpu" || c.family == "memory" {
			continue
		}
		perSecond, latency, ok := c.rateAndLatency()
		if !ok {
			continue
		}
		if n := perSecond * latency; n > 0 {
			if n < least {
				least, low = n, c
			}
			if n > most {
				most, high = n, c
			}
		}
	}
	if !(most > least*(1+concurrencyApart)) {
		return difference{}, false
	}
	sum := fmt.Sprintf("concurrency: %s in flight (%s) against %s (%s), by IOPS x latency", figure(least), low.Trial.ID, figure(most), high.Trial.ID)
	return difference{"concurrency", sum, low, high}, true
}

// crossed returns comparisons in which no two things share a direction: the
// reads of one are compared with the writes of another.
func (e Evidence) crossed() [][]claim {
	var order []string
	all := map[string][]claim{}
	for _, set := range e.comparisons() {
		name := set[0].Trial.Comparison + "\x00" + set[0].family
		if all[name] == nil {
			order = append(order, name)
		}
		all[name] = append(all[name], set...)
	}
	var found [][]claim
	for _, name := range order {
		if dirs := directionsOf(all[name]); len(dirs) == things(all[name]) && len(dirs) > 1 && len(all[name]) == len(dirs) {
			found = append(found, all[name])
		}
	}
	return found
}

func directionsOf(claims []claim) map[string]bool {
	dirs := map[string]bool{}
	for _, c := range claims {
		dirs[c.course] = true
	}
	return dirs
}

func blockOf(c claim) string {
	key := map[string]string{"storage": "bs", "memory": "block", "object": "object_size", "pool": "object_size"}[c.family]
	bs := c.says(key)
	if n, ok := parseSize(bs); ok && n >= 1<<10 {
		return memory(float64(n))
	}
	return bs
}

func orderOf(c claim) string {
	switch pattern := c.says("pattern"); {
	case c.family != "storage" || pattern == "":
		return ""
	case isRandom(pattern):
		return "random"
	}
	return "sequential"
}

func concurrencyOf(c claim) string {
	n, ok := c.inFlightAsSet()
	if !ok {
		return ""
	}
	if c.family == "cpu" || c.family == "memory" {
		return strconv.Itoa(n) + " threads"
	}
	return strconv.Itoa(n)
}

func onOff(word string) string {
	if on, known := isOn(word); known {
		return map[bool]string{true: "1", false: "0"}[on]
	}
	return word
}

func syncOf(c claim) string {
	sync := c.says("sync")
	if flushesEachWrite(sync) {
		return "each write"
	}
	return onOff(sync)
}

// rawDevice is the fs label of results without a file system.
const rawDevice = "none"

// targetOf reports whether there was a file system between the tool and the device.
func targetOf(c claim) string {
	switch fs := c.says("fs"); {
	case c.family != "storage":
		return ""
	case fs == rawDevice || c.says("target") == "device":
		return "a raw device"
	case fs != "" || c.says("target") == "file":
		return "a file"
	}
	return ""
}

func fileSystemOf(c claim) string {
	if c.family != "storage" {
		return ""
	}
	if fs := c.says("fs"); fs != "" && fs != rawDevice {
		return fs
	}
	if d := c.dir(); d != nil && targetOf(c) != "a raw device" {
		return d.FileSystem
	}
	return ""
}

// cpuOf returns the processor, unless it is what is measured.
func cpuOf(c claim) string {
	switch c.family {
	case "storage", "memory":
		return orDefault(c.says("cpu"), c.facts.CPU.Model)
	}
	return ""
}

func replicasOf(c claim) string {
	if n := c.says("replicas"); n != "" {
		return n
	}
	if c.facts.Stack != nil && c.facts.Stack.Copies > 0 && (c.family == "storage" || c.family == "pool" || c.family == "object") {
		return strconv.Itoa(c.facts.Stack.Copies)
	}
	return ""
}

func writtenBefore(c claim) string {
	if c.says("written_before") == "0" {
		return "none"
	}
	if n, ok := parseSize(c.says("written_before")); ok {
		return memory(float64(n))
	}
	return ""
}

// asOthers says how to measure the odd one again so that it can be compared.
func (c claim) asOthers(found []difference) string {
	like := found[0].like
	if c.family == "storage" {
		instead := map[string]string{"size": c.says("size")}
		for option, key := range map[string]string{"rw": "pattern", "bs": "bs", "ioengine": "engine", "iodepth": "iodepth", "numjobs": "jobs"} {
			if v := like.says(key); v != "" {
				instead[option] = v
			}
		}
		return "measure both the same way, on machines that differ in nothing else: " + c.again(orDefault(like.course, "read"), instead)
	}
	switch threads := orDefault(like.says("threads"), "1"); c.family {
	case "cpu":
		return fmt.Sprintf("measure both the same way: sysbench cpu --threads=%s --time=90 run", threads)
	case "memory":
		return fmt.Sprintf("measure both the same way: sysbench memory --memory-block-size=%dM --memory-total-size=100T --time=60 --threads=%s run", bufferMiB(c.facts), threads)
	}
	return "measure both with the same settings, and change one thing at a time"
}
