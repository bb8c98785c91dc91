package pasted

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// ioping reads the statistics of ioping 0.5 to 1.3. Its IOPS are those of
// back-to-back requests, whatever the pause between them.
var ioping = tool{
	name: "ioping", commands: []string{"ioping"}, first: "-0123456789", begins: iopingBegins, read: readIoping,
	once: []string{"ioping statistics ---"},
}

var (
	iopingHead    = lazyregexp.New(`^--- (\S+) \((.*)\) ioping statistics ---$`)
	iopingRequest = lazyregexp.New(`^([\d.]+) (B|bytes|[KMG]iB) (<<<|>>>|from|to) (\S+) \(.*\): request=\d+ time=`)
	// 9 requests completed in 56.4 ms, 36 KiB read, 100 iops, 402.8 KiB/s
	iopingDone  = lazyregexp.New(`^([\d.]+)( [kMG])? requests completed in ([\d.]+) (ns|us|ms|s|min|hour), (?:([\d.]+) (B|[KMGT]iB) (read|written), )?([\d.]+)( [kMG])? iops, ([\d.]+) (B|[KMG]iB)/s`)
	iopingMade  = lazyregexp.New(`^generated [\d.]+(?: [kMG])? requests in ([\d.]+) (us|ms|s|min|hour), `)
	iopingTimes = lazyregexp.New(`^min/avg/max/mdev = ([\d.]+)(?: (ns|us|ms|s))? ?/ ?([\d.]+)(?: (ns|us|ms|s))? ?/ ?([\d.]+)(?: (ns|us|ms|s|min))? ?/ ?([\d.]+) (ns|us|ms|s|min)$`)
)

func iopingBegins(line string) bool {
	switch {
	case line == "" || line[0] != '-' && (line[0] < '0' || line[0] > '9'):
		return false
	case line[0] == '-':
		return iopingHead.MatchString(line)
	}
	return iopingRequest.MatchString(line)
}

func readIoping(p *page) {
	dir, size := "", ""
	if p.has("W") {
		dir = "write"
	}
	p.labels["iodepth"], p.labels["jobs"] = "1", "1"
	switch {
	case p.has("D"):
		p.labels["direct"] = "1"
	case p.has("C"):
		p.labels["direct"], p.labels["cache"] = "0", "warm"
	default: // it evicts requested data from the page cache by default
		p.labels["cache"] = "cold"
	}
	for _, line := range p.lines {
		if m := iopingRequest.FindStringSubmatch(line); m != nil {
			size, p.labels["file"] = bytesOf(m[1], strings.Replace(m[2], "bytes", "B", 1)), m[4]
			dir = map[string]string{"<<<": "read", "from": "read"}[m[3]]
			if dir == "" {
				dir = "write"
			}
		}
		if m := iopingHead.FindStringSubmatch(line); m != nil {
			p.labels["file"] = m[1]
			if fs, _, ok := strings.Cut(m[2], " "); ok && fs != "block" && fs != "device" {
				p.labels["fs"] = fs
			}
		}
		if m := iopingDone.FindStringSubmatch(line); m != nil {
			if m[7] != "" {
				dir = map[string]string{"read": "read", "written": "write"}[m[7]]
			}
			if n, all := number(m[1])*decimal[strings.TrimSpace(m[2])], number(m[5])*unit(m[6]); size == "" && n > 0 && m[2] == "" && all > 0 {
				size = strconv.FormatFloat(all/n, 'f', 0, 64)
			}
		}
	}
	if dir == "" {
		dir = "read" // versions before 0.9 print only the non-default
	}
	pattern := "rand" + dir
	if p.has("L") {
		pattern = dir
	}
	p.ioping("storage."+dir+".", p.with("pattern", pattern, "bs", size))
}

func (p *page) ioping(stem string, labels map[string]string) {
	generated := strings.Contains(string(p.text), "\ngenerated ")
	for i, line := range p.lines {
		if m := iopingDone.FindStringSubmatch(line); m != nil {
			if !generated { // before 0.9 this covers the whole run, with pauses
				p.add(i, "tool.duration", number(m[3])*instant[m[4]], labels)
			}
			p.add(i, stem+"iops", number(m[8])*decimal[strings.TrimSpace(m[9])], labels)
			p.add(i, stem+"bandwidth", number(m[10])*unit(m[11]), labels)
		} else if m := iopingMade.FindStringSubmatch(line); m != nil {
			p.add(i, "tool.duration", number(m[1])*instant[m[2]], labels)
		} else if m := iopingTimes.FindStringSubmatch(line); m != nil {
			for k, name := range []string{"min", "mean", "max", "stddev"} {
				word := m[2*k+2]
				if word == "" {
					word = m[8]
				}
				p.add(i, stem+"latency."+name, number(m[2*k+1])*instant[word], labels)
			}
		}
	}
}
