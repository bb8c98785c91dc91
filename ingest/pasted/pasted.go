package pasted

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"assay"
)

// tool is one tool whose output is read.
type tool struct {
	name     string
	commands []string
	first    string // possible first bytes of a first line, blanks aside
	begins   func(line string) bool
	heads    func(line string) bool
	// once are texts that occur once per output: a line with one that the open
	// output already has begins a new output. Any other line continues it.
	once    []string
	accepts func(keys []string) bool
	read    func(p *page)
}

// Readers returns the readers of all tools.
func Readers() []assay.Measurer {
	var all []assay.Measurer
	for _, t := range tools() {
		all = append(all, t)
	}
	return all
}

func tools() []tool {
	return []tool{
		crystalDiskMark, hdparm, pveperf, yabs, ioping, zpoolIostat, iostat,
		diskspd, bonnie, stream, mbw, opensslSpeed, sevenZip, pgbench, netperf, perftest,
		asSSD, elbencho, iozone, vdbench, kbench,
	}
}

// Format returns how its output is recognised.
func (t tool) Format() assay.Format {
	return assay.Format{Tool: t.name, Commands: t.commands, Begins: t.starts, Heads: t.heads, Splits: t.splits, Accepts: t.accepts}
}

// starts is begins, but rejects most lines of a log by one byte.
func (t tool) starts(line string) bool {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			return strings.IndexByte(t.first, line[i]) >= 0 && (t.begins(line) || i > 0 && t.begins(line[i:]))
		}
	}
	return false
}

// dedented strips the indentation that all lines share, from an output that somebody
// embedded in their own text.
func dedented(lines []string) []string {
	margin := -1
	for _, line := range lines {
		if text := strings.TrimLeft(line, " "); text != "" && (margin < 0 || len(line)-len(text) < margin) {
			margin = len(line) - len(text)
		}
	}
	if margin <= 0 {
		return lines
	}
	for i, line := range lines {
		lines[i] = line[min(margin, len(line)):]
	}
	return lines
}

func (t tool) splits(sofar []byte, next string) bool {
	for _, text := range t.once {
		if strings.Contains(next, text) && bytes.Contains(sofar, []byte(text)) {
			return true
		}
	}
	return len(sofar) > longest
}

// longest exceeds the size of any one output, in bytes.
const longest = 1 << 20

// Parse returns the figures of one output, or an error if there are none.
func (t tool) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step("measure")
	if step == nil || len(bytes.TrimSpace(step.Output.Stdout)) == 0 {
		return nil, fmt.Errorf("%s: %w", t.name, assay.ErrNoOutput)
	}
	p := &page{tool: t.name, text: step.Output.Stdout, argv: step.Argv, labels: map[string]string{"tool": t.name}}
	p.lines = dedented(strings.Split(string(p.text), "\n"))
	t.read(p)
	switch {
	case p.err != nil:
		return nil, p.err
	case len(p.found) == 0:
		return nil, fmt.Errorf("%s: no figure in the output: %w", t.name, assay.ErrNoOutput)
	}
	return p.found, nil
}

// page is the output being read.
type page struct {
	tool   string
	text   []byte
	lines  []string
	argv   []string
	labels map[string]string // of all figures to follow
	found  []assay.Measurement
	// untimed are tests that were too quick for the tool to time.
	untimed []string
	err     error
}

// labels of one figure, given as key-value pairs. Empty values are left out.
func (p *page) with(pairs ...string) map[string]string {
	labels := maps.Clone(p.labels)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			labels[pairs[i]] = pairs[i+1]
		}
	}
	return labels
}

// add records a figure from line i, counted from 0, in the metric's unit. Values
// not above zero are dropped: tools print 0 for what they did not measure.
func (p *page) add(i int, metric string, v float64, labels map[string]string) {
	known, ok := assay.Describe(metric)
	if !ok || !(v > 0) || math.IsInf(v, 0) || v > mostPossible {
		return
	}
	p.found = append(p.found, assay.Measurement{Metric: metric, Value: v, Unit: known.Unit, Labels: labels, Line: i + 1})
}

// mostPossible exceeds any figure in base units.
const mostPossible = 1e18

// fail keeps the first error and adds its line.
func (p *page) fail(i int, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: line %d: %w", p.tool, i+1, fmt.Errorf(format, args...))
	}
}

// option returns the value of a command-line option, "" if absent.
func (p *page) option(names ...string) string {
	for i, word := range p.argv {
		for _, name := range names {
			if word == name && i+1 < len(p.argv) {
				return p.argv[i+1]
			}
			if len(name) == 2 && strings.HasPrefix(word, name) && len(word) > 2 {
				return word[2:]
			}
		}
	}
	return ""
}

// has reports whether a letter is among the command line's short options.
func (p *page) has(letter string) bool {
	for _, word := range p.argv[min(1, len(p.argv)):] {
		if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, letter) {
			return true
		}
	}
	return false
}

// number parses a printed decimal number, accepting a decimal comma where nothing
// else can be meant: three digits after it may be thousands, but not after a 0. It
// returns -1 for anything else.
func number(text string) float64 {
	text = strings.TrimSpace(text)
	thousands := len(text)-strings.Index(text, ",") == len(",000") && !strings.HasPrefix(text, "0,")
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") && !thousands {
		text = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || math.IsNaN(v) {
		return -1
	}
	return v
}

// Factors by prefix.
var (
	decimal = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9, "g": 1e9, "T": 1e12}
	binary  = map[string]float64{"": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30, "g": 1 << 30, "T": 1 << 40, "P": 1 << 50}
	instant = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "hour": 3600}
)

// unit returns how many bytes or bits a printed unit such as KiB, MB or Gbits
// stands for: prefixes with an i are binary, others decimal.
func unit(word string) float64 {
	word = strings.TrimSuffix(strings.TrimSuffix(word, "/s"), "/sec")
	for _, end := range []string{"iB", "iBytes", "ibytes"} {
		if prefix, ok := strings.CutSuffix(word, end); ok {
			return binary[prefix]
		}
	}
	for _, end := range []string{"B", "Bytes", "bytes", "bits", "bit", "bps"} {
		if prefix, ok := strings.CutSuffix(word, end); ok {
			return decimal[prefix]
		}
	}
	return 0
}

// bytesOf converts a size such as 4KiB or 1 MiB to a number of bytes; "" if it
// is none. A KB of block size is 1024 B too, as in operating systems.
func bytesOf(n, word string) string {
	v := number(n)
	size := binary[strings.TrimRight(word, "iB")]
	if !(v > 0) || size == 0 || v*size > 1e15 {
		return ""
	}
	return strconv.FormatFloat(v*size, 'f', 0, 64)
}
