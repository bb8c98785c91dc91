package pasted

import (
	"math"
	"strconv"
	"strings"
	"time"

	"assay/internal/lazyregexp"
)

// vdbench reads the averages line of each run definition of Vdbench's raw I/O, from
// summary.html or its own output. Its MB are MiB, its times ms.
var vdbench = tool{
	name: "vdbench", commands: []string{"vdbench"}, first: "VJFMASOND012", begins: vdbenchBegins, read: readVdbench,
	once: []string{"Vdbench distribution: "},
}

var (
	vdbenchHead  = lazyregexp.New(`^[A-Z][a-z]{2} \d\d, \d{4} +interval +i/o +MB/sec `)
	vdbenchRun   = lazyregexp.New(`^\d\d:\d\d:\d\d\.\d{3} Starting RD=([^;]+);`)
	vdbenchShape = lazyregexp.New(`[ ,](xfersize|threads|rdpct)=([\d.]+[kKmM]?)`)
	// time, interval or average over several, and the measured values.
	vdbenchRow = lazyregexp.New(`^([012]\d:\d\d:\d\d\.\d{3}) *(?:avg_(\d+)-(\d+)|(\d+)) +([\d.]+ +[\d.]+ +\d+ +[\d.]+(?: +[\d.]+){4,})$`)
)

func vdbenchBegins(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "Vdbench distribution: ") || vdbenchHead.MatchString(line) || vdbenchRow.MatchString(line)
}

func readVdbench(p *page) {
	run, step := "", intervals{}
	for i, line := range p.lines {
		line = strings.TrimSpace(line)
		if version, ok := strings.CutPrefix(line, "Vdbench distribution: vdbench"); ok {
			p.labels["version"], _, _ = strings.Cut(version, " ")
		}
		if m := vdbenchRun.FindStringSubmatch(line); m != nil {
			run, step = m[1], intervals{}
			delete(p.labels, "bs")
			for _, option := range vdbenchShape.FindAllStringSubmatch(line, -1) {
				if option[1] == "threads" {
					p.labels["iodepth"] = option[2]
				}
			}
		}
		m := vdbenchRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[2] == "" {
			step.see(m[1], m[4])
			continue
		}
		p.vdbenchAverages(i, run, strings.Fields(m[5]))
		if first, last := number(m[2]), number(m[3]); last >= first {
			p.add(i, "tool.duration", (last-first+1)*step.seconds(), p.with("job", run))
		}
	}
}

// vdbenchAverages reads operations and MiB per second, request size, read share, and
// response times: overall and, since 5.03, of reads and of writes.
func (p *page) vdbenchAverages(i int, run string, cells []string) {
	rate, speed, reads := number(cells[0]), number(cells[1])*(1<<20), number(cells[3])/100
	// MiB with two decimals are coarse at low rates: use operations times size if it rounds to
	// the printed value.
	if made := rate * number(cells[2]); math.Abs(made-speed) <= .0051*(1<<20) {
		speed = made
	}
	apart := len(cells) >= 12
	for k, dir := range []string{"read", "write"} {
		share := []float64{reads, 1 - reads}[k]
		if !(share > 0) || share > 1 {
			continue
		}
		labels := p.with("job", run, "bs", cells[2])
		p.add(i, "storage."+dir+".iops", rate*share, labels)
		p.add(i, "storage."+dir+".bandwidth", speed*share, labels)
		switch {
		case apart:
			p.add(i, "storage."+dir+".latency.mean", number(cells[5+k])*1e-3, labels)
		case share == 1:
			p.add(i, "storage."+dir+".latency.mean", number(cells[4])*1e-3, labels)
		}
	}
}

// intervals derives the length of an interval from the times of two.
type intervals struct {
	first, last time.Time
	from, to    int
}

func (s *intervals) see(clock, n string) {
	at, err := time.Parse("15:04:05.000", clock)
	count, bad := strconv.Atoi(n)
	if err != nil || bad != nil {
		return
	}
	if s.first.IsZero() {
		s.first, s.from = at, count
	}
	s.last, s.to = at, count
}

// seconds returns the length of an interval, 0 if only one was seen.
func (s *intervals) seconds() float64 {
	if s.to <= s.from {
		return 0
	}
	return s.last.Sub(s.first).Seconds() / float64(s.to-s.from)
}
