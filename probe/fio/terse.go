package fio

import (
	"strconv"
	"strings"
)

// The fields of a terse line (--minimal, --output-format=terse), which fio's HOWTO
// lists under "Terse output": version, fio's version, job, group and error, then
// the same for each direction. Versions 3 and 4 differ in the directions, and
// version 5 has more about the samples.
const (
	terseHead        = 5
	terseDirection   = 4 + 4 + 4 + tersePercentiles + 4 + 5
	terseSamples     = 1 + 5 // more of version 5: bandwidth samples; min, max, mean, deviation, samples of IOPS
	tersePercentiles = 20
	terseCPU         = 5
	terseDepths      = 7
	terseBuckets     = 10 + 12
	terseDisk        = 9
)

// depthLevels are the names of the queue depths, as in the report.
var depthLevels = []string{"1", "2", "4", "8", "16", "32", ">=64"}

// isTerse reports whether a line is --minimal output, of its version 3 or
// later.
func isTerse(text string) bool {
	return len(text) > 6 && text[0] >= '2' && text[0] <= '9' && strings.HasPrefix(text[1:], ";fio-")
}

// startedIn reads "Starting 2 processes" and "Starting 1 thread and 2 processes"; 0
// for any other line.
func startedIn(text string) int {
	words := strings.Fields(text)
	n := 0
	for i := 1; i+1 < len(words); i++ {
		count, err := strconv.Atoi(words[i])
		if err == nil && count > 0 && count < 1e6 && (strings.HasPrefix(words[i+1], "process") || strings.HasPrefix(words[i+1], "thread")) {
			n += count
		}
	}
	return n
}

// terseFields holds the fields of a terse line still to be read.
type terseFields struct {
	rest []string
	line int
}

// next consumes n fields. Those that are not numbers stay absent.
func (f *terseFields) next(n int) []number {
	all := make([]number, n)
	for i, word := range f.rest[:n] {
		// 50.000000%=138 is a percentile and its value.
		word = word[strings.IndexByte(word, '=')+1:]
		v, err := strconv.ParseFloat(strings.TrimSuffix(word, "%"), 64)
		if err == nil && v >= 0 && v <= 1e18 {
			all[i] = number{v: v, set: true, line: f.line}
		}
	}
	f.rest = f.rest[n:]
	return all
}

// readTerse reads one line of --minimal: a job, or a later status of one.
func (r *report) readTerse(text string, line int) {
	f := terseFields{strings.Split(text, ";"), line}
	version := text[0]
	directions, length := directionNames, terseDirection
	if version == '3' {
		directions = directionNames[:2]
	}
	if version == '5' {
		length += terseSamples
	}
	if version < '3' || version > '5' || len(f.rest) < terseHead+length {
		return
	}
	j := &job{name: f.rest[2], group: f.rest[3], line: line}
	r.d.version = f.rest[1]
	j.failed = (&terseFields{f.rest[4:5], line}).next(1)[0]
	f.rest = f.rest[terseHead:]
	for _, name := range directions {
		if len(f.rest) < length {
			break // cut off
		}
		if d := f.direction(version == '5'); d.moved() {
			*j.make(name) = *d
		}
	}
	if len(f.rest) >= terseCPU+terseDepths+terseBuckets {
		f.next(terseCPU)
		j.hasCPU = true
		for i, n := range f.next(terseDepths) {
			j.depths = append(j.depths, share{depthLevels[i], n})
		}
		f.next(terseBuckets)
		r.terseDisks = nil
		for len(f.rest) >= terseDisk && f.rest[0] != "" {
			d := disk{name: f.rest[0], line: line}
			f.rest = f.rest[1:]
			n := f.next(terseDisk - 1)
			d.ios, d.merges = [2]number{n[0], n[1]}, [2]number{n[2], n[3]}
			r.terseDisks = append(r.terseDisks, d)
		}
	}
	for i, before := range r.terse {
		if laterStatus(before, j) {
			r.terse[i] = j
			return
		}
	}
	r.terse = append(r.terse, j)
}

// shortestStatus is the minimum time between two statuses of one job, in ms:
// --status-interval is in whole seconds.
const shortestStatus = 900

// laterStatus reports whether b is a later status of the same run of a job as a.
// Logs that scripts append to hold many runs with the same name.
func laterStatus(a, b *job) bool {
	if a.name != b.name || a.group != b.group || b.longest()-a.longest() < shortestStatus {
		return false
	}
	for _, name := range directionNames {
		x, y := a.direction(name), b.direction(name)
		if x != nil && (y == nil || y.ioBytes.v <= x.ioBytes.v) {
			return false
		}
	}
	return true
}

// percentiles reads the percentiles of a direction, each named on the line; unused
// ones are 0%=0.
func (f *terseFields) percentiles() []percentile {
	var all []percentile
	names := f.rest[:tersePercentiles]
	for i, n := range f.next(tersePercentiles) {
		name, _, ok := strings.Cut(names[i], "%=")
		p, err := strconv.ParseFloat(name, 64)
		if ok && err == nil && p > 0 && p <= 100 && n.set {
			all = append(all, percentile{p, n})
		}
	}
	return all
}

func (f *terseFields) direction(samples bool) *direction {
	d := &direction{}
	rounded := func(n number, unit float64) number {
		n.v, n.rounding = n.v*unit, unit
		return n
	}
	n := f.next(4)
	d.ioBytes, d.bwBytes, d.iops, d.runtime = rounded(n[0], 1024), rounded(n[1], 1024), rounded(n[2], 1), n[3]
	d.submission = f.latency("slat")
	d.completion = f.latency("clat")
	d.completion.percentiles = f.percentiles()
	d.total = f.latency("lat")
	n = f.next(5) // min, max, share of the group, mean, deviation
	d.bwMean, d.bwStdDev = n[3], n[4]
	if samples {
		d.bwSamples = f.next(1)[0]
		n = f.next(5)
		d.iopsMean, d.iopsStdDev, d.iopsSamples = n[2], n[3], n[4]
	}
	return d
}

// latency reads min, max, mean and deviation, in µs. Unmeasured values are 0.
func (f *terseFields) latency(key string) *latency {
	n := f.next(4)
	return &latency{key: key, unit: 1e-6, min: n[0], max: n[1], mean: n[2], stdDev: n[3]}
}
