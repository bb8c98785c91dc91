package pasted

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/lazyregexp"
)

// yabs reads Yet-Another-Bench-Script, as text and as JSON. Until its issue 120 was
// fixed in 2026, it divided fio's KiB by 1000 and printed MB: a figure here is
// 1024/1000 of what it printed, unless its IOPS show that it is already correct.
var yabs = tool{
	name: "yabs", first: "#fGiB", begins: yabsBegins, accepts: yabsAccepts, read: readYABS,
	once: []string{"Yet-Another-Bench-Script", "fio Disk Speed Tests (Mixed", "Block Size | 4k"},
}

const yabsUnit = 1.024

// yabsCell is one direction of a test at one block size.
type yabsCell struct {
	line        int
	bs, dir     string
	speed, iops float64 // B/s as printed, and IOPS
	prefix      string  // k if IOPS were rounded to a tenth of it
}

// yabsScale returns the factor for the printed speeds of an output: that of whichever of
// the two script versions agrees with its IOPS. Coarse IOPS are ignored.
func yabsScale(cells []yabsCell) float64 {
	old, mended := 0, 0
	for _, c := range cells {
		ratio := c.speed / (c.iops * number(c.size()))
		// IOPS are truncated to one decimal of k or to a whole number, and speeds
		// rounded to a hundredth of a unit.
		digit := 1.0
		if c.prefix == "k" {
			digit = 100
		}
		if !(ratio > 0) || digit/c.iops > yabsFine {
			continue
		}
		switch {
		case math.Abs(ratio-1) <= yabsFine:
			mended++
		case math.Abs(ratio*yabsUnit-1) <= yabsFine:
			old++
		}
	}
	if mended > old {
		return 1
	}
	return yabsUnit
}

// yabsFine is well below the difference between the two scripts.
const yabsFine = .008

func (c yabsCell) size() string {
	return bytesOf(strings.TrimRight(c.bs, "km"), c.bs[len(c.bs)-1:])
}

var (
	yabsSizes = lazyregexp.New(`^Block Size \| (\d+[km]) +\(IOPS\) \| (\d+[km]) +\(IOPS\)`)
	// Read       | 388.78 MB/s  (97.1k) | 1.23 GB/s    (19.2k)
	yabsRow   = lazyregexp.New(`^(Read|Write) +\| ([\d.]+) ([KMG]B)/s +\(([\d.]+)(k?)\) +\| ([\d.]+) ([KMG]B)/s +\(([\d.]+)(k?)\)`)
	yabsDisk  = lazyregexp.New(`^fio Disk Speed Tests \(Mixed R/W 50/50\)(?: \(Partition (\S+)\))?:`)
	yabsNet   = lazyregexp.New(`^iperf3 Network Speed Tests \(IPv[46]\):`)
	yabsLink  = lazyregexp.New(`^([^|]+?) +\| ([^|]+?) +\| ([\d.]+ [KMG]?bits/sec|busy|-+) *\| ([\d.]+ [KMG]?bits/sec|busy|-+) *(?:\| ([\d.]+) ms)?`)
	yabsBench = lazyregexp.New(`^Geekbench (\d) Benchmark Test:`)
	yabsScore = lazyregexp.New(`^(Single|Multi) Core +\| (\d+)`)
	yabsHead  = lazyregexp.New(`^# +v(\d{4}-\d\d-\d\d) +#$`)
)

func yabsBegins(line string) bool {
	return strings.HasPrefix(line, "#  ") && strings.Contains(line, " Yet-Another-Bench-Script ") ||
		yabsDisk.MatchString(line) || yabsNet.MatchString(line) || yabsBench.MatchString(line) || yabsSizes.MatchString(line)
}

func yabsAccepts(keys []string) bool {
	for _, key := range []string{"version", "time", "os", "net", "cpu"} {
		if !slices.Contains(keys, key) {
			return false
		}
	}
	return slices.Contains(keys, "fio") || slices.Contains(keys, "iperf") || slices.Contains(keys, "geekbench")
}

func readYABS(p *page) {
	if at := strings.IndexByte(string(p.text), '{'); at >= 0 && strings.TrimSpace(string(p.text[:at])) == "" {
		p.yabsJSON(at)
		return
	}
	var sizes []string
	var cells []yabsCell
	bench, inNet := "", false
	for i, line := range p.lines {
		line = strings.TrimSpace(line)
		if m := yabsHead.FindStringSubmatch(line); m != nil {
			p.labels["version"] = m[1]
		}
		if m := yabsDisk.FindStringSubmatch(line); m != nil && m[1] != "" {
			p.labels["device"] = m[1]
		}
		if m := yabsSizes.FindStringSubmatch(line); m != nil {
			sizes = m[1:3]
		}
		if m := yabsBench.FindStringSubmatch(line); m != nil {
			bench, inNet = m[1], false
		}
		inNet = inNet || yabsNet.MatchString(line)
		if m := yabsRow.FindStringSubmatch(line); m != nil && sizes != nil {
			for k := range 2 {
				c := yabsCell{i, sizes[k], strings.ToLower(m[1]), number(m[4*k+2]) * unit(m[4*k+3]), number(m[4*k+4]), m[4*k+5]}
				if c.prefix == "k" {
					c.iops *= 1e3
				}
				cells = append(cells, c)
			}
		} else if m := yabsLink.FindStringSubmatch(line); m != nil && inNet {
			p.yabsLink(i, m[1]+" "+m[2], m[3], m[4], m[5])
		} else if m := yabsScore.FindStringSubmatch(line); m != nil && bench != "" {
			p.add(i, "cpu.score", number(m[2]), p.with("job", "geekbench "+strings.ToLower(m[1]), "test", "Geekbench "+bench+", "+strings.ToLower(m[1])+" core"))
		}
	}
	p.yabsDisks(cells)
	slices.SortStableFunc(p.found, func(a, b assay.Measurement) int { return a.Line - b.Line })
}

// yabsDisks adds both directions of the mixed tests. The script runs fio with libaio at
// depth 64 and two jobs, direct, on 2 GiB for 30 s.
//
// It truncates IOPS to one decimal of k: if bandwidth and block size give a figure that
// fits, that one is used.
func (p *page) yabsDisks(cells []yabsCell) {
	scale := yabsScale(cells)
	for _, c := range cells {
		speed, iops := c.speed*scale, c.iops
		if made := speed / number(c.size()); c.prefix == "k" && made > iops && made < iops+100 {
			iops = made
		}
		labels := p.with("job", c.bs, "pattern", "randrw", "bs", c.size(),
			"iodepth", "64", "jobs", "2", "engine", "libaio", "direct", "1", "size", "2G", "runtime", "30")
		p.add(c.line, "storage."+c.dir+".bandwidth", speed, labels)
		p.add(c.line, "storage."+c.dir+".iops", iops, labels)
	}
}

func (p *page) yabsLink(i int, to, send, receive, ping string) {
	for _, way := range [][2]string{{"send", send}, {"receive", receive}} {
		direction := way[0]
		n, word, _ := strings.Cut(way[1], " ")
		p.add(i, "net.tcp.throughput", number(n)*unit(word)/8, p.with("job", to+" "+direction, "direction", direction, "streams", "8"))
	}
	p.add(i, "net.rtt.mean", number(ping)*1e-3, p.with("job", to+" ping"))
}

func (p *page) yabsJSON(at int) {
	doc, err := jsondoc.Parse(p.text[at:], 1+strings.Count(string(p.text[:at]), "\n"))
	if err != nil {
		p.fail(0, "%w", err)
		return
	}
	p.labels["version"] = strings.TrimPrefix(doc.At("version").Text(), "v")
	var cells []yabsCell
	for _, test := range doc.At("fio").List() {
		if test.At("speed_units").Text() != "KBps" {
			p.fail(test.Line()-1, "the unit %q of a speed is unknown", test.At("speed_units").Text())
			return
		}
		bs := test.At("bs").Text()
		if strings.Trim(bs, "0123456789") != "k" && strings.Trim(bs, "0123456789") != "m" {
			continue
		}
		for _, dir := range []string{"read", "write"} {
			letter := dir[:1]
			speed, _ := test.At("speed_" + letter).Number()
			iops, _ := test.At("iops_" + letter).Number()
			cells = append(cells, yabsCell{test.At("speed_"+letter).Line() - 1, bs, dir, speed * 1e3, iops, ""})
		}
	}
	p.yabsDisks(cells)
	for _, link := range doc.At("iperf").List() {
		ping := strings.TrimSuffix(link.At("latency").Text(), " ms")
		p.yabsLink(link.Line()-1, link.At("provider").Text()+" "+link.At("loc").Text()+" "+link.At("mode").Text(), link.At("send").Text(), link.At("recv").Text(), ping)
	}
	for _, run := range doc.At("geekbench").List() {
		version, _ := run.At("version").Number()
		for _, cores := range []string{"single", "multi"} {
			v, _ := run.At(cores).Number()
			p.add(run.At(cores).Line()-1, "cpu.score", v, p.with("job", "geekbench "+cores, "test", "Geekbench "+plain(version)+", "+cores+" core"))
		}
	}
}
