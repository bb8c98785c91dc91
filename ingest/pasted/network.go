package pasted

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// netperf reads netperf's classic tables: TCP_STREAM, TCP_MAERTS, UDP_STREAM,
// TCP_RR and UDP_RR.
var netperf = tool{
	name: "netperf", commands: []string{"netperf"}, first: "MTU", begins: func(line string) bool { return netperfHead.MatchString(line) }, read: readNetperf,
	once: []string{" TEST from "},
}

var (
	netperfHead = lazyregexp.New(`^(?:MIGRATED )?(TCP STREAM|TCP MAERTS|UDP (?:UNIDIRECTIONAL )?STREAM|UDP UNIDIRECTIONAL SEND|TCP REQUEST/RESPONSE|UDP REQUEST/RESPONSE) TEST(?: from \S+ .* to (\S+)(?: \(([^)]*)\))?| from \S+ .* to *$| from \S+ .* AF_INET6? *$| to )`)
	// netperfTo matches the rest of a heading wrapped before its second end.
	netperfTo   = lazyregexp.New(`^to (\S+)(?: \(([^)]*)\))? port \d`)
	netperfUnit = lazyregexp.New(`(10\^[369]bits|[KMG]Bytes) ?/s(?:ec)?`)
	// With -c or -C, CPU time and CPU time per kilobyte follow, for both ends; -1 if
	// not measured.
	netperfRow = lazyregexp.New(`^\s*\d+(?:\s+[\d.]+){3,6}(?:\s+-?[\d.]+){0,4}\s*$`)
)

var netperfUnits = map[string]float64{
	"10^3bits": 1e3 / 8, "10^6bits": 1e6 / 8, "10^9bits": 1e9 / 8, "KBytes": 1 << 10, "MBytes": 1 << 20, "GBytes": 1 << 30,
}

func readNetperf(p *page) {
	test, factor := "", 0.0
	var sent float64
	for i, line := range p.lines {
		if m := netperfHead.FindStringSubmatch(line); m != nil {
			test, factor = m[1], 1e6/8
			if m[2] == "" && i+1 < len(p.lines) {
				if rest := netperfTo.FindStringSubmatch(p.lines[i+1]); rest != nil {
					m[2], m[3] = rest[1], rest[2]
				}
			}
			if m[2] == "localhost" || strings.HasPrefix(m[2], "127.") || strings.HasPrefix(m[3], "127.") || m[3] == "::1" {
				p.labels["route"] = "local"
			}
			continue
		}
		if m := netperfUnit.FindStringSubmatch(line); m != nil {
			factor = netperfUnits[m[1]]
		}
		words := strings.Fields(line)
		if test == "" || !netperfRow.MatchString(line) {
			continue
		}
		switch {
		case strings.HasSuffix(test, "RESPONSE") && len(words) == 6:
			labels := p.with("test", test, "streams", "1")
			if rate := number(words[5]); rate > 0 {
				p.add(i, "net.rtt.mean", 1/rate, labels)
			}
			p.add(i, "tool.duration", number(words[4]), labels)
		case strings.HasPrefix(test, "TCP") && (len(words) == 5 || len(words) == 9):
			labels := p.with("test", test, "streams", "1", "bs", words[2])
			p.add(i, "net.tcp.throughput", number(words[4])*factor, labels)
			p.add(i, "tool.duration", number(words[3]), labels)
		case strings.HasPrefix(test, "UDP") && len(words) == 6:
			sent = number(words[3])
		case strings.HasPrefix(test, "UDP") && len(words) == 4:
			labels := p.with("test", test, "streams", "1")
			p.add(i, "net.udp.throughput", number(words[3])*factor, labels)
			if got := number(words[2]); sent > 0 && got >= 0 && got <= sent {
				p.add(i, "net.udp.loss", 1-got/sent, labels)
			}
			p.add(i, "tool.duration", number(words[1]), labels)
		}
	}
}

// perftest reads ib_write_bw, ib_read_lat and their siblings. Its MB are binary.
var perftest = tool{
	name:     "perftest",
	commands: []string{"ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_write_lat", "ib_read_lat", "ib_send_lat", "ib_atomic_bw", "ib_atomic_lat"},
	first:    "RSA#", begins: perftestBegins, read: readPerftest,
	once: []string{" BW Test", " Latency Test", "BW average[", "t_avg[usec]"},
}

var (
	perftestName = lazyregexp.New(`^\s*((?:RDMA_Write|RDMA_Read|Send|Atomic)(?: \w+)* (?:BW|Latency) Test)\s*$`)
	perftestBW   = lazyregexp.New(`^\s*#bytes +#iterations +BW peak\[(MB|MiB|Gb)/sec\] +BW average\[(?:MB|MiB|Gb)/sec\]`)
	perftestLat  = lazyregexp.New(`^\s*#bytes +#iterations +t_min\[usec\] +t_max\[usec\] +t_typical\[usec\] +t_avg\[usec\]`)
)

func perftestBegins(line string) bool {
	return perftestName.MatchString(line) || strings.Contains(line, "#bytes") && (perftestBW.MatchString(line) || perftestLat.MatchString(line))
}

func readPerftest(p *page) {
	factor, latency := 0.0, false
	for i, line := range p.lines {
		if m := perftestName.FindStringSubmatch(line); m != nil {
			p.labels["test"] = m[1]
			continue
		}
		if m := perftestBW.FindStringSubmatch(line); m != nil {
			factor, latency = map[string]float64{"MB": 1 << 20, "MiB": 1 << 20, "Gb": 1e9 / 8}[m[1]], false
			continue
		}
		if perftestLat.MatchString(line) {
			factor, latency = 0, true
			continue
		}
		words := strings.Fields(line)
		if len(words) < 4 || !(number(words[0]) > 0) || !(number(words[1]) > 0) {
			continue
		}
		labels := p.with("job", words[0]+" B", "bs", words[0])
		switch {
		case latency && len(words) >= 6:
			p.add(i, "net.rdma.latency.mean", number(words[5])*1e-6, labels)
			p.add(i, "net.rdma.latency.min", number(words[2])*1e-6, labels)
			p.add(i, "net.rdma.latency.max", number(words[3])*1e-6, labels)
			p.add(i, assay.PercentileMetric("net.rdma.", 50), number(words[4])*1e-6, labels)
			if len(words) >= 9 {
				p.add(i, assay.PercentileMetric("net.rdma.", 99), number(words[7])*1e-6, labels)
				p.add(i, assay.PercentileMetric("net.rdma.", 99.9), number(words[8])*1e-6, labels)
			}
		case factor > 0:
			p.add(i, "net.rdma.throughput", number(words[3])*factor, labels)
		}
	}
}
