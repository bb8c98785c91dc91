package sysbench

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// files is the output of sysbench fileio. It has a single latency for reads, writes
// and fsyncs: with more than one kind, it covers them all.
type files struct {
	pattern  string
	engine   string
	direct   string
	sync     string
	block    int64  // B
	size     int64  // B, of all files
	reads    figure // per second; 0.4: in total
	writes   figure
	read     figure // B/s
	written  figure
	flushes  figure         // a second
	reading  []assay.Sample // B/s, from the interim rows
	writing  []assay.Sample
	flushing []assay.Sample // a second
	lastRow  int            // the line of the last row
	flushed  bool           // by periodic fsync
	counted  bool           // reads and writes are totals
}

const sizeWithUnit = `([\d.]+)([KMGT]?i?)[Bb]`

var fileRules = []struct {
	pattern *lazyregexp.Regexp
	read    func(f *files, m []string, line int) error
}{
	{lazyregexp.New(`^Extra file open flags: (.+)$`), func(f *files, m []string, _ int) error {
		f.flags(m[1])
		return nil
	}},
	{lazyregexp.New(`^` + sizeWithUnit + ` total file size$`), func(f *files, m []string, _ int) (err error) {
		f.size, err = amount(m[1], m[2])
		return err
	}},
	{lazyregexp.New(`^Block size ` + sizeWithUnit + `$`), func(f *files, m []string, _ int) (err error) {
		f.block, err = amount(m[1], m[2])
		return err
	}},
	// Within the time, all writes but the last few requests are durable.
	{lazyregexp.New(`^Periodic FSYNC enabled, calling fsync\(\) each \d+ requests\.$`), func(f *files, _ []string, _ int) error {
		f.flushed = true
		return nil
	}},
	{lazyregexp.New(`^Using (synchronous|asynchronous|memory mapped|fast mmaped?|.*mmap.*) I/O mode$`), func(f *files, m []string, _ int) error {
		f.engine = map[string]string{"synchronous": "psync", "asynchronous": "libaio"}[m[1]]
		if f.engine == "" {
			f.engine = "mmap"
		}
		return nil
	}},
	{lazyregexp.New(`^Doing (.+) test$`), func(f *files, m []string, _ int) error {
		f.pattern = patterns[m[1]]
		return nil
	}},
	{lazyregexp.New(`^\[ *` + number + `s *\] reads: ` + number + ` MiB/s writes: ` + number + ` MiB/s fsyncs: ` + number + `/s`), func(f *files, m []string, line int) (err error) {
		f.lastRow = line
		if f.reading, err = sampled(f.reading, m[1], m[2], 1<<20); err != nil {
			return err
		}
		if f.writing, err = sampled(f.writing, m[1], m[3], 1<<20); err != nil {
			return err
		}
		f.flushing, err = sampled(f.flushing, m[1], m[4], 1)
		return err
	}},
	{lazyregexp.New(`^reads/s: +` + number + `$`), func(f *files, m []string, line int) error { return f.reads.set(m[1], 1, line) }},
	{lazyregexp.New(`^writes/s: +` + number + `$`), func(f *files, m []string, line int) error { return f.writes.set(m[1], 1, line) }},
	{lazyregexp.New(`^fsyncs/s: +` + number + `$`), func(f *files, m []string, line int) error { return f.flushes.set(m[1], 1, line) }},
	{lazyregexp.New(`^read, MiB/s: +` + number + `$`), func(f *files, m []string, line int) error {
		return f.read.set(m[1], 1<<20, line)
	}},
	{lazyregexp.New(`^written, MiB/s: +` + number + `$`), func(f *files, m []string, line int) error {
		return f.written.set(m[1], 1<<20, line)
	}},
	// 1.1 prints these alone, and no total time.
	{lazyregexp.New(`^read: +IOPS=` + number + ` ` + number + ` MiB/s \(`), func(f *files, m []string, line int) error {
		if err := f.reads.set(m[1], 1, line); err != nil {
			return err
		}
		return f.read.set(m[2], 1<<20, line)
	}},
	{lazyregexp.New(`^write: +IOPS=` + number + ` ` + number + ` MiB/s \(`), func(f *files, m []string, line int) error {
		if err := f.writes.set(m[1], 1, line); err != nil {
			return err
		}
		return f.written.set(m[2], 1<<20, line)
	}},
	{lazyregexp.New(`^fsync: +IOPS=` + number + `$`), func(f *files, m []string, line int) error { return f.flushes.set(m[1], 1, line) }},
	// 0.4: the rate belongs to one direction if the other did nothing.
	{lazyregexp.New(`^Read ` + sizeWithUnit + ` +Written ` + sizeWithUnit + ` +Total transferred \S+ +\(` + sizeWithUnit + `/sec\)$`), func(f *files, m []string, line int) error {
		bytes, err := amount(m[5], m[6])
		switch {
		case err != nil:
			return err
		case m[3] == "0" && m[1] != "0":
			f.read = figure{float64(bytes), line}
		case m[1] == "0" && m[3] != "0":
			f.written = figure{float64(bytes), line}
		}
		return nil
	}},
	{lazyregexp.New(`^Operations performed: +(\d+) [Rr]eads?, (\d+) [Ww]rites?, \d+ Other = \d+ Total$`), func(f *files, m []string, line int) error {
		f.counted = true
		if err := f.reads.set(m[1], 1, line); err != nil {
			return err
		}
		return f.writes.set(m[2], 1, line)
	}},
}

// patterns maps sysbench's names of access patterns to fio's.
var patterns = map[string]string{
	"random r/w": "randrw", "random read": "randread", "random write": "randwrite", "combined random r/w": "randrw",
	"sequential read": "read", "sequential write (creation)": "write", "sequential write": "write", "sequential rewrite": "write",
}

// modes does the same for the names on the command line.
var modes = map[string]string{
	"rndrw": "randrw", "rndrd": "randread", "rndwr": "randwrite", "seqrd": "read", "seqwr": "write", "seqrewr": "write",
}

// options fills in what the headings would have said, from the command line and
// sysbench's defaults.
func (f *files) options(words map[string]string) {
	if f.pattern == "" {
		f.pattern = modes[words["file-test-mode"]]
	}
	if f.engine == "" {
		f.engine = map[string]string{"": "psync", "sync": "psync", "async": "libaio", "mmap": "mmap"}[words["file-io-mode"]]
	}
	if f.direct == "" {
		f.flags(words["file-extra-flags"])
		f.flushed = words["file-fsync-freq"] != "0"
	}
	if f.size == 0 {
		f.size = sizeOf(words["file-total-size"])
	}
	if f.block == 0 {
		f.block = sizeOf(words["file-block-size"])
	}
}

var optionSize = lazyregexp.New(`^(\d+)([KMGT]?)$`)

// sizeOf parses a size on the command line; it returns 0 if there is none.
func sizeOf(word string) int64 {
	m := optionSize.FindStringSubmatch(word)
	if m == nil {
		return 0
	}
	n, err := amount(m[1], m[2])
	if err != nil {
		return 0
	}
	return n
}

// flags parses the flags that files are opened with: names, or in 0.4 the number
// that Linux uses on x86.
func (f *files) flags(text string) {
	f.direct, f.sync = "0", "0"
	n, err := strconv.ParseInt(text, 10, 64)
	if strings.Contains(text, "direct") || err == nil && n&0o40000 != 0 {
		f.direct = "1"
	}
	switch {
	case strings.Contains(text, "dsync"):
		f.sync = "dsync"
	case strings.Contains(text, "sync"), err == nil && n&0o4010000 != 0:
		f.sync = "sync"
	}
}

// amount parses a size; all units of sysbench are binary.
func amount(digits, unit string) (int64, error) {
	v, err := parseNumber(digits)
	if err != nil {
		return 0, err
	}
	scale := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}[strings.TrimSuffix(unit, "i")]
	if v *= scale; v >= 1<<62 {
		return 0, fmt.Errorf("%s%sB is not a valid size", digits, unit)
	}
	return int64(v), nil
}

func (f *files) line(text string, line int) error {
	for _, r := range fileRules {
		if m := r.pattern.FindStringSubmatch(text); m != nil {
			return r.read(f, m, line)
		}
	}
	return nil
}

// measurements returns ops/s and bytes/s of both directions.
func (f *files) measurements(p printed, words map[string]string) ([]assay.Measurement, error) {
	if f.counted && p.duration.value > 0 {
		f.reads.value /= p.duration.value
		f.writes.value /= p.duration.value
		if f.block > 0 {
			f.read = figure{f.reads.value * float64(f.block), f.reads.line}
			f.written = figure{f.writes.value * float64(f.block), f.writes.line}
		}
	} else if f.counted {
		f.reads, f.writes = figure{}, figure{}
	}
	labels := f.labels(p, words)
	var out []assay.Measurement
	for _, of := range []struct {
		metric string
		f      figure
		unit   assay.Unit
	}{
		{"storage.read.iops", f.reads, assay.PerSecond}, {"storage.read.bandwidth", f.read, assay.BytesPerSecond},
		{"storage.write.iops", f.writes, assay.PerSecond}, {"storage.write.bandwidth", f.written, assay.BytesPerSecond},
		{"storage.sync.iops", f.flushes, assay.PerSecond},
	} {
		if of.f.value > 0 {
			out = append(out, measured(of.metric, of.f, of.unit, maps.Clone(labels)))
		}
	}
	if stem := f.only(); stem != "" && p.mean.value > 0 {
		out = append(out, measured(stem+"latency.mean", p.mean, assay.Seconds, maps.Clone(labels)))
		if p.p95.value > 0 {
			out = append(out, measured(assay.PercentileMetric(stem, 95), p.p95, assay.Seconds, maps.Clone(labels)))
		}
	}
	if len(out) > 1 && f.only() == "" && p.mean.value > 0 {
		out = append(out, measured("storage.total.latency.mean", p.mean, assay.Seconds, maps.Clone(labels)))
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("sysbench fileio: %w: no line shows how much was read or written", assay.ErrNoOutput)
	}
	return addDuration(out, p, labels), nil
}

// only returns the metric prefix if all operations were of one kind, or "" if there
// were several.
func (f *files) only() string {
	switch {
	case f.reads.value > 0 && !(f.writes.value > 0) && !(f.flushes.value > 0):
		return "storage.read."
	case f.writes.value > 0 && !(f.reads.value > 0) && !(f.flushes.value > 0) && !f.flushed:
		return "storage.write."
	}
	return ""
}

// labels describes what was requested.
func (f *files) labels(p printed, words map[string]string) map[string]string {
	if words != nil {
		f.options(words)
	}
	if f.flushed && f.sync == "0" {
		f.sync = "fsync"
	}
	labels := map[string]string{"tool": "sysbench"}
	put(labels, "version", p.version)
	put(labels, "jobs", p.threads, words["threads"], words["num-threads"])
	put(labels, "thread_events", p.fair[0])
	put(labels, "thread_events_stddev", p.fair[1])
	put(labels, "pattern", f.pattern)
	put(labels, "engine", f.engine)
	put(labels, "direct", f.direct)
	put(labels, "sync", f.sync)
	if f.engine == "psync" || f.engine == "mmap" { // libaio's depth is not printed
		labels["iodepth"] = "1"
	}
	if f.block > 0 {
		labels["bs"] = blockWord(f.block)
	}
	if f.size > 0 {
		labels["size"] = strconv.FormatInt(f.size, 10)
	}
	return labels
}

// blockWord formats a size as fio does.
func blockWord(n int64) string {
	for i, unit := range []string{"g", "m", "k"} {
		if scale := int64(1) << (30 - 10*i); n >= scale && n%scale == 0 {
			return strconv.FormatInt(n/scale, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10)
}
