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
	first    string // the bytes that lines that begin can have first, blanks aside
	begins   func(line string) bool
	// once are texts of which an output has one: a line that has one of them
	// begins a new output where the open one has it already. What has none of
	// them goes on.
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
		asSSD, elbencho, iozone, vdbench,
	}
}

// Format says how its output is told.
func (t tool) Format() assay.Format {
	return assay.Format{Tool: t.name, Commands: t.commands, Begins: t.starts, Splits: t.splits, Accepts: t.accepts}
}

// starts is begins, at the price of one byte for most lines of a log.
func (t tool) starts(line string) bool {
	for i := range len(line) {
		if line[i] != ' ' && line[i] != '\t' {
			return strings.IndexByte(t.first, line[i]) >= 0 && (t.begins(line) || i > 0 && t.begins(line[i:]))
		}
	}
	return false
}

// dedented takes off the blanks that all lines begin with: of an output that somebody
// set into a text of his own.
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

// longest is more bytes than any one output has.
const longest = 1 << 20

// Parse returns the figures of one output. It fails where there is none.
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

// page is one output that is being read.
type page struct {
	tool   string
	text   []byte
	lines  []string
	argv   []string
	labels map[string]string // of all figures that come
	found  []assay.Measurement
	// untimed are tests that the tool found too quick to be timed.
	untimed []string
	err     error
}

// labels of one figure, in pairs: key, value. An empty value is left out.
func (p *page) with(pairs ...string) map[string]string {
	labels := maps.Clone(p.labels)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			labels[pairs[i]] = pairs[i+1]
		}
	}
	return labels
}

// add gives a figure that stands on line i, counted from 0, in the metric's unit.
// What is not above zero is no figure: tools print 0 for what they did not
// measure.
func (p *page) add(i int, metric string, v float64, labels map[string]string) {
	known, ok := assay.Describe(metric)
	if !ok || !(v > 0) || math.IsInf(v, 0) || v > mostPossible {
		return
	}
	p.found = append(p.found, assay.Measurement{Metric: metric, Value: v, Unit: known.Unit, Labels: labels, Line: i + 1})
}

// mostPossible is more than any figure in base units is.
const mostPossible = 1e18

// fail keeps the first error, which names its line.
func (p *page) fail(i int, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: line %d: %w", p.tool, i+1, fmt.Errorf(format, args...))
	}
}

// option returns the value of an option of the command line, "" where it has none.
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

// has reports whether a letter is among the one-letter options of the command line.
func (p *page) has(letter string) bool {
	for _, word := range p.argv[min(1, len(p.argv)):] {
		if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, letter) {
			return true
		}
	}
	return false
}

// number reads what was printed as a decimal number, with a comma in the place of
// the point where only that can be meant. What is none is -1.
func number(text string) float64 {
	text = strings.TrimSpace(text)
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") && len(text)-strings.Index(text, ",") != len(",000") {
		text = strings.Replace(text, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || math.IsNaN(v) {
		return -1
	}
	return v
}

// The sizes of prefixes.
var (
	decimal = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9, "g": 1e9, "T": 1e12}
	binary  = map[string]float64{"": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30, "g": 1 << 30, "T": 1 << 40, "P": 1 << 50}
	instant = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "min": 60, "hour": 3600}
)

// unit is how many bytes, or bits, are in a printed unit such as KiB, MB or Gbits:
// prefixes with an i are binary, others decimal.
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

// bytesOf prints a size such as 4KiB or 1 MiB as a number of bytes; "" for what
// is none. Operating systems' KB of a block are 1024 B too.
func bytesOf(n, word string) string {
	v := number(n)
	size := binary[strings.TrimRight(word, "iB")]
	if !(v > 0) || size == 0 || v*size > 1e15 {
		return ""
	}
	return strconv.FormatFloat(v*size, 'f', 0, 64)
}
