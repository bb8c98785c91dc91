package fio

import (
	"fmt"
	"math"

	"assay"
)

// document is one account of a run by fio: a JSON document of versions 2 and 3,
// or the human-readable report.
type document struct {
	started int // processes and threads, from a report
	// shares are the bandwidths of the slowest and fastest job, in B/s, by group and
	// direction, from the run status groups of a report.
	shares  map[string][2]float64
	version string // fio-3.33
	text    bool   // the human-readable report: rounded and incomplete
	global  options
	jobs    []*job
	disks   []disk
	stopped string // the signal that ended it before its time, "" for none
	done    string // the share of the work that was done then, in percent, "" where it is not said
	clients bool   // of a server's clients, with their sum first
	listed  bool   // one of several in a JSON array
	stamp   number // written at, in s since 1970
	line    int    // where it begins
}

// allClients is the name of fio's own sum over its clients.
const allClients = "All clients"

// job is one job, or a group of jobs that fio added up.
type job struct {
	name    string
	host    string
	failed  number // fio's error number; 0 if it did not fail
	why     string // in fio's words
	errors  number // operations that failed
	elapsed number // s since the run began
	runtime number // ms
	members int    // how many jobs it adds up; 0: unknown
	pid     string
	group   string
	options options
	line    int

	read, write, trim, mixed *direction

	flush *latency // of fsync and fdatasync; nil if there were none

	depths       []share // percent
	nanoseconds  []share
	microseconds []share
	milliseconds []share
	hasCPU       bool   // the report line after the shares was found
	cpu          number // percent of one CPU, kernel and user
}

// idle reports whether a job neither did nor failed anything.
func (j *job) idle() bool {
	return !j.read.moved() && !j.write.moved() && !j.trim.moved() && !j.mixed.moved() && j.flush == nil && j.failed.v == 0 && j.errors.v == 0
}

// cutShares drops the latency shares of a report that is cut off among them,
// since some may be missing. fio prints CPU usage and queue depths after them,
// versions before 2.0 before them.
func (j *job) cutShares() {
	if !j.hasCPU && len(j.depths) == 0 {
		j.nanoseconds, j.microseconds, j.milliseconds = nil, nil, nil
	}
}

// share is the percentage of operations at a level.
type share struct {
	level   string
	percent number
}

var directionNames = []string{"read", "write", "trim"}

// direction returns the one of that name, or nil if fio printed none.
func (j *job) direction(name string) *direction {
	switch name {
	case "read":
		return j.read
	case "write":
		return j.write
	case "trim":
		return j.trim
	case "mixed":
		return j.mixed
	}
	return nil
}

// make returns the direction of that name, creating it if needed.
func (j *job) make(name string) *direction {
	var d **direction
	switch name {
	case "read":
		d = &j.read
	case "write":
		d = &j.write
	case "trim":
		d = &j.trim
	default:
		d = &j.mixed
	}
	if *d == nil {
		*d = &direction{}
	}
	return *d
}

// moved reports whether the job did anything in any direction.
func (j *job) moved() bool {
	return j.read.moved() || j.write.moved() || j.trim.moved() || j.mixed.moved()
}

// direction is what a job did in one direction.
type direction struct {
	ioBytes  number // B; KiB in version 2
	ioKBytes number // KiB; absent in version 2
	bwBytes  number // B/s; absent in version 2
	bw       number // KiB/s
	iops     number
	runtime  number // ms
	ios      number // absent before 2.1.5

	// The standard deviations of fio's own samples, and their number.
	bwStdDev, bwSamples, bwMean       number // KiB/s
	iopsStdDev, iopsSamples, iopsMean number

	iopsUnit           float64 // the carry that printed iops may have lost; 0: none
	iopsWrong, bwWrong bool    // misprinted, and corrected

	submission, completion, total *latency
}

// latency is one of fio's three latencies. Its numbers multiplied by unit are
// seconds.
type latency struct {
	unit                   float64
	key                    string // as fio names it
	min, max, mean, stdDev number
	percentiles            []percentile
	bins                   []bin
	indexed                bool  // bins are named by index, as in version 2
	badBin                 error // what is wrong with the first invalid bin
}

type percentile struct {
	p     float64 // 0 to 100
	value number
}

// bin is one bin of json+: its name and its number of operations. There are
// many.
type bin struct {
	key   uint64
	count int64
}

// disk holds what the kernel counted at a block device during the run.
type disk struct {
	name    string
	stacked bool // stacked on others, which are listed after it
	line    int
	// For reads and writes; sectors are 512 bytes.
	ios, merges, sectors [2]number
}

// idle reports whether the kernel counted no operation there, in either direction.
func (d disk) idle() bool {
	for i := range d.ios {
		if !d.ios[i].set || d.ios[i].v != 0 || d.sectors[i].v != 0 {
			return false
		}
	}
	return true
}

// moved reports whether anything was done in this direction.
func (d *direction) moved() bool {
	switch {
	case d == nil:
		return false
	case d.ios.set:
		return d.ios.v != 0
	}
	return d.ioBytes.v != 0 || d.bwBytes.v != 0 || !d.ioBytes.set && d.iops.v != 0
}

// bytes returns the bytes moved. If io_kbytes is present, io_bytes is in bytes; in
// earlier versions it is in KiB. A report's figure has its own unit.
func (d *direction) bytes() (float64, error) {
	unit := 1024.0
	if d.ioKBytes.set || d.bwBytes.set || d.ioBytes.rounding > 0 {
		unit = 1
	}
	return d.ioBytes.notNegative("io_bytes", unit)
}

// bandwidth returns the bandwidth in B/s and the line it is on.
func (d *direction) bandwidth() (v float64, line int, err error) {
	if d.bwBytes.set {
		v, err = d.bwBytes.above("bw_bytes", 1)
		return v, d.bwBytes.line, err
	}
	v, err = d.bw.above("bw", 1024)
	return v, d.bw.line, err
}

// number is a number that may be absent.
type number struct {
	v    float64
	set  bool
	line int
	word string // what was there instead
	// rounding is the maximum rounding error of a figure from the
	// human-readable report; 0 if it is not rounded.
	rounding float64
}

// notNegative returns the number times unit, or an error if it is absent or below 0.
func (n number) notNegative(key string, unit float64) (float64, error) {
	switch {
	case !n.set && n.word != "":
		return 0, fmt.Errorf("line %d: %s is missing, fio printed %s: %w", n.line, key, n.word, assay.ErrNoOutput)
	case !n.set:
		return 0, fmt.Errorf("%s is missing: %w", key, assay.ErrNoOutput)
	case n.v < 0 || math.IsInf(n.v*unit, 0):
		return 0, fmt.Errorf("line %d: %s is %g, which is impossible", n.line, key, n.v)
	}
	return n.v * unit, nil
}

// above is notNegative, but does not allow 0 either.
func (n number) above(key string, unit float64) (float64, error) {
	v, err := n.notNegative(key, unit)
	if err == nil && v <= 0 {
		err = fmt.Errorf("line %d: %s is 0, but operations were counted", n.line, key)
	}
	return v, err
}
