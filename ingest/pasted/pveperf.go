package pasted

import "assay/internal/lazyregexp"

// pveperf reads the output of Proxmox VE's pveperf. Its read MB are MiB.
var pveperf = tool{
	name: "pveperf", commands: []string{"pveperf"}, first: "CRHBAF", begins: func(line string) bool { return pveperfRow.MatchString(line) }, read: readPveperf,
	once: []string{"CPU BOGOMIPS:", "REGEX/SECOND:", "HD SIZE:", "BUFFERED READS:", "AVERAGE SEEK TIME:", "FSYNCS/SECOND:"},
}

var (
	pveperfRow  = lazyregexp.New(`^\s*(CPU BOGOMIPS|REGEX/SECOND|HD SIZE|BUFFERED READS|AVERAGE SEEK TIME|FSYNCS/SECOND): +([\d.]+)(?: (MB/sec|ms|GB))?`)
	pveperfDisk = lazyregexp.New(`^\s*HD SIZE: +[\d.]+ GB \(([^)]+)\)`)
)

func readPveperf(p *page) {
	device := ""
	for _, line := range p.lines {
		if m := pveperfDisk.FindStringSubmatch(line); m != nil {
			device = m[1]
		}
	}
	for i, line := range p.lines {
		m := pveperfRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		v := number(m[2])
		switch m[1] {
		case "REGEX/SECOND":
			p.add(i, "cpu.score", v, p.with("job", "regex", "test", "regular expressions per second, one core"))
		case "BUFFERED READS":
			p.add(i, "storage.read.bandwidth", v*(1<<20), p.with("job", "buffered reads", "pattern", "read", "direct", "0", "cache", "cold", "device", device))
		case "AVERAGE SEEK TIME":
			p.add(i, "storage.read.latency.mean", v*1e-3, p.with("job", "seek time", "pattern", "randread", "iodepth", "1", "device", device))
		case "FSYNCS/SECOND":
			p.add(i, "storage.sync.iops", v, p.with("job", "fsync", "device", device))
		}
	}
}
