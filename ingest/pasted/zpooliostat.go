package pasted

import (
	"strings"

	"assay/internal/lazyregexp"
)

// zpoolIostat reads zpool iostat, with or without -v. Of several reports it skips
// the first, as for iostat, unless there is -y.
var zpoolIostat = tool{
	name: "zpool-iostat", first: "cp", begins: func(line string) bool { return zpoolHead.MatchString(line) || zpoolOver.MatchString(line) }, read: readZpool,
}

var (
	zpoolOver = lazyregexp.New(`^\s+capacity\s+operations\s+bandwidth\s*`)
	zpoolHead = lazyregexp.New(`^\s*pool\s+alloc\s+free\s+read\s+write\s+read\s+write\b`)
	zpoolRow  = lazyregexp.New(`^\s*(\S+)\s+(?:[\d.,]+[BKMGTPE]?|-)\s+(?:[\d.,]+[BKMGTPE]?|-)\s+([\d.,]+)([KMGT]?)\s+([\d.,]+)([KMGT]?)\s+([\d.,]+)([BKMGT]?)\s+([\d.,]+)([BKMGT]?)(?:\s|$)`)
)

func readZpool(p *page) {
	reports := watched{}
	first := "" // the pool that a headless report begins with
	for i, line := range p.lines {
		if zpoolHead.MatchString(line) {
			reports.next()
			first = ""
			continue
		}
		m := zpoolRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch first {
		case "":
			first = m[1]
		case m[1]:
			reports.next() // headers appear once per screen
		}
		for k, metric := range []string{"storage.read.iops", "storage.write.iops", "storage.read.bandwidth", "storage.write.bandwidth"} {
			prefix := strings.TrimSuffix(m[2*k+3], "B")
			reports.see(i, m[1], metric, number(m[2*k+2])*binary[prefix]) // of operations too
		}
	}
	reports.intervals = p.omitsFirst()
	p.labels["observed"] = reports.observed("since import")
	reports.give(p)
}
