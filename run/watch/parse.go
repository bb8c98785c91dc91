package watch

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// sectorBytes is the unit of /sys/class/block/*/stat, whatever the device's own
// sector size is (Documentation/block/stat.rst).
const sectorBytes = 512

// parseSnapshot parses the script's output for "once": counters, and each process's CPU
// time.
func parseSnapshot(b []byte) (assay.Snapshot, processes, error) {
	s := assay.Snapshot{Kernel: -1, Throttles: -1, Devices: map[string]assay.DeviceCounts{}}
	r := reader{hertz: 100}
	var c counters
	paths := map[string]assay.DeviceCounts{}
	used := processes{}
	seen := map[string]bool{}
	throttles := map[string]int64{}
	for _, line := range strings.Split(string(b), "\n") {
		key, rest, _ := strings.Cut(line, " ")
		ok := true
		switch key {
		case "H":
			ok = r.setHertz(rest)
		case "U":
			s.Uptime, ok = number(rest)
		case "T":
			s.Clock, ok = number(rest)
		case "C":
			s.CPU, ok = r.cpu(rest)
		case "D":
			ok = device(rest, s.Devices)
		case "P":
			ok = path(rest, paths)
		case "X":
			ok = throttled(rest, throttles)
		case "K":
			var n float64
			if n, ok = number(rest); ok {
				s.Kernel = n / r.hertz
			}
		case "N":
			r.process(rest, used)
		case "G":
			c.setPage(rest)
		default:
			c.line(line)
		}
		if ok {
			seen[key] = true
		}
	}
	for _, n := range throttles {
		s.Throttles = max(s.Throttles, 0) + n
	}
	if !seen["U"] || !seen["C"] {
		return s, used, fmt.Errorf("%w: no uptime or no CPU time in the kernel's counters", assay.ErrNoOutput)
	}
	throughPaths(s.Devices, paths)
	c.into(&s)
	return s, used, nil
}

// ParseTicks parses the script's output for "loop". At is the uptime. A block
// without its end was cut off and is skipped, as is anything unreadable.
func ParseTicks(b []byte, sensors []assay.Sensor) []assay.Tick {
	r := reader{hertz: 100}
	var ticks []assay.Tick
	t := emptyTick()
	ok := false // uptime seen
	var clocks []float64
	var c counters
	paths := map[string]assay.DeviceCounts{}
	for _, line := range strings.Split(string(b), "\n") {
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "H":
			r.setHertz(rest)
		case "U":
			t.At, ok = number(rest)
		case "C":
			t.CPU, _ = r.cpu(rest)
		case "D":
			device(rest, t.Devices)
		case "P":
			path(rest, paths)
		case "S":
			temperature(rest, sensors, t.Temps)
		case "F": // kHz
			if v, good := number(rest); good {
				clocks = append(clocks, v*1e3)
			}
		case "M": // MHz
			if v, good := number(rest); good {
				clocks = append(clocks, v*1e6)
			}
		case ".":
			throughPaths(t.Devices, paths)
			t.Clock = mean(clocks)
			t.Pressure, t.Runnable = c.pressureOf(), c.runnable
			if ok {
				ticks = append(ticks, t)
			}
			t, ok, clocks, c = emptyTick(), false, nil, counters{}
			clear(paths)
		default:
			c.line(line)
		}
	}
	return ticks
}

func emptyTick() assay.Tick {
	return assay.Tick{Devices: map[string]assay.DeviceCounts{}, Temps: map[string]float64{}}
}

// reader converts clock ticks to seconds.
type reader struct{ hertz float64 }

func (r *reader) setHertz(s string) bool {
	v, ok := number(s)
	if ok && v >= 1 && v <= 1e6 {
		r.hertz = v
		return true
	}
	return false
}

// cpu parses the first line of /proc/stat: "cpu  user nice system idle iowait
// irq softirq steal guest guest_nice", in clock ticks. user includes guest time.
func (r *reader) cpu(s string) (assay.CPUTime, bool) {
	words := strings.Fields(s)
	if len(words) < 5 || words[0] != "cpu" {
		return assay.CPUTime{}, false
	}
	var v [8]float64
	for i := range v {
		if i+1 >= len(words) {
			break // kernels before 2.6.11 have no steal
		}
		n, ok := number(words[i+1])
		if !ok {
			return assay.CPUTime{}, false
		}
		v[i] = n / r.hertz
	}
	return assay.CPUTime{User: v[0], Nice: v[1], System: v[2], Idle: v[3], IOWait: v[4], IRQ: v[5], SoftIRQ: v[6], Steal: v[7]}, true
}

// throttled parses "PACKAGE COUNT" or "PACKAGE/CORE COUNT". All CPUs of a
// package count its events, and all threads of a core that core's: the highest
// count is used.
func throttled(s string, into map[string]int64) bool {
	words := strings.Fields(s)
	if len(words) != 2 {
		return false
	}
	n, ok := number(words[1])
	if !ok || n >= 1e15 {
		return false
	}
	into[words[0]] = max(into[words[0]], int64(n))
	return true
}

// device parses "NAME reads merged sectors ms writes merged sectors ms …".
func device(s string, into map[string]assay.DeviceCounts) bool {
	words := strings.Fields(s)
	if len(words) < 12 {
		return false
	}
	var n [16]int64
	for i := 1; i < len(words) && i < len(n); i++ {
		v, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || v < 0 || v > math.MaxInt64/sectorBytes {
			return false
		}
		n[i] = v
	}
	count, took := flushes(words)
	into[words[0]] = assay.DeviceCounts{
		Reads: n[1], ReadBytes: n[3] * sectorBytes,
		Writes: n[5], WriteBytes: n[7] * sectorBytes,
		Flushes: count, FlushTime: took,
		Busy: float64(n[10]) / 1000,
	}
	return true
}

// path adds the counts of one path of a multipath device to those of its other paths, by
// the device's name.
func path(s string, into map[string]assay.DeviceCounts) bool {
	one := map[string]assay.DeviceCounts{}
	if !device(s, one) {
		return false
	}
	for name, c := range one {
		sum := into[name]
		sum.Reads, sum.ReadBytes = sum.Reads+c.Reads, sum.ReadBytes+c.ReadBytes
		sum.Writes, sum.WriteBytes = sum.Writes+c.Writes, sum.WriteBytes+c.WriteBytes
		sum.Flushes, sum.FlushTime = sum.Flushes+c.Flushes, sum.FlushTime+c.FlushTime
		sum.Busy = max(sum.Busy, c.Busy) // they work at the same time
		into[name] = sum
	}
	return true
}

// throughPaths gives a multipath device that has counted nothing since boot what its paths
// counted. Newer kernels count at the device, too.
func throughPaths(devices, paths map[string]assay.DeviceCounts) {
	for name, c := range paths {
		if counted, there := devices[name]; there && counted == (assay.DeviceCounts{}) {
			devices[name] = c
		}
	}
}

// flushes parses the 16th and 17th fields: from kernel 5.5 on, the number of flushes and their
// time in ms.
func flushes(words []string) (count int64, took float64) {
	if len(words) < 18 {
		return 0, 0
	}
	count, err := strconv.ParseInt(words[16], 10, 64)
	ms, err2 := strconv.ParseUint(words[17], 10, 32)
	if err != nil || err2 != nil || count < 0 {
		return 0, 0
	}
	return count, float64(ms) / 1000
}

// temperature parses "INDEX MILLIDEGREES". A value that no machine survives
// means a broken sensor.
func temperature(s string, sensors []assay.Sensor, into map[string]float64) {
	index, value, _ := strings.Cut(s, " ")
	i, err := strconv.Atoi(index)
	milli, err2 := strconv.ParseInt(strings.TrimSpace(value), 10, 32)
	if err != nil || err2 != nil || i < 0 || i >= len(sensors) {
		return
	}
	if c := float64(milli) / 1000; c > -50 && c < 150 {
		into[sensors[i].Key] = c
	}
}

func mean(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sum := 0.
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// number parses a finite, non-negative number.
func number(s string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > 1e18 {
		return 0, false
	}
	return v, true
}
