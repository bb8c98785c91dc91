package sysbench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// printed is sysbench's output, as printed. Times are in seconds; missing
// values are 0 or "".
type printed struct {
	version  string
	threads  string
	block    int64 // B
	sharing  string
	op       string
	prime    string
	duration figure
	events   figure
	rate     figure // events/s
	mean     figure
	p95      figure
	fair     [2]string // events per thread: mean and standard deviation
	moved    figure    // B
	bytes    figure    // B/s
	samples  []assay.Sample
	lastRow  int   // the line of the last sample
	total    int64 // B to move, as requested
	files    files // of sysbench fileio
	database transactions
	another  string // the name of another test
	isCPU    bool
	isMemory bool
}

// figure is a number and its line, from 1; line 0: it was not printed.
type figure struct {
	value float64
	line  int
}

const number = `(\d+(?:\.\d+)?)`

// A rule reads one kind of line, in the spellings of both 0.4 and 1.0.
type rule struct {
	pattern *lazyregexp.Regexp
	read    func(p *printed, m []string, line int) error
}

var rules = []rule{
	{lazyregexp.New(`^sysbench (\d[\w.\-]*)`), func(p *printed, m []string, _ int) error {
		p.version = m[1]
		return nil
	}},
	{lazyregexp.New(`^Number of threads: (\d+)$`), func(p *printed, m []string, _ int) error {
		p.threads = m[1]
		return nil
	}},
	{lazyregexp.New(`^(?:block size: (\d+)KiB|Memory block size: (\d+)K)$`), func(p *printed, m []string, _ int) error {
		kib, err := strconv.ParseInt(m[1]+m[2], 10, 64)
		if err != nil || kib <= 0 || kib > 1<<40 {
			return fmt.Errorf("block size %s KiB is impossible", m[1]+m[2])
		}
		p.block = kib << 10
		return nil
	}},
	{lazyregexp.New(`^(?:total size: (\d+)MiB|Memory transfer size: (\d+)M)$`), func(p *printed, m []string, _ int) error {
		mib, err := strconv.ParseInt(m[1]+m[2], 10, 64)
		if err == nil && mib > 0 && mib < math.MaxInt64>>20 {
			p.total = mib << 20
		}
		return nil
	}},
	{lazyregexp.New(`^(?:(File) operations:|Operations performed: .* (Read), .* Write, .*|(Extra file) open flags: .*|(read): +IOPS=[\d.]+ [\d.]+ MiB/s .*|(SQL) statistics:|(OLTP) test statistics:|Doing (OLTP) test\.?|Doing (thread|mutex|scheduler) .*)$`), func(p *printed, m []string, _ int) error {
		p.another = anotherTest[strings.Join(m[1:], "")]
		return nil
	}},
	{lazyregexp.New(`^(?:operation|Memory operations type): (\w+)$`), func(p *printed, m []string, _ int) error {
		p.op, p.isMemory = m[1], true
		return nil
	}},
	{lazyregexp.New(`^(?:scope|Memory scope type): (\w+)$`), func(p *printed, m []string, _ int) error {
		p.sharing = m[1]
		return nil
	}},
	{lazyregexp.New(`^(?:Prime numbers limit|Maximum prime number checked in CPU test): (\d+)$`), func(p *printed, m []string, _ int) error {
		p.prime, p.isCPU = m[1], true
		return nil
	}},
	{lazyregexp.New(`^(?:total time|time elapsed): +` + number + `s$`), func(p *printed, m []string, line int) error {
		return p.duration.set(m[1], 1, line)
	}},
	{lazyregexp.New(`^total number of events: +` + number + `$`), func(p *printed, m []string, line int) error {
		return p.events.set(m[1], 1, line)
	}},
	{lazyregexp.New(`^events per second: +` + number + `$`), func(p *printed, m []string, line int) error {
		p.isCPU = true
		return p.rate.set(m[1], 1, line)
	}},
	{lazyregexp.New(`^avg: +` + number + `(?:ms)?$`), func(p *printed, m []string, line int) error {
		return p.mean.set(m[1], 1e-3, line)
	}},
	{lazyregexp.New(`^(?:95th percentile|approx\. +95 percentile): +` + number + `(?:ms)?$`), func(p *printed, m []string, line int) error {
		return p.p95.set(m[1], 1e-3, line)
	}},
	{lazyregexp.New(`^events \(avg/stddev\): +(\d+\.\d+)/(\d+\.\d+)$`), func(p *printed, m []string, _ int) error {
		p.fair = [2]string{m[1], m[2]}
		return nil
	}},
	// 0.4 and 0.5 print "MB" but also divide by 1024 x 1024.
	{lazyregexp.New(`^` + number + ` Mi?B transferred \( *` + number + ` Mi?B/sec\)$`), func(p *printed, m []string, line int) error {
		p.isMemory = true
		if err := p.moved.set(m[1], 1<<20, line); err != nil {
			return err
		}
		return p.bytes.set(m[2], 1<<20, line)
	}},
	{lazyregexp.New(`^\[ *` + number + `s *\] thds: \d+ eps: ` + number), func(p *printed, m []string, line int) (err error) {
		p.lastRow = line
		p.samples, err = sampled(p.samples, m[1], m[2], 1)
		return err
	}},
	{lazyregexp.New(`^\[ *` + number + `s *\] +` + number + ` MiB/sec,?$`), func(p *printed, m []string, line int) (err error) {
		p.lastRow = line
		p.samples, err = sampled(p.samples, m[1], m[2], 1<<20)
		return err
	}},
}

// anotherTest identifies a test by what only its output contains.
var anotherTest = map[string]string{
	"File": kindFiles, "Read": kindFiles, "Extra file": kindFiles, "read": kindFiles, "SQL": databases, "OLTP": databases, "thread": "threads", "mutex": "mutex", "scheduler": "threads",
}

// set parses text in units of scale. A second value is from a second run: it is
// unclear which one was meant.
func (f *figure) set(text string, scale float64, line int) error {
	if f.line != 0 {
		return assay.WithHint("paste the output of one sysbench at a time", "several results in one output")
	}
	v, err := parseNumber(text)
	if err != nil {
		return err
	}
	*f = figure{value: v * scale, line: line}
	return nil
}

func sampled(samples []assay.Sample, at, value string, scale float64) ([]assay.Sample, error) {
	second, err := parseNumber(at)
	if err != nil {
		return nil, err
	}
	v, err := parseNumber(value)
	if err != nil {
		return nil, err
	}
	return append(samples, assay.Sample{At: second, Value: v * scale}), nil
}

// parseNumber parses what can be a measurement: finite, and below 1e18.
func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v > 1e18 {
		return 0, fmt.Errorf("%.40s is not a valid measurement", text)
	}
	return v, nil
}

// remark matches an author's explanation after a figure: "  -- reads in all", "  # reads",
// or words in another language than sysbench's.
var remark = lazyregexp.New(`(?:[ \t]+(?:--|//|#|<-|<=|=>|;)[ \t]?|[ \t]*[^\x00-\x7F])`)

// withoutRemark strips a remark from a line.
func withoutRemark(line string) string {
	if at := remark.FindStringIndex(line); at != nil && at[0] > 0 {
		return strings.TrimSpace(line[:at[0]])
	}
	return line
}

// read parses every line that it knows and skips the others.
func read(text string) (printed, error) {
	var p printed
	for i, line := range strings.Split(text, "\n") {
		line = withoutRemark(strings.TrimSpace(line))
		for _, of := range []func(string, int) error{p.files.line, p.database.line} {
			if err := of(line, i+1); err != nil {
				return p, fmt.Errorf("sysbench's line %d: %w", i+1, err)
			}
		}
		for _, r := range rules {
			m := r.pattern.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if err := r.read(&p, m, i+1); err != nil {
				return p, fmt.Errorf("sysbench's line %d: %w", i+1, err)
			}
			break
		}
	}
	return p, nil
}
