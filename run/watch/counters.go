package watch

import (
	"strconv"
	"strings"

	"assay"
)

// counters collects the lines "FILE:LINE" of one look.
type counters struct {
	page     int64
	runnable int
	pressure map[string]float64 // s, by "cpu some"
	swapped  map[string]int64   // pages, by kernel name
	arc      map[string]int64   // blocks, by name in arcstats
	quota    map[string]int64
	counted  bool // the lines include cpu.stat of a control group
	limits   map[string]int64
	nics     map[string]assay.NICCounts
	carrier  map[string]int64 // changes, by interface
	tcp      []string         // field names for the next line
	resent   *int64
}

func (c *counters) setPage(s string) {
	if n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil && n >= 512 && n <= 1<<30 {
		c.page = n
	}
}

// line parses one line. The name of a control group may contain colons.
func (c *counters) line(s string) {
	for _, file := range []struct {
		name string
		read func(string)
	}{
		{"/cpu.stat:", c.cpuStat}, {"/memory.events.local:", c.memoryEvents},
	} {
		if path, rest, is := strings.Cut(s, file.name); is && strings.HasPrefix(path, "sys/fs/cgroup") {
			file.read(rest)
			return
		}
	}
	if path, rest, is := strings.Cut(s, "/carrier_changes:"); is {
		c.changes(strings.TrimPrefix(path, "sys/class/net/"), rest)
		return
	}
	file, rest, _ := strings.Cut(s, ":")
	switch file {
	case "proc/loadavg":
		c.loadavg(rest)
	case "proc/pressure/cpu", "proc/pressure/io", "proc/pressure/memory":
		c.stalled(strings.TrimPrefix(file, "proc/pressure/"), rest)
	case "proc/vmstat":
		count(rest, &c.swapped)
	case "proc/spl/kstat/zfs/arcstats":
		c.cached(rest)
	case "proc/net/dev":
		c.nic(rest)
	case "proc/net/snmp":
		c.segments(rest)
	}
}

// loadavg reads "0.20 0.18 0.12 3/80 11206".
func (c *counters) loadavg(s string) {
	if words := strings.Fields(s); len(words) == 5 {
		running, _, _ := strings.Cut(words[3], "/")
		if n, err := strconv.Atoi(running); err == nil && n >= 0 && n < 1<<22 {
			c.runnable = n
		}
	}
}

// stalled parses "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345", in µs.
func (c *counters) stalled(resource, s string) {
	kind, rest, _ := strings.Cut(s, " ")
	_, total, ok := strings.Cut(rest, "total=")
	if us, known := number(total); ok && known {
		if c.pressure == nil {
			c.pressure = map[string]float64{}
		}
		c.pressure[resource+" "+kind] = us / 1e6
	}
}

// pressureOf returns the pressure if it was read for all resources.
func (c *counters) pressureOf() *assay.Pressure {
	for _, resource := range []string{"cpu", "io", "memory"} {
		if _, ok := c.pressure[resource+" some"]; !ok {
			return nil
		}
	}
	full := func(resource string) *float64 {
		if v, ok := c.pressure[resource+" full"]; ok {
			return &v
		}
		return nil
	}
	return &assay.Pressure{
		CPU: c.pressure["cpu some"],
		IO:  c.pressure["io some"], IOFull: full("io"),
		Memory: c.pressure["memory some"], MemoryFull: full("memory"),
	}
}

// cpuStat parses a line of cpu.stat. Groups without the CPU controller count only
// their usage: no quota makes them wait.
func (c *counters) cpuStat(s string) {
	if name, ok := count(s, &c.quota); ok && name != "" {
		c.counted = true
	}
}

func (c *counters) memoryEvents(s string) { count(s, &c.limits) }

// count adds NUMBER of "NAME NUMBER" to the count of that name.
func count(s string, into *map[string]int64) (name string, ok bool) {
	name, value, _ := strings.Cut(s, " ")
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil || n < 0 || n > 1<<60 {
		return name, false
	}
	if *into == nil {
		*into = map[string]int64{}
	}
	if sum := (*into)[name] + n; sum >= 0 {
		(*into)[name] = sum
	}
	return name, true
}

// nic parses "  eth0: bytes packets errs drop fifo frame compressed multicast bytes
// packets errs drop …", received first. The number may directly follow the colon.
func (c *counters) nic(s string) {
	name, rest, ok := strings.Cut(strings.TrimSpace(s), ":")
	words := strings.Fields(rest)
	if !ok || len(words) < 16 || name == "lo" {
		return
	}
	var n [16]int64
	for i := range n {
		v, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || v < 0 {
			return
		}
		n[i] = v
	}
	if c.nics == nil {
		c.nics = map[string]assay.NICCounts{}
	}
	c.nics[name] = assay.NICCounts{
		RxBytes: n[0], RxPackets: n[1], RxErrors: n[2], RxDrops: n[3],
		TxBytes: n[8], TxPackets: n[9], TxErrors: n[10], TxDrops: n[11],
	}
}

// changes parses how often an interface's link went up or down.
func (c *counters) changes(nic, s string) {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 {
		return
	}
	if c.carrier == nil {
		c.carrier = map[string]int64{}
	}
	c.carrier[nic] = n
}

// nicsOf returns the interfaces with all their counters.
func (c *counters) nicsOf() map[string]assay.NICCounts {
	for name, n := range c.nics {
		n.CarrierChanges = c.carrier[name]
		c.nics[name] = n
	}
	return c.nics
}

// segments parses the two lines "Tcp:" of /proc/net/snmp: names, then numbers.
func (c *counters) segments(s string) {
	protocol, rest, _ := strings.Cut(s, ":")
	if protocol != "Tcp" {
		return
	}
	words := strings.Fields(rest)
	if c.tcp == nil {
		c.tcp = words
		return
	}
	for i, name := range c.tcp {
		if name != "RetransSegs" || i >= len(words) {
			continue
		}
		if n, err := strconv.ParseInt(words[i], 10, 64); err == nil && n >= 0 {
			c.resent = &n
		}
	}
}

// cached parses "demand_data_hits                4    56220773": a name, a type, a
// number.
func (c *counters) cached(s string) {
	if words := strings.Fields(s); len(words) == 3 {
		count(words[0]+" "+words[2], &c.arc)
	}
}

// arcOf sums up arcstats: a read is a hit, a miss, or, from 2.2 on, joins one of the
// same block in flight.
func (c *counters) arcOf() *assay.ARCCounts {
	hits, ok := c.arc["demand_data_hits"]
	misses, okMisses := c.arc["demand_data_misses"]
	ahead, okAhead := c.arc["prefetch_data_misses"]
	const most = 1 << 60
	if !ok || !okMisses || !okAhead || max(hits, misses, ahead, c.arc["demand_data_iohits"]) > most {
		return nil
	}
	return &assay.ARCCounts{Reads: hits + misses + c.arc["demand_data_iohits"], Drive: misses + ahead}
}

func (c *counters) into(s *assay.Snapshot) {
	s.Runnable, s.NICs, s.Retransmits = c.runnable, c.nicsOf(), c.resent
	s.Pressure = c.pressureOf()
	s.ARC = c.arcOf()
	if c.counted {
		s.Quota = &assay.QuotaCounts{
			Periods: c.quota["nr_periods"], Throttled: c.quota["nr_throttled"],
			Time: float64(c.quota["throttled_usec"])/1e6 + float64(c.quota["throttled_time"])/1e9, // v2, v1
		}
	}
	if _, ok := c.limits["max"]; ok {
		s.Limits = &assay.LimitCounts{High: c.limits["high"], Max: c.limits["max"], OOMKills: c.limits["oom_kill"]}
	}
	in, okIn := c.swapped["pswpin"]
	out, okOut := c.swapped["pswpout"]
	if okIn && okOut && c.page > 0 && max(in, out) < 1<<62/c.page {
		s.Swap = &assay.SwapCounts{In: in * c.page, Out: out * c.page}
	}
}

// moved returns only the interfaces with traffic between two looks, for both
// looks: a cluster node has hundreds of idle ones.
func moved(before, after map[string]assay.NICCounts) (b, a map[string]assay.NICCounts) {
	for name, now := range after {
		was, ok := before[name]
		if !ok || was == now {
			continue
		}
		if b == nil {
			b, a = map[string]assay.NICCounts{}, map[string]assay.NICCounts{}
		}
		b[name], a[name] = was, now
	}
	return b, a
}
