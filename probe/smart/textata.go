package smart

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

var (
	// attributeLine is a row of the vendor's table, with columns for its type
	// and when it is updated, or in the brief form of -x, where letters give
	// both.
	attributeLine = lazyregexp.New(`^ *(\d{1,3}|0x[0-9a-f]{2}) +([A-Za-z][\w./-]*) +(0x[0-9a-f]{4}|[P-][O-][S-][R-][C-][K-]\+?) +(\d{1,3}|0x[0-9a-f]{2}|---) +(\d{1,3}|0x[0-9a-f]{2}|---) +(\d{1,3}|0x[0-9a-f]{2}|---)`)
	attributeRest = lazyregexp.New(`^ +(?:(?:Pre-fail|Old_age) +(?:Always|Offline) +)?(-|FAILING_NOW|In_the_past|NOW|Past) +(\S.*?) *$`)
	timeLine      = lazyregexp.New(`^(\d+)h\+(\d+)m`)
	// statisticLine is a row of the device statistics; the flags came with 6.5,
	// earlier versions have a mark after a normalised value.
	statisticLine = lazyregexp.New(`^(?:0x)?[0-9a-f]{1,2} 0x[0-9a-f]{3} \d (-|-?\d+)~? (?:[VNDC-]{3} )?([A-Z].*)$`)
	errorLine     = lazyregexp.New(`^Error \d+ (?:\[\d+\] )?occurred at `)
	nvmeErrorLine = lazyregexp.New(`^\d+ (\d+) (?:\d+|-) (?:0x[0-9a-f]{4}|-) (0x[0-9a-f]{4}|-) (?:0x[0-9a-f]{3}|-) `)
)

// attribute reads a row of the vendor's table. In a window of 80 columns it
// continues on the next line. A row that may be truncated is not read.
func (t *textReader) attribute(raw, next string, line int) bool {
	raw = strings.ReplaceAll(raw, "\t", " ")
	m := attributeLine.FindStringSubmatch(raw)
	if m == nil || t.last && t.unended {
		return false
	}
	rest := attributeRest.FindStringSubmatch(raw[len(m[0]):])
	if rest == nil {
		rest = attributeRest.FindStringSubmatch(raw[len(m[0]):] + next)
	}
	id, err := strconv.ParseUint(strings.TrimPrefix(m[1], "0x"), base(m[1]), 8)
	if rest == nil || err != nil {
		return false
	}
	t.protocol("ATA", line)
	row := object{
		"id":   {float64(id), line},
		"name": {m[2], line},
		"raw":  {object{"string": {rest[2], line}}, line},
	}
	if value, err := strconv.ParseUint(strings.TrimPrefix(m[4], "0x"), base(m[4]), 8); err == nil {
		row["value"] = node{float64(value), line}
	}
	if worst, err := strconv.ParseUint(strings.TrimPrefix(m[5], "0x"), base(m[5]), 8); err == nil {
		row["worst"] = node{float64(worst), line}
	}
	if limit, err := strconv.ParseUint(strings.TrimPrefix(m[6], "0x"), base(m[6]), 8); err == nil {
		row["thresh"] = node{float64(limit), line}
	}
	row["when_failed"] = node{whenFailed(rest[1]), line}
	t.doc.grow(node{row, line}, "ata_smart_attributes", "table")
	t.atThreshold(rest[1], m[3])
	if d := timeLine.FindStringSubmatch(rest[2]); d != nil && id == 9 {
		t.doc.set(d[1], line, "power_on_time", "hours")
		t.doc.set(d[2], line, "power_on_time", "minutes")
	}
	return true
}

// whenFailed returns the JSON document's value for the column of that name.
func whenFailed(word string) string {
	switch word {
	case "FAILING_NOW", "NOW":
		return "now"
	case "In_the_past", "Past":
		return "past"
	}
	return ""
}

func base(s string) int {
	if strings.HasPrefix(s, "0x") {
		return 16
	}
	return 10
}

// atThreshold records what smartctl's exit status would say about failed
// attributes.
func (t *textReader) atThreshold(when, flags string) {
	word, err := strconv.ParseUint(strings.TrimPrefix(flags, "0x"), 16, 16)
	prefail := err == nil && word&1 != 0 || strings.HasPrefix(flags, "P")
	switch {
	case when == "-":
	case prefail && strings.HasSuffix(when, "NOW"):
		t.status |= prefailAtThreshold
	default:
		t.status |= onceAtThreshold
	}
}

// statistic reads a row of the device statistics.
func (t *textReader) statistic(words string, line int) bool {
	m := statisticLine.FindStringSubmatch(words)
	if m == nil || t.last && t.unended {
		return false
	}
	row := object{"name": {m[2], line}}
	if v, err := strconv.ParseFloat(m[1], 64); err == nil {
		row["value"] = node{v, line}
	}
	page := node{object{"table": {[]node{{row, line}}, line}}, line}
	t.doc.grow(page, "ata_device_statistics", "pages")
	return true
}

// The error logs, by the names under which they are kept.
const (
	summaryLog  = "summary"
	extendedLog = "extended"
	nvmeLog     = "nvme"
)

func opensLog(section string) field {
	return func(t *textReader, _ string, _ int) error {
		t.section = section
		return nil
	}
}

func ataErrors(t *textReader, value string, line int) error {
	if v, _, ok := leadingCount(value); ok && (t.section == summaryLog || t.section == extendedLog) {
		if v > 0 {
			t.status |= logHasErrors
		}
		t.doc.set(v, line, "ata_smart_error_log", t.section, "count")
	}
	return nil
}

// logged reads the error logs of ATA and NVMe drives.
func (t *textReader) logged(words string, line int) bool {
	if strings.HasPrefix(words, "Error Information (NVMe Log 0x01") {
		t.section = nvmeLog
		return true
	}
	switch t.section {
	case nvmeLog:
		return t.nvmeError(words, line)
	case summaryLog, extendedLog:
		return t.ataError(words, line)
	}
	return false
}

func (t *textReader) ataError(words string, line int) bool {
	log := []string{"ata_smart_error_log", t.section}
	switch before, description, described := strings.Cut(words, " Error: "); {
	case words == "No Errors Logged":
		t.doc.set(0., line, log[0], log[1], "count")
	case errorLine.MatchString(words):
		t.doc.grow(node{object{}, line}, log[0], log[1], "table")
	case described:
		entries := t.doc.at(log[0], log[1], "table").list()
		if len(entries) == 0 {
			return false
		}
		description = "Error: " + description
		if strings.HasSuffix(before, "Device Fault;") {
			description = "Device Fault; " + description
		}
		entries[len(entries)-1].set(description, line, "error_description")
	default:
		return false
	}
	return true
}

// nvmeError reads an entry. The printed status includes the phase tag as its
// lowest bit (smartmontools, nvmeprint.cpp; NVM Express Base Specification,
// Error Information log).
func (t *textReader) nvmeError(words string, line int) bool {
	m := nvmeErrorLine.FindStringSubmatch(words + " ")
	if m == nil {
		return false
	}
	entry := object{"error_count": {m[1], line}}
	if status, err := strconv.ParseUint(strings.TrimPrefix(m[2], "0x"), 16, 16); err == nil {
		entry["status_field"] = node{object{
			"status_code":      {float64(status >> 1 & 0xff), line},
			"status_code_type": {float64(status >> 9 & 7), line},
		}, line}
	}
	t.doc.grow(node{entry, line}, "nvme_error_information_log", "table")
	return true
}
