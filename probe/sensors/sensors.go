package sensors

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const (
	tool   = "sensors"
	metric = "thermal.temperature"
)

type reader struct{}

// New returns the reader.
func New() assay.Measurer { return reader{} }

// longest is more bytes than any single output has.
const longest = 64 << 10

var (
	// chipLine is a chip's name: driver, bus, address (libsensors, lib/data.c).
	chipLine = lazyregexp.New(`^([\w:.+]+)-(?:isa|pci|acpi|virtual|spi|hid|mdio|scsi|i2c)-[0-9a-f]+(?:-[0-9a-f]+)?$`)
	// orphan is a temperature whose chip line is missing. Nothing else prints
	// these names.
	orphan = lazyregexp.New(`^(Package id \d+|Physical id \d+|Core \d+|Tctl|Tdie|Tccd\d+|Composite): +[+-]\d+[.,]\d` + degree + `[CF]\b`)
)

// Format recognises the output by the names of its chips.
func (reader) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{tool}, Begins: begins, Splits: splits, Accepts: accepts}
}

func begins(line string) bool {
	line = strings.TrimSpace(line)
	return strings.IndexByte(line, ' ') < 0 && chipLine.MatchString(line) || orphan.MatchString(line)
}

// splits reports whether next begins another reading: a chip that was already
// seen, or a label if the chip lines are missing.
func splits(sofar []byte, next string) bool {
	if len(sofar) > longest || !begins(next) {
		return true
	}
	next = strings.TrimSpace(next)
	if m := orphan.FindStringSubmatch(next); m != nil {
		next = m[1] + ":"
	}
	lost := strings.HasSuffix(next, ":")
	again := false
	for line := range bytes.Lines(sofar) {
		words := strings.TrimSpace(string(line))
		if chipLine.MatchString(words) {
			if lost {
				return false // it belongs to that chip
			}
			again = again || words == next
		}
		again = again || lost && strings.HasPrefix(words, next)
	}
	return again
}

func accepts(keys []string) bool { return slices.ContainsFunc(keys, chipLine.MatchString) }

// Parse returns one measurement per temperature, the one that best represents
// the CPU first. It fails if there is none.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step("measure")
	if step == nil || len(bytes.TrimSpace(step.Output.Stdout)) == 0 {
		return nil, fmt.Errorf("sensors: %w", assay.ErrNoOutput)
	}
	out := step.Output.Stdout
	var found []sensor
	if at := opening(out); at >= 0 {
		var err error
		if found, err = fromJSON(out[at:], 1+bytes.Count(out[:at], []byte("\n"))); err != nil {
			return nil, err
		}
	} else {
		found = fromText(string(out))
	}
	found = slices.DeleteFunc(found, func(s sensor) bool { return !s.plausible() })
	if len(found) == 0 {
		if bytes.Contains(out, []byte("No sensors found")) {
			return nil, assay.WithHint("load the drivers as root: sensors-detect --auto, then modprobe the modules it names; a virtual machine has no sensors", "sensors: no sensors found")
		}
		return nil, fmt.Errorf("sensors: no temperature in the output: %w", assay.ErrNoOutput)
	}
	return measurements(found), nil
}

// opening returns where a JSON document begins, or -1 for text.
func opening(out []byte) int {
	at := bytes.IndexByte(out, '{')
	if at < 0 || slices.ContainsFunc(strings.Split(string(out[:at]), "\n"), begins) {
		return -1
	}
	return at
}

// measurements puts the sensor first that best represents the CPU: the hottest
// of those that cover all of it. The others keep their order. Sensors with the
// same name are numbered.
func measurements(found []sensor) []assay.Measurement {
	first := 0
	for i, s := range found {
		if r, best := s.rank(), found[first].rank(); r < best || r == best && r < otherRank && s.value > found[first].value {
			first = i
		}
	}
	names := map[string]int{}
	all := make([]assay.Measurement, 0, len(found))
	for i, s := range found {
		labels := map[string]string{"tool": tool, "sensor": s.key(), "kind": s.kind()}
		if names[s.key()]++; names[s.key()] > 1 {
			labels["sensor"] = fmt.Sprintf("%s #%d", s.key(), names[s.key()])
		}
		if i == first && s.kind() == cpu {
			labels["headline"] = "1"
		}
		all = append(all, assay.Measurement{Metric: metric, Value: s.value, Unit: assay.Celsius, Labels: maps.Clone(labels), Line: s.line})
	}
	headline := all[first]
	return append([]assay.Measurement{headline}, slices.Delete(all, first, first+1)...)
}
