package inventory

import (
	"sort"
	"strconv"
	"strings"

	"assay"
	"assay/internal/bytesize"
)

const cpuDir = "/sys/devices/system/cpu"

// processor reads the CPU: what it is, its clock, and what slows it down.
func (r *reader) processor() {
	r.cpuNames()
	r.cpuCounts()
	r.caches()
	r.clock()
	c := &r.facts.CPU
	for _, name := range r.under(cpuDir + "/vulnerabilities") {
		if c.Mitigations == nil {
			c.Mitigations = map[string]string{}
		}
		c.Mitigations[name] = r.word(cpuDir + "/vulnerabilities/" + name)
	}
}

// cpuFlags returns the flags of the first CPU; x86 is false if there is no such
// line (ARM has "Features", without a hypervisor flag).
func (r *reader) cpuFlags() (flags map[string]bool, x86 bool) {
	for _, line := range r.files["/proc/cpuinfo"] {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "flags" {
			flags = map[string]bool{}
			for _, f := range strings.Fields(value) {
				flags[f] = true
			}
			return flags, true
		}
	}
	return nil, false
}

// Part numbers ("CPU part" in /proc/cpuinfo) of implementer ARM (0x41), from
// ARM's Technical Reference Manuals (MIDR_EL1).
var armParts = map[string]string{
	"0xd03": "Cortex-A53", "0xd04": "Cortex-A35", "0xd05": "Cortex-A55", "0xd07": "Cortex-A57",
	"0xd08": "Cortex-A72", "0xd09": "Cortex-A73", "0xd0a": "Cortex-A75", "0xd0b": "Cortex-A76",
	"0xd0c": "Neoverse-N1", "0xd40": "Neoverse-V1", "0xd41": "Cortex-A78", "0xd49": "Neoverse-N2",
	"0xd4f": "Neoverse-V2",
}

func (r *reader) cpuNames() {
	c := &r.facts.CPU
	parts := map[string]bool{}
	for _, line := range r.files["/proc/cpuinfo"] {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "model name":
			if c.Model == "" {
				c.Model = strings.Join(strings.Fields(value), " ")
			}
		case "vendor_id":
			if c.Vendor == "" {
				c.Vendor = value
			}
		case "CPU implementer":
			if value == "0x41" {
				c.Vendor = "ARM"
			}
		case "CPU part":
			name := "CPU part " + value
			if known := armParts[value]; known != "" && c.Vendor == "ARM" {
				name = known
			}
			parts[name] = true
		}
	}
	if c.Model == "" && len(parts) > 0 {
		c.Model = strings.Join(sorted(parts), " + ")
	}
	if c.Model == "" {
		r.missing("cpu model", "not in /proc/cpuinfo", "")
	}
}

// cpuCounts counts sockets, cores, threads and usable threads. Cores are distinct sets of
// sibling threads: core numbers repeat between the dies of one package.
func (r *reader) cpuCounts() {
	c := &r.facts.CPU
	sockets, cores := map[string]bool{}, map[string]bool{}
	for _, name := range r.under(cpuDir) {
		if !isNumbered(name, "cpu") {
			continue
		}
		if p := r.word(cpuDir + "/" + name + "/topology/physical_package_id"); p != "" {
			sockets[p] = true
		}
		if s := r.word(cpuDir + "/" + name + "/topology/thread_siblings_list"); s != "" {
			cores[s] = true
		}
	}
	c.Sockets, c.Cores = len(sockets), len(cores)
	c.Threads = countList(r.word(cpuDir + "/online"))
	if c.Threads == 0 {
		for _, line := range r.files["/proc/cpuinfo"] {
			if key, _, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "processor" {
				c.Threads++
			}
		}
	}
	for _, line := range r.files["/proc/self/status"] {
		if list, is := strings.CutPrefix(line, "Cpus_allowed_list:"); is {
			c.Usable = countList(strings.TrimSpace(list))
		}
	}
	if c.Cores == 0 || c.Threads == 0 {
		r.missing("cpu cores", "not in "+cpuDir, "")
	}
}

// countList counts the CPUs in a list such as "0-3,8,10-11"; 0 if it is not a
// list.
func countList(list string) int {
	n := 0
	for _, span := range strings.Split(list, ",") {
		from, to, isSpan := strings.Cut(span, "-")
		a, err := strconv.Atoi(from)
		if err != nil {
			return 0
		}
		b := a
		if isSpan {
			if b, err = strconv.Atoi(to); err != nil {
				return 0
			}
		}
		if a < 0 || b < a || b > 1<<20 {
			return 0
		}
		n += b - a + 1
	}
	return n
}

// caches groups the caches by level, type and size. Each distinct set of CPUs
// that share a cache is one instance; if the kernel does not report it, one
// instance is counted: less cache than there is, never more.
func (r *reader) caches() {
	type kind struct {
		level int
		typ   string
		bytes int64
	}
	sharers := map[kind]map[string]bool{}
	for _, cpu := range r.under(cpuDir) {
		if !isNumbered(cpu, "cpu") {
			continue
		}
		at := cpuDir + "/" + cpu + "/cache"
		for _, index := range r.under(at) {
			dir := at + "/" + index
			level, ok := r.number(dir + "/level")
			size := bytesize.Whole(bytesize.Binary(r.word(dir + "/size")))
			if !ok || level < 1 || level > 9 || size <= 0 {
				continue
			}
			k := kind{int(level), r.word(dir + "/type"), size}
			if sharers[k] == nil {
				sharers[k] = map[string]bool{}
			}
			sharers[k][r.word(dir+"/shared_cpu_list")] = true
		}
	}
	c := &r.facts.CPU
	for k, sets := range sharers {
		c.Caches = append(c.Caches, assay.Cache{Level: k.level, Type: k.typ, Bytes: k.bytes, Count: len(sets)})
	}
	sort.Slice(c.Caches, func(i, j int) bool {
		a, b := c.Caches[i], c.Caches[j]
		if a.Level != b.Level {
			return a.Level < b.Level
		}
		if a.Type != b.Type {
			return a.Type < b.Type
		}
		return a.Bytes > b.Bytes
	})
	if len(c.Caches) == 0 {
		r.missing("cpu caches", cpuDir+"/cpu*/cache does not report their size", "")
	}
}

// clock reads the frequency driver, the limits in Hz (the widest over all
// CPUs), whether turbo is allowed, and how long it lasts.
func (r *reader) clock() {
	c := &r.facts.CPU
	governors, drivers := map[string]bool{}, map[string]bool{}
	for _, policy := range r.under(cpuDir + "/cpufreq") {
		dir := cpuDir + "/cpufreq/" + policy
		if g := r.word(dir + "/scaling_governor"); g != "" {
			governors[g] = true
		}
		if d := r.word(dir + "/scaling_driver"); d != "" {
			drivers[d] = true
		}
		if kHz, ok := r.number(dir + "/cpuinfo_min_freq"); ok && kHz > 0 {
			if hz := float64(kHz) * 1e3; c.MinHz == 0 || hz < c.MinHz {
				c.MinHz = hz
			}
		}
		if kHz, ok := r.number(dir + "/cpuinfo_max_freq"); ok && kHz > 0 {
			c.MaxHz = max(c.MaxHz, float64(kHz)*1e3)
		}
	}
	c.Governor = strings.Join(sorted(governors), ", ")
	c.Driver = strings.Join(sorted(drivers), ", ")
	switch {
	case r.word(cpuDir+"/intel_pstate/no_turbo") != "":
		c.Turbo = truth(r.word(cpuDir+"/intel_pstate/no_turbo") == "0")
	case r.word(cpuDir+"/cpufreq/boost") != "":
		c.Turbo = truth(r.word(cpuDir+"/cpufreq/boost") == "1")
	}
	c.TurboWindow = r.longTerm()

	why, hint := "this kernel does not expose it", ""
	if r.virtual() {
		why, hint = "the host's clock is not visible in a virtual machine", "check on the hypervisor"
	}
	if c.Governor == "" {
		r.missing("cpu governor", why, hint)
	}
	if c.MaxHz == 0 {
		r.missing("cpu clock limits", why, hint)
	}
	if c.Turbo == nil {
		r.missing("cpu turbo", why, hint)
	}
	if c.TurboWindow == 0 {
		if !r.virtual() {
			hint = "on an Intel CPU: modprobe intel_rapl_msr"
		}
		r.missing("cpu turbo window", why, hint)
	}
}

// longTerm returns the time window of the package's long-term power limit, in
// s.
func (r *reader) longTerm() float64 {
	const dir = "/sys/class/powercap/intel-rapl:0"
	for _, file := range r.under(dir) {
		constraint, ok := strings.CutSuffix(file, "_name")
		if !ok || r.word(dir+"/"+file) != "long_term" {
			continue
		}
		if us, ok := r.number(dir + "/" + constraint + "_time_window_us"); ok && us > 0 {
			return float64(us) / 1e6
		}
	}
	return 0
}

// isNumbered reports whether name is stem followed only by digits.
func isNumbered(name, stem string) bool {
	rest, ok := strings.CutPrefix(name, stem)
	return ok && rest != "" && digits(rest) == rest
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	sortNatural(out)
	return out
}
