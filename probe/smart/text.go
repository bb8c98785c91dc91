package smart

import (
	"fmt"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// parseText reads smartctl's human-readable output, in the order and the words
// of the versions since 5.38, and converts it to the form of the JSON document.
func parseText(text string, argv []string) ([]assay.Measurement, error) {
	t := textReader{doc: node{object{}, 1}, unended: !strings.HasSuffix(text, "\n")}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		t.last = i == len(lines)-1
		next := ""
		if !t.last {
			next = lines[i+1]
		}
		if err := t.read(strings.TrimSuffix(lines[i], "\r"), strings.TrimSuffix(next, "\r"), i+1); err != nil {
			return nil, fmt.Errorf("%s's line %d: %w", t.program(), i+1, err)
		}
	}
	if t.known == 0 {
		return nil, fmt.Errorf("smartctl printed no JSON document and no readable text: %w", assay.ErrNoOutput)
	}
	if device := deviceIn(argv); device != "" {
		t.doc.set(device, 1, "device", "name")
	}
	return t.measure()
}

// textReader collects what the lines say.
type textReader struct {
	doc     node
	known   int    // lines that were understood
	section string // the error log the lines belong to
	vendor  string // of a SCSI drive
	status  int    // as smartctl's exit status would be
	last    bool   // no line follows
	isCLI   bool   // nvme-cli printed it
	unended bool   // the last line has no newline: it may be cut
	tests   int    // rows of a SCSI drive's self-test log
}

var (
	versionLine = lazyregexp.New(`^smartctl (?:version )?(?:pre-)?(\d+)\.(\d+)[\d.]* [\d\[]`)
	// minutes always have two digits.
	powerOnLine = lazyregexp.New(`^Accumulated power on time, hours:minutes (\d+):(\d\d)\b`)
	poweredUp   = lazyregexp.New(`^number of hours powered up = (\d+\.\d\d)$`)
	counterLine = lazyregexp.New(`^(read|write|verify): (?:\d+ ){5}(\d+)[.,](\d+) (\d+)$`)
	degreesLine = lazyregexp.New(`^Current temperature = (-?\d{1,3})$`) // since 7.5
	failureLine = lazyregexp.New(`^(?:Smartctl open device: .*failed: .+|\S+: Unknown USB bridge \[.*|\S+: Unable to detect device type|Please specify device type with the -d option\.?|Read (?:Device Identity|SMART Data|NVMe .+) failed: .+|A mandatory SMART command failed: .+|=======> .+)$`)
)

func (t *textReader) program() string {
	if t.isCLI {
		return "nvme smart-log"
	}
	return "smartctl"
}

// read parses one line. next is the one after it, for lines that a narrow
// window wrapped.
func (t *textReader) read(raw, next string, line int) error {
	words := strings.Join(strings.Fields(raw), " ")
	if words == "" {
		return nil
	}
	if t.attribute(raw, next, line) || t.statistic(words, line) || t.selfTest(words, line) || t.logged(words, line) || t.oneOff(words, line) {
		t.known++
		return nil
	}
	name, value, ok := strings.Cut(words, ":")
	if !ok {
		return nil
	}
	names := fields
	if t.isCLI {
		names = cliFields
	}
	f, there := names[strings.TrimSpace(name)]
	if !there {
		return nil
	}
	t.known++
	return f(t, strings.TrimSpace(value), line)
}

// oneOff reads the lines that are not of the form "name: value".
func (t *textReader) oneOff(words string, line int) bool {
	if m := versionLine.FindStringSubmatch(words); m != nil {
		t.doc.grow(node{m[1], line}, "smartctl", "version")
		t.doc.grow(node{m[2], line}, "smartctl", "version")
		return true
	}
	if m := smartLog.FindStringSubmatch(words); m != nil {
		t.isCLI = true
		t.protocol("NVMe", line)
		t.doc.set(m[1], line, "device", "name")
		return true
	}
	if m := powerOnLine.FindStringSubmatch(words); m != nil {
		t.protocol("SCSI", line)
		t.doc.set(m[1], line, "power_on_time", "hours")
		t.doc.set(m[2], line, "power_on_time", "minutes")
		return true
	}
	if m := poweredUp.FindStringSubmatch(words); m != nil {
		t.protocol("SCSI", line)
		t.doc.set(m[1], line, "power_on_time", "hours")
		return true
	}
	if m := counterLine.FindStringSubmatch(words); m != nil {
		t.protocol("SCSI", line)
		t.doc.set(m[2]+"."+m[3], line, "scsi_error_counter_log", m[1], "gigabytes_processed")
		t.doc.set(m[4], line, "scsi_error_counter_log", m[1], "total_uncorrected_errors")
		return true
	}
	if m := degreesLine.FindStringSubmatch(words); m != nil {
		t.protocol("SCSI", line)
		t.doc.set(m[1], line, "temperature", "current")
		return true
	}
	if failureLine.MatchString(words) {
		t.doc.grow(node{object{"string": {words, line}, "severity": {"error", line}}, line}, "smartctl", "messages")
		return true
	}
	return false
}

func (t *textReader) protocol(name string, line int) { t.doc.set(name, line, "device", "protocol") }

// measure returns the figures, or why there are none.
func (t *textReader) measure() ([]assay.Measurement, error) {
	r := &reading{doc: t.doc, labels: commonLabels(t.doc), status: t.status}
	if err := r.read(); err != nil {
		return nil, err
	}
	if len(r.found) > 0 {
		return r.found, nil
	}
	if text := messages(t.doc); text != "" {
		return nil, complaint(t.doc, t.status)
	}
	for _, key := range []string{"available", "enabled"} {
		if yes, known := t.doc.at("smart_support", key).truth(); known && !yes {
			return nil, whyNothing(t.doc, t.status)
		}
	}
	return nil, assay.WithHint("smartctl -x DEVICE, as root, prints them", "smartctl's output contains no health data: %w", assay.ErrNoOutput)
}
