package table

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

var (
	exact   = lazyregexp.New(`^[+-]?[\d.,]`)
	digit   = lazyregexp.New(`\d`)
	nothing = []string{"", "-", "–", "—", "n/a", "na", "none", "?"}
)

// labelled is a figure with the settings under which it was measured.
type labelled struct {
	figure
	labels map[string]string
}

// figures reads one cell. rowLabels are what the row says about it. What is doubtful in
// it is recorded.
func (b *bench) figures(p phrase, header string, r gridRow, cell string, rowLabels map[string]string) []labelled {
	if slices.Contains(nothing, strings.ToLower(cell)) || !p.any() {
		return nil
	}
	if strings.HasPrefix(p.measure, "smart.passed") {
		f, ok := verdict(p.measure, r.line, cell)
		if !ok {
			return nil
		}
		labels := maps.Clone(rowLabels)
		b.label("smart", p, labels)
		return []labelled{{f, labels}}
	}
	if !digit.MatchString(cell) {
		return nil
	}
	var all []labelled
	for _, part := range parts(p, ungrouped(cell)) {
		labels := maps.Clone(rowLabels)
		if f, ok := b.figure(part.phrase, header, r.line, part.text, labels); ok {
			all = append(all, labelled{f, labels})
		}
	}
	return all
}

// verdict reads a drive's health: PASSED or FAILED.
func verdict(metric string, line int, cell string) (figure, bool) {
	switch strings.ToUpper(cell) {
	case "PASSED", "OK":
		return figure{line: line, metric: metric, value: 1}, true
	case "FAILED":
		return figure{line: line, metric: metric}, true
	}
	return figure{}, false
}

var spaced = lazyregexp.New(`^[+-]?\d{1,3}(?: \d{3})+(?:\.\d+)?(?:[^\d.,]|$)`)

// withSpread is a figure with its standard deviation before its unit: 499 (310) MB/s.
var withSpread = lazyregexp.New(`^([\d.,]+) \([\d.,]+\)( [^\d()]+)$`)

// ungrouped removes footnote marks, a standard deviation, and spaces between groups of
// digits: 42 270.
func ungrouped(cell string) string {
	cell = strings.TrimRight(cell, " *¹²³⁴⁵⁶⁷⁸⁹⁰†‡")
	if !strings.Contains(cell, " ") {
		return cell
	}
	if m := withSpread.FindStringSubmatch(cell); m != nil {
		cell = m[1] + m[2]
	}
	digits := strings.TrimRightFunc(spaced.FindString(cell), func(c rune) bool { return c < '0' || c > '9' })
	return strings.ReplaceAll(digits, " ", "") + cell[len(digits):]
}

// part is one figure of a cell.
type part struct {
	phrase
	text string
}

var (
	readsAndWrites = lazyregexp.New(`(?i)^r(?:ead)?[: ]\s*(\S.*?)\s*[/,·|]\s*w(?:rite)?[: ]\s*(\S.*)$`)
	twoFigures     = lazyregexp.New(`^(\d[\d.,]*\s*[^\s/]*)\s*/\s+(\d.*)$|^(\d[\d.,]*)/(\d.*)$`)
	between        = lazyregexp.New(`\s+[·•|/@]\s+|;\s*|,\s+`)
	inBrackets     = lazyregexp.New(`^([^()]*\S)\s*\(([^()]*)\)$`)
	statistic      = lazyregexp.New(`(?i)^(.*\S)\s+(avg|mean|average|median|min|max|p\d\d(?:\.\d+)?)\.?$`)
)

// parts splits a cell with several figures: "R: 693 / W: 300 MiB/s", "84 µs avg, 11,862
// IOPS", "317 MiB/s (333 MB/s)". Of several that measure different things, each needs a
// unit that says which.
func parts(p phrase, cell string) []part {
	if !strings.ContainsAny(cell, " (/;") {
		return []part{{p, cell}}
	}
	if reads, writes, ok := bothWays(p, cell); ok {
		return []part{{p.only("read"), reads}, {p.only("write"), writes}}
	}
	if m := inBrackets.FindStringSubmatch(cell); m != nil && digit.MatchString(m[2]) {
		cell = m[1] // brackets hold a remark, or the same figure in another unit
		if also := measureOf(m[2]); also != "" && also != measureOf(m[1]) {
			cell += ", " + m[2]
		}
	}
	texts := slices.DeleteFunc(between.Split(cell, -1), func(t string) bool { return !digit.MatchString(t) })
	if len(texts) < 2 || !slices.ContainsFunc(texts, func(t string) bool { return measureOf(t) != "" }) {
		return []part{{p, cell}}
	}
	var all []part
	for _, text := range texts {
		q := p
		q.measure, q.unit, q.count = measureOf(text), "", 1
		if m := statistic.FindStringSubmatch(text); m != nil {
			text, q.stat = m[1], readPhrase(m[2]).stat
		}
		all = append(all, part{q, text})
	}
	return all
}

// bothWays splits a cell that holds a figure for reads and one for writes.
func bothWays(p phrase, cell string) (reads, writes string, ok bool) {
	m := readsAndWrites.FindStringSubmatch(cell)
	if m != nil {
		reads, writes = m[1], m[2]
	} else if m = twoFigures.FindStringSubmatch(cell); m != nil && p.twoWays() {
		reads, writes = m[1]+m[3], m[2]+m[4]
		if p.op == "read" { // the later word
			reads, writes = writes, reads
		}
	} else {
		return "", "", false
	}
	_, readUnit, err := cutNumber(reads)
	_, writeUnit, err2 := cutNumber(writes)
	if err != nil || err2 != nil {
		return "", "", false
	}
	if readUnit == "" {
		reads += " " + writeUnit
	}
	if writeUnit == "" {
		writes += " " + readUnit
	}
	return reads, writes, true
}

// twoWays reports whether a cell may hold a figure for reads and one for writes.
func (p phrase) twoWays() bool { return p.reads || p.mixed && p.op == "" }

// only returns the phrase for one of the two operations that it names.
func (p phrase) only(op string) phrase {
	p.op, p.reads = op, false
	return p
}

// measureOf returns the measure that a figure's own unit implies, "" if none.
func measureOf(text string) string {
	if m := statistic.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	_, rest, err := cutNumber(text)
	if m, _ := unit(rest); err != nil || m.base == assay.Seconds && m.size >= 1 {
		return "" // whole seconds are usually the run time
	}
	return measureOfUnit(rest)
}

// measureOfUnit returns the measure that a unit implies, "" if it may be one of several.
func measureOfUnit(word string) string {
	m, _ := unit(word)
	switch m.base {
	case assay.BytesPerSecond:
		return "bandwidth"
	case assay.PerSecond:
		return "iops"
	case assay.Seconds:
		return "latency"
	}
	return ""
}

// figure reads one figure. labels receives what header, heading and command say
// about it. A doubtful one is recorded, and not ok.
func (b *bench) figure(p phrase, header string, line int, text string, labels map[string]string) (figure, bool) {
	if !exact.MatchString(text) {
		b.doubt(line, "%q under %q is not a plain number", text, header)
		return figure{}, false
	}
	if !p.whole() {
		b.doubt(line, "%q under %q: can't tell what this measures", text, header)
		return figure{}, false
	}
	metric, why := b.metric(p, text)
	if metric == "" && strings.HasSuffix(text, "%") {
		return figure{}, false // a share of something
	}
	if metric == "" {
		b.doubt(line, "%q under %q: %s", text, header, why)
		return figure{}, false
	}
	described, ok := assay.Describe(metric)
	if !ok {
		b.doubt(line, "%q under %q: %s is not supported", text, header, metric)
		return figure{}, false
	}
	v, err := value(text, b.unit(p, described), described)
	if err != nil {
		b.doubt(line, "%q under %q: %s", text, header, unitless(err, described))
		return figure{}, false
	}
	if word := b.unit(p, described); kiloWord.MatchString(word) && plainOrGrouped(text) {
		if b.kilo == nil {
			b.kilo = map[kilo]bool{}
		}
		b.kilo[kilo{line, metric}] = true
	}
	b.label(metric, p, labels)
	return figure{line: line, metric: metric, value: v, labels: map[string]string{"rounding": lastDigit(text, v)}}, true
}

// unit returns the header's unit. KB under Bandwidth means KB per second.
func (b *bench) unit(p phrase, of assay.Metric) string {
	if m, ok := unit(p.unit); ok && m.base == assay.Bytes && of.Unit == assay.BytesPerSecond && p.measure == "bandwidth" {
		return p.unit + "/s"
	}
	if p.unit == "" && of.Name == "smart.power_on_hours" {
		return "h" // the header's own word
	}
	return p.unit
}

// lastDigit returns what one unit of a figure's last digit is worth. People round or truncate
// what they type, so a figure may be off by that much.
func lastDigit(text string, v float64) string {
	digits := strings.ReplaceAll(strings.TrimRight(leadingNumber.FindString(text), ".,"), ",", "")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n == 0 {
		return "0"
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(cmp.Or(exponent, "0"))
	return strconv.FormatFloat(math.Abs(v/n)*math.Pow10(power-len(decimals)), 'g', 3, 64)
}
