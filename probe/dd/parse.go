package dd

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Parse parses the passes of a repeat, or one dd that somebody else ran. It fails if
// a pass failed, if dd prints no bytes and seconds, or if the command neither reads
// nor writes a drive. Without the command, the figure is of a copy.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var passes []assay.Step
	for _, step := range tr.Steps {
		if step.Name == stepMeasure {
			passes = append(passes, step)
		}
	}
	if len(passes) == 0 {
		return nil, fmt.Errorf("dd: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	total, err := add(passes)
	if err != nil {
		return nil, err
	}
	words := operands(passes[0].Argv)
	filled := deviceFilled(passes[0])
	if words == nil && filled != "" {
		words = map[string]string{"of": filled}
	}
	direction, err := directionOf(tr.Settings["op"], words)
	if err != nil {
		return nil, err
	}
	labels := labelsOf(tr, passes, direction, total.bytes)
	if filled != "" {
		labels["file"] = filled
	}
	measured := func(metric string, value float64, unit assay.Unit) assay.Measurement {
		return assay.Measurement{Metric: metric, Value: value, Unit: unit, Labels: maps.Clone(labels), Line: total.line}
	}
	return []assay.Measurement{
		measured("storage."+direction+".bandwidth", float64(total.bytes)/total.seconds, assay.BytesPerSecond),
		measured("storage."+direction+".bytes", float64(total.bytes), assay.Bytes),
		measured("tool.duration", total.seconds, assay.Seconds),
	}, nil
}

// add sums the passes; the line is that of the first.
func add(passes []assay.Step) (total summary, err error) {
	for i, step := range passes {
		if err := failure(step); err != nil {
			return summary{}, err
		}
		s, err := parseSummary(step)
		if err != nil {
			return summary{}, err
		}
		if i == 0 {
			total.line = s.line
		}
		if total.bytes+s.bytes < total.bytes {
			return summary{}, fmt.Errorf("dd copied %d bytes: not a number of bytes", s.bytes)
		}
		total.bytes += s.bytes
		total.seconds += s.seconds
	}
	return total, nil
}

// operands returns dd's name=value words; nil if the command is unknown.
func operands(argv []string) map[string]string {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	var found map[string]string
	for _, word := range argv {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		if name == "conv" || name == "iflag" || name == "oflag" {
			value = strings.Trim(found[name]+","+value, ",") // these add up
		}
		found[name] = value
	}
	return found
}

// directionOf returns whether the drive is read or written; copy if dd's command is
// unknown, as its output does not say.
func directionOf(op string, words map[string]string) (string, error) {
	switch op {
	case opWrite, "read":
		return op, nil
	case opReadCold, opReadWarm:
		return "read", nil
	}
	from, to := words["if"], words["of"]
	generated := from == "/dev/zero" || from == "/dev/urandom" || from == "/dev/random"
	nowhere := to == "/dev/null" || to == "/dev/zero" // both discard what is written to them
	switch {
	case nowhere && generated:
		return "", fmt.Errorf("dd from %s to %s measures no storage", from, to)
	case nowhere:
		return "read", nil
	case to != "":
		return "write", nil
	case words == nil:
		return "copy", nil
	}
	return "", assay.WithHint("include dd's command line", "dd: cannot tell whether it read or wrote")
}

// labelsOf describes what happened, as far as the command lines show it.
func labelsOf(tr assay.Transcript, passes []assay.Step, direction string, total int64) map[string]string {
	labels := map[string]string{
		"tool": "dd", "jobs": "1", "iodepth": "1", "engine": "psync",
		"passes": strconv.Itoa(len(passes)),
		"size":   strconv.FormatInt(total/int64(len(passes)), 10),
	}
	if direction != "copy" {
		labels["pattern"] = direction
	}
	words := operands(passes[0].Argv)
	if words != nil {
		labels["bs"] = blockSize(words, direction)
		put(labels, "file", fileOf(tr.Settings, words, direction))
		labels["direct"] = direct(words, direction)
		labels["sync"] = flush(words, direction)
	}
	if tr.Settings["op"] == "" { // assay's own dd did as instructed
		put(labels, "records", recordsRead(passes[0].Output))
		if n := readErrors(passes[0]); n > 0 {
			labels["read_errors"] = strconv.Itoa(n)
		}
	}
	if source := sourceOf(tr.Settings, words); source != "" {
		labels["source"] = source
	}
	if direction == "read" {
		put(labels, "cache", cacheState(tr, len(passes), total))
	} else if words != nil {
		labels["layout"] = "truncated" // old blocks are freed, new ones allocated
		if has(words["conv"], "notrunc") {
			labels["layout"] = "overwritten"
		}
	}
	return labels
}

// recordsIn matches a line of records: full ones and partial ones.
var recordsIn = lazyregexp.New(`(?m)^[ \t]*(?:\^C)?(?:\p{Han}{2,3} ?)?(\d{1,15}\+\d{1,15}) `)

// recordsRead returns how many blocks were copied, as dd prints it: 2911+1; "" if it did
// not. It also prints that for each SIGUSR1: the last one counts, as with the bytes.
func recordsRead(out assay.Output) string {
	for _, text := range [][]byte{out.Stdout, out.Stderr} {
		if all := recordsIn.FindAllSubmatch(text, -1); len(all) > 0 {
			return string(all[len(all)-1][1])
		}
	}
	return ""
}

func put(labels map[string]string, name, value string) {
	if value != "" {
		labels[name] = value
	}
}

// fileOf returns the file that somebody else read or wrote: names of scratch
// files mean nothing.
func fileOf(settings, words map[string]string, direction string) string {
	if settings["op"] != "" {
		return ""
	}
	return words[map[string]string{"read": "if", "write": "of"}[direction]]
}

func direct(words map[string]string, direction string) string {
	flags := words["iflag"]
	if direction == "write" {
		flags = words["oflag"]
	}
	if has(flags, "direct") {
		return "1"
	}
	return "0"
}

// flush returns how the data were made durable, "0" if they were not.
func flush(words map[string]string, direction string) string {
	if direction == "read" {
		return "0"
	}
	for _, flag := range []string{"sync", "dsync"} { // each block; oflag only
		if has(words["oflag"], flag) {
			return flag
		}
	}
	for _, conversion := range []string{"fsync", "fdatasync"} { // once, at the end
		if has(words["conv"], conversion) {
			return conversion
		}
	}
	return "0"
}

func sourceOf(settings, words map[string]string) string {
	switch words["if"] {
	case "/dev/zero":
		return "zero"
	case "/dev/urandom", "/dev/random":
		return "urandom"
	}
	return settings["source"]
}

func has(list, word string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item == word {
			return true
		}
	}
	return false
}
