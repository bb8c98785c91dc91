package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// asSSD reads the text that AS SSD Benchmark copies, in MB/s or iops. Its MB are
// MiB: 60.63 MB/s of 4 KiB equal its own 15,521 iops.
var asSSD = tool{
	name: "as-ssd", first: "A", begins: func(line string) bool { return asSSDHead.MatchString(line) }, read: readASSSD,
	once: []string{"AS SSD Benchmark "},
}

var (
	asSSDHead = lazyregexp.New(`^\s*AS SSD Benchmark (\d+\.\d[\d.]*)\s*$`)
	asSSDPart = lazyregexp.New(`^(Sequential|16MB|4K|4K-64Threads|Access Times|512B|Score):?$`)
	asSSDRow  = lazyregexp.New(`^(Read|Write): ([\d.,]+) (MB/s|iops|ms)$`)
)

// asSSDTests maps its parts to name, pattern, request size in bytes and
// threads.
var asSSDTests = map[string][4]string{
	"Sequential": {"SEQ16M", "", "16777216", "1"}, "16MB": {"SEQ16M", "", "16777216", "1"},
	"4K": {"RND4K", "rand", "4096", "1"}, "4K-64Threads": {"RND4K T64", "rand", "4096", "64"},
	"Access Times": {"access", "rand", "512", "1"}, "512B": {"access", "rand", "512", "1"},
}

func readASSSD(p *page) {
	p.labels["direct"], p.labels["iodepth"] = "1", "1"
	// Only a complete run has a score; text copied earlier partly shows the
	// previous drive.
	p.labels["interrupted"] = "there is no score"
	for _, line := range p.lines {
		if m := asSSDHead.FindStringSubmatch(line); m != nil {
			p.labels["version"] = m[1]
		}
		if m := asSSDPart.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[1] == "Score" {
			delete(p.labels, "interrupted")
		}
	}
	part := ""
	for i, line := range p.lines {
		line = strings.TrimSpace(line)
		if m := asSSDPart.FindStringSubmatch(line); m != nil {
			part = m[1]
			continue
		}
		test, known := asSSDTests[part]
		m := asSSDRow.FindStringSubmatch(line)
		if m == nil || !known {
			continue
		}
		dir, v := strings.ToLower(m[1]), number(m[2])
		stem := "storage." + dir + "."
		labels := p.with("job", test[0]+" "+dir, "pattern", test[1]+dir, "bs", test[2], "jobs", test[3])
		switch m[3] {
		case "MB/s":
			p.add(i, stem+"bandwidth", v*(1<<20), labels)
		case "iops":
			p.add(i, stem+"iops", v, labels)
		case "ms":
			v = number(strings.Replace(m[2], ",", ".", 1)) // three decimals, no thousands
			p.add(i, stem+"latency.mean", v/1e3, labels)
		}
	}
}
