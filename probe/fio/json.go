package fio

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// document reads one JSON document of fio versions 2 and 3.
func (s *scanner) document() document {
	s.peek()
	d := document{line: s.line}
	var clients []*job
	s.object(func(key []byte) {
		switch string(key) {
		case "fio version":
			d.version = s.word()
		case "timestamp":
			d.stamp = s.number()
		case "global options":
			d.global = s.options()
		case "jobs":
			s.list(func() { d.jobs = append(d.jobs, s.job()) })
		case "client_stats":
			d.clients = true
			s.list(func() { clients = append(clients, s.job()) })
		case "disk_util":
			s.list(func() { d.disks = append(d.disks, s.disk()) })
		default:
			s.skip()
		}
	})
	d.jobs = append(d.jobs, allFirst(clients)...)
	return d
}

// isFio reports whether a document is one of fio's.
func (d document) isFio() bool { return d.version != "" || d.jobs != nil || d.clients }

// allFirst moves the sum over all clients to the front: the first figure of a
// metric is the total.
func allFirst(jobs []*job) []*job {
	for i, j := range jobs {
		if j.name == allClients {
			copy(jobs[1:i+1], jobs[:i])
			jobs[0] = j
			break
		}
	}
	return jobs
}

func (s *scanner) job() *job {
	s.peek()
	j := &job{line: s.line}
	s.object(func(key []byte) {
		switch string(key) {
		case "jobname":
			j.name = s.word()
		case "hostname":
			j.host = s.word()
		case "error":
			j.failed = s.number()
		case "total_err":
			j.errors = s.number()
		case "elapsed":
			j.elapsed = s.number()
		case "job_runtime":
			j.runtime = s.number()
		case "job options":
			j.options = s.options()
		case "read", "write", "trim", "mixed":
			s.direction(j.make(string(key)))
		case "sync":
			j.flush = s.flush()
		case "iodepth_level":
			j.depths = s.shares()
		case "latency_ns":
			j.nanoseconds = s.shares()
		case "latency_us":
			j.microseconds = s.shares()
		case "latency_ms":
			j.milliseconds = s.shares()
		default:
			s.skip()
		}
	})
	return j
}

// flush returns the latencies of fsync and fdatasync, or nil if there were
// none.
func (s *scanner) flush() (l *latency) {
	s.object(func(key []byte) {
		switch string(key) {
		case "lat_ns":
			l = s.latency(key)
		default:
			s.skip()
		}
	})
	if l == nil || l.mean.v == 0 {
		return nil
	}
	return l
}

func (s *scanner) direction(d *direction) {
	s.object(func(key []byte) {
		switch string(key) {
		case "io_bytes":
			d.ioBytes = s.number()
		case "io_kbytes":
			d.ioKBytes = s.number()
		case "bw_bytes":
			d.bwBytes = s.number()
		case "bw":
			d.bw = s.number()
		case "iops":
			d.iops = s.number()
		case "runtime":
			d.runtime = s.number()
		case "total_ios":
			d.ios = s.number()
		case "bw_dev":
			d.bwStdDev = s.number()
		case "bw_mean":
			d.bwMean = s.number()
		case "iops_mean":
			d.iopsMean = s.number()
		case "bw_samples":
			d.bwSamples = s.number()
		case "iops_stddev":
			d.iopsStdDev = s.number()
		case "iops_samples":
			d.iopsSamples = s.number()
		case "slat_ns", "slat":
			d.submission = s.latency(key)
		case "clat_ns", "clat":
			d.completion = s.latency(key)
		case "lat_ns", "lat":
			d.total = s.latency(key)
		default:
			s.skip()
		}
	})
}

// Capacity for what fio prints: at most 20 percentiles, and as many bins as a
// one-minute run usually fills.
const (
	mostPercentiles = 20
	usualBins       = 256
)

// latency reads one in ns (version 3) or µs (version 2), depending on its name.
func (s *scanner) latency(name []byte) *latency {
	l := &latency{key: string(name), unit: 1e-6}
	if strings.HasSuffix(l.key, "_ns") {
		l.unit = 1e-9
	}
	s.object(func(key []byte) {
		switch string(key) {
		case "min":
			l.min = s.number()
		case "max":
			l.max = s.number()
		case "mean":
			l.mean = s.number()
		case "stddev":
			l.stdDev = s.number()
		case "percentile":
			l.percentiles = make([]percentile, 0, mostPercentiles)
			s.object(func(key []byte) { s.percentile(l, string(key)) })
		case "bins":
			l.bins = make([]bin, 0, usualBins)
			s.object(func(key []byte) { s.bin(l, key) })
		default:
			s.skip()
		}
	})
	return l
}

func (s *scanner) percentile(l *latency, key string) {
	p, err := strconv.ParseFloat(key, 64)
	if err != nil || !(p >= 0 && p <= 100) {
		s.fail(fmt.Errorf("line %d: %.40q is not a percentile", s.line, key))
		return
	}
	if n := s.number(); p > 0 { // version 2 fills its list with "0.00"
		l.percentiles = append(l.percentiles, percentile{p, n})
	}
}

// bin reads one bin. Version 2 lists the constants of its layout among the
// bins.
func (s *scanner) bin(l *latency, key []byte) {
	k, ok := uint64(0), len(key) > 0 && len(key) < 19
	for _, c := range key {
		ok = ok && c >= '0' && c <= '9'
		k = k*10 + uint64(c-'0')
	}
	if !ok {
		if string(key) == "FIO_IO_U_PLAT_BITS" {
			l.indexed = true
		} else if l.badBin == nil && !bytes.HasPrefix(key, []byte("FIO_IO_U_PLAT_")) {
			l.badBin = fmt.Errorf("line %d: bin %.40q is not a latency", s.line, key)
		}
		s.skip()
		return
	}
	n := s.number()
	count, err := n.notNegative("bin", 1)
	if err == nil && count > 1<<53 {
		err = fmt.Errorf("line %d: bin %d holds %g operations, which is impossible", n.line, k, count)
	}
	switch {
	case err != nil:
		l.badBin = cmp.Or(l.badBin, err)
	case count > 0:
		l.bins = append(l.bins, bin{k, int64(count)})
	}
}

func (s *scanner) shares() []share {
	var all []share
	s.object(func(key []byte) {
		level := string(key)
		if n := s.number(); n.v != 0 || !n.set {
			all = append(all, share{level, n})
		}
	})
	return all
}

func (s *scanner) disk() disk {
	s.peek()
	d := disk{line: s.line}
	s.object(func(key []byte) {
		switch string(key) {
		case "name":
			d.name = s.word()
		case "read_ios":
			d.ios[0] = s.number()
		case "write_ios":
			d.ios[1] = s.number()
		case "read_merges":
			d.merges[0] = s.number()
		case "write_merges":
			d.merges[1] = s.number()
		case "read_sectors":
			d.sectors[0] = s.number()
		case "write_sectors":
			d.sectors[1] = s.number()
		case "aggr_read_ios":
			d.stacked = true
			s.skip()
		default:
			s.skip()
		}
	})
	return d
}

// options reads an object of strings and numbers; any other value becomes "".
func (s *scanner) options() options {
	o := options{}
	s.object(func(key []byte) {
		name := canonical(string(key))
		o[name] = s.word()
	})
	return o
}
