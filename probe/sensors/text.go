package sensors

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// degree matches what separates a number from its unit: a degree sign, or what
// a wrong character set made of it.
const degree = `(?:&deg;|[^\w\s(,]{0,6}) ?`

var (
	readingLine = lazyregexp.New(`^([^:]+(?::[^ :][^:]*)*): *([+-]?\d+(?:[.,]\d+)?)` + degree + `([CF])(?:\W|$)`)
	critical    = lazyregexp.New(`\bcrit *= *([+-]?\d+(?:[.,]\d+)?)` + degree + `([CF])(?:\W|$)`)
	rawLine     = lazyregexp.New(`^temp\d+_(input|crit): (-?\d+\.\d+)$`)
	bareLabel   = lazyregexp.New(`^([^:]+(?::[^ :][^:]*)*):$`)
)

// fromText reads the human-readable table, and the raw form of sensors -u.
func fromText(text string) []sensor {
	var found []sensor
	chip, label := "", ""
	for i, raw := range strings.Split(text, "\n") {
		words := strings.Join(strings.Fields(raw), " ")
		if m := chipLine.FindString(words); m != "" {
			chip, label = m, ""
			continue
		}
		if m := bareLabel.FindStringSubmatch(words); m != nil {
			label = m[1]
			continue
		}
		if m := rawLine.FindStringSubmatch(words); m != nil && label != "" {
			v, _ := strconv.ParseFloat(m[2], 64)
			switch {
			case m[1] == "input":
				found = append(found, sensor{chip: chip, label: label, value: v, line: i + 1})
			case len(found) > 0 && found[len(found)-1].label == label:
				found[len(found)-1].crit = v
			}
			continue
		}
		if m := readingLine.FindStringSubmatch(words); m != nil {
			s := sensor{chip: chip, label: m[1], value: celsius(m[2], m[3]), line: i + 1}
			s.off = strings.Contains(words, "sensor = disabled") || strings.Contains(words, "FAULT")
			found = append(found, s)
		}
		if m := critical.FindStringSubmatch(words); m != nil && len(found) > 0 && found[len(found)-1].crit == 0 {
			found[len(found)-1].crit = celsius(m[1], m[2])
		}
	}
	return found
}

// celsius parses a number in °C or °F. Of what the patterns accept, only
// numbers that are too large fail, and those are no temperatures either.
func celsius(number, unit string) float64 {
	v, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if err != nil {
		return hottest
	}
	if unit == "F" {
		return (v - 32) / 1.8
	}
	return v
}
