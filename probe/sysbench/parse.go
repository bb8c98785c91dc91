package sysbench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"assay"
)

// contradiction is how far the printed rate may be from amount / time. They
// differ slightly: sysbench takes the two times at different moments.
const contradiction = .25

const hintTests = "only sysbench cpu, memory, fileio and its tests of databases are supported"

// Parse reads the output of sysbench cpu, memory, fileio or a database test, 0.4 to 1.1. It
// fails if sysbench failed, if nothing happened, or if reads cannot be told from writes.
// Somebody else's output that was cut off before its total time yields the rate that it still
// has, and that of an interrupted run yields the mean of its rows.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("sysbench: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	failed := failure(*step)
	if failed != nil && tr.Settings["kind"] != "" {
		return nil, failed
	}
	p, err := read(string(step.Output.Stdout))
	if err == nil && p.duration.line == 0 && len(step.Output.Stderr) > 0 {
		p, err = read(string(step.Output.Stderr))
	}
	if failed != nil && !p.stopped() {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	if p.another == "" && !p.isCPU && !p.isMemory {
		p.another = testIn(step.Argv) // its headings are missing
	}
	if p.stopped() && tr.Settings["kind"] == "" {
		return unfinished(p, *step)
	}
	if p.another == kindFiles {
		return p.files.measurements(p, options(step.Argv))
	}
	if p.another == databases {
		return p.database.measurements(p, step.Argv)
	}
	if p.another != "" {
		return nil, assay.WithHint(hintTests, "sysbench %s is not supported", p.another)
	}
	if p.duration.line == 0 && (tr.Settings["kind"] != "" || p.rate.line == 0 && p.bytes.line == 0) {
		return nil, fmt.Errorf("sysbench: %w: there is no total time", assay.ErrNoOutput)
	}
	if p.duration.line != 0 && p.duration.value <= 0 {
		return nil, fmt.Errorf("sysbench's line %d: ran 0 s", p.duration.line)
	}
	if p.events.line != 0 && p.events.value == 0 {
		return nil, assay.WithHint("run it for longer", "sysbench's line %d: 0 events in %g s", p.events.line, p.duration.value)
	}
	words := options(step.Argv)
	switch kindOf(p, tr.Settings, step.Argv) {
	case kindMemory:
		return memory(p, tr.Settings, words)
	case kindCPU:
		return cpu(p, words)
	}
	return nil, errWhichTest()
}

func errWhichTest() error {
	return assay.WithHint("include sysbench's command line with its output; "+hintTests, "sysbench: the output does not show which test it was")
}

// kindOf prefers the output to the settings: it shows what ran.
func kindOf(p printed, set map[string]string, argv []string) string {
	switch {
	case p.isMemory && !p.isCPU:
		return kindMemory
	case p.isCPU && !p.isMemory:
		return kindCPU
	case p.isCPU:
		return ""
	case set["kind"] != "":
		return set["kind"]
	}
	for _, word := range split(argv) {
		switch word {
		case "cpu", "--test=cpu":
			return kindCPU
		case "memory", "--test=memory":
			return kindMemory
		}
	}
	return ""
}

// testIn returns the test that a command requests, if it is neither cpu nor
// memory.
func testIn(argv []string) string {
	for _, word := range split(argv) {
		word = strings.TrimPrefix(word, "--test=")
		switch {
		case word == kindFiles, word == "threads", word == "mutex":
			return word
		case databaseTest([]string{word}) != "":
			return databases
		}
	}
	return ""
}

func cpu(p printed, words map[string]string) ([]assay.Measurement, error) {
	if p.rate.line == 0 {
		if p.events.line == 0 { // 0.4 prints the events, not their rate
			return nil, fmt.Errorf("sysbench cpu: %w: neither events per second nor events", assay.ErrNoOutput)
		}
		p.rate = figure{value: p.events.value / p.duration.value, line: p.events.line}
	} else if p.events.line != 0 && p.duration.line != 0 && contradicts(p.rate.value, p.events.value/p.duration.value, .01) {
		return nil, fmt.Errorf("sysbench's line %d: %g events/s contradict %g events in %g s",
			p.rate.line, p.rate.value, p.events.value, p.duration.value)
	}
	if p.rate.value <= 0 {
		return nil, fmt.Errorf("sysbench's line %d: 0 events per second", p.rate.line)
	}
	labels := commonLabels(p, words)
	put(labels, "prime", p.prime, words["cpu-max-prime"])
	out := []assay.Measurement{measured("cpu.events_per_second", p.rate, assay.PerSecond, labels)}
	out[0].Samples = p.samples
	if p.mean.value > 0 {
		out = append(out, measured("cpu.latency.mean", p.mean, assay.Seconds, labels))
	}
	if p.p95.value > 0 {
		out = append(out, measured(assay.PercentileMetric("cpu.", 95), p.p95, assay.Seconds, labels))
	}
	return addDuration(out, p, labels), nil
}

func addDuration(out []assay.Measurement, p printed, labels map[string]string) []assay.Measurement {
	if p.duration.line == 0 {
		return out
	}
	return append(out, measured("tool.duration", p.duration, assay.Seconds, labels))
}

func memory(p printed, set, words map[string]string) ([]assay.Measurement, error) {
	op, err := operation(p, set, words)
	if err != nil {
		return nil, err
	}
	switch {
	case p.bytes.line == 0:
		return nil, fmt.Errorf("sysbench memory: %w: no line shows how much was transferred", assay.ErrNoOutput)
	case p.bytes.value <= 0 || p.moved.value <= 0:
		return nil, fmt.Errorf("sysbench's line %d: nothing was transferred", p.bytes.line)
	case set["kind"] != "" && memoryContradicts(p):
		return nil, fmt.Errorf("sysbench's line %d: %.0f MiB/s contradict %.0f MiB in %g s",
			p.bytes.line, p.bytes.value/(1<<20), p.moved.value/(1<<20), p.duration.value)
	}
	labels := memoryLabels(p, set, words)
	labels["op"] = op
	if memoryContradicts(p) { // one of them was edited: the audit reports it
		labels["moved"] = strconv.FormatFloat(p.moved.value, 'f', 0, 64)
	}
	bandwidth := measured("memory."+op+".bandwidth", p.bytes, assay.BytesPerSecond, labels)
	bandwidth.Samples = p.samples
	return addDuration([]assay.Measurement{bandwidth}, p, labels), nil
}

// memoryContradicts reports whether amount and time give a different rate than the printed
// one.
func memoryContradicts(p printed) bool {
	return p.duration.value >= .1 && contradicts(p.bytes.value, p.moved.value/p.duration.value, 1<<20)
}

// contradicts allows for rounding, in the unit of the two rates.
func contradicts(printed, computed, rounding float64) bool {
	return math.Abs(printed-computed) > contradiction*computed+rounding
}

// operation returns whether memory was read or written. 0.5 does not print it, and
// writes by default.
func operation(p printed, set, words map[string]string) (string, error) {
	op := p.op
	if op == "" {
		op = words["memory-oper"]
	}
	if op == "" {
		op = set["op"]
	}
	if op == "" && words != nil {
		op = opWrite
	}
	switch op {
	case opRead, opWrite:
		return op, nil
	case "":
		return "", assay.WithHint("include sysbench's command line with its output", "sysbench memory: cannot tell whether it read or wrote")
	}
	return "", fmt.Errorf("sysbench memory: operation %q moves no data", op)
}

func commonLabels(p printed, words map[string]string) map[string]string {
	labels := map[string]string{"tool": "sysbench"}
	put(labels, "version", p.version)
	put(labels, "threads", p.threads, words["threads"], words["num-threads"])
	put(labels, "thread_events", p.fair[0])
	put(labels, "thread_events_stddev", p.fair[1])
	return labels
}

// memoryLabels describes the block in bytes, all buffers together, and the
// level that they were chosen to measure; the latter only if assay chose them.
func memoryLabels(p printed, set, words map[string]string) map[string]string {
	labels := commonLabels(p, words)
	put(labels, "scope", set["level"])
	put(labels, "llc", set["llc"])
	put(labels, "sharing", p.sharing, words["memory-scope"])
	put(labels, "pattern", words["memory-access-mode"])
	if p.total > 0 && set["kind"] == "" { // assay requests more than it can reach
		labels["total"] = strconv.FormatInt(p.total, 10)
	}
	block := p.block
	if block == 0 {
		block, _ = strconv.ParseInt(set["block"], 10, 64)
	}
	if block == 0 && words != nil {
		block = sizeOf(cmp.Or(words["memory-block-size"], "1K")) // its default
	}
	if block <= 0 {
		return labels
	}
	labels["block"] = strconv.FormatInt(block, 10)
	threads, err := strconv.ParseInt(labels["threads"], 10, 32)
	switch {
	case labels["sharing"] == "global":
		labels["buffers"] = labels["block"]
	case labels["sharing"] == "local" && err == nil && threads > 0 && block <= math.MaxInt64/threads:
		labels["buffers"] = strconv.FormatInt(block*threads, 10)
	}
	return labels
}

// put sets the first value that is not empty.
func put(labels map[string]string, name string, values ...string) {
	for _, v := range values {
		if v != "" {
			labels[name] = v
			return
		}
	}
}

func measured(metric string, f figure, unit assay.Unit, labels map[string]string) assay.Measurement {
	return assay.Measurement{Metric: metric, Value: f.value, Unit: unit, Labels: maps.Clone(labels), Line: f.line}
}

func split(argv []string) []string {
	if len(argv) == 1 {
		return strings.Fields(argv[0])
	}
	return argv
}

// options returns the --name=value words, or nil if the command is unknown.
func options(argv []string) map[string]string {
	if len(argv) == 0 {
		return nil
	}
	found := map[string]string{}
	for _, word := range split(argv) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(word, "--"), "="); ok {
			found[name] = value
		}
	}
	return found
}

// failure returns sysbench's own words for why there is no result, or nil.
func failure(step assay.Step) error {
	said := firstLine(step.Output, func(line string) bool { return strings.HasPrefix(line, "FATAL: ") })
	if step.Output.Exit == 0 && said == "" {
		return nil
	}
	if said == "" {
		said = firstLine(step.Output, func(line string) bool { return line != "" && !strings.HasPrefix(line, "sysbench ") })
	}
	hint := ""
	if strings.Contains(said, "Missing required command argument") {
		hint = "this sysbench is older than 1.0: install a newer one"
	}
	if step.Output.Exit == 0 {
		return assay.WithHint(hint, "sysbench: %s", said)
	}
	return assay.WithHint(hint, "sysbench: exit %d: %s", step.Output.Exit, said)
}

// firstLine returns the first wanted line, from standard error before standard
// output.
func firstLine(out assay.Output, wanted func(string) bool) string {
	for _, text := range [][]byte{out.Stderr, out.Stdout} {
		for line := range strings.SplitSeq(string(text), "\n") {
			if line = strings.TrimSpace(line); wanted(line) {
				return line
			}
		}
	}
	return ""
}
