package smart

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// selfTest is one entry of a drive's self-test log.
type selfTest struct {
	what   string // "Extended offline"
	result string // "Completed: read failure"
	hours  string // the drive's age at the time
	line   int
}

// failed reports whether the test found a fault: an aborted or running test has
// found none.
func (s selfTest) failed() bool {
	result := strings.ToLower(s.result)
	for _, mark := range []string{"failure", "failed", "fatal", "damage", "unknown error"} {
		if strings.Contains(result, mark) {
			return true
		}
	}
	return false
}

// passed reports whether the test read the whole medium without error.
func (s selfTest) passed() bool {
	what, result := strings.ToLower(s.what), strings.ToLower(s.result)
	whole := strings.HasPrefix(what, "extended") || strings.HasSuffix(what, "long")
	return whole && (result == "completed" || strings.HasPrefix(result, "completed without error"))
}

// readSelfTests counts the failed tests; the newest entry comes first. If the
// drive's log is missing, the status of its last test is used.
func (r *reading) readSelfTests() {
	tests := r.selfTests()
	if len(tests) == 0 {
		return
	}
	failures, newest, mended := 0, selfTest{}, false
	for _, test := range tests {
		switch {
		case test.failed():
			if failures++; failures == 1 {
				newest = test
			}
		case failures == 0 && test.passed():
			mended = true
		}
	}
	labels := map[string]string{"tests": strconv.Itoa(len(tests))}
	line := tests[0].line
	if failures > 0 {
		line = newest.line
		labels["newest"] = strings.TrimSpace(newest.what + ": " + lastPart(newest.result))
		if newest.hours != "" {
			labels["hours"] = newest.hours
		}
		if mended {
			labels["since"] = "passed"
		}
	}
	r.add("smart.self_test_failures", float64(failures), line, labels)
}

// lastPart returns the part of a result after "Completed: ".
func lastPart(result string) string {
	if _, rest, ok := strings.Cut(result, ": "); ok {
		return rest
	}
	return strings.TrimSuffix(result, " -->")
}

func (r *reading) selfTests() []selfTest {
	var tests []selfTest
	add := func(what, result, hours node) {
		if result.text() == "" {
			return
		}
		test := selfTest{what: what.text(), result: result.text(), line: result.line}
		if h, ok := hours.number(); ok {
			test.hours = strconv.FormatFloat(h, 'f', -1, 64)
		}
		tests = append(tests, test)
	}
	for _, log := range []string{"extended", "standard"} {
		for _, entry := range r.doc.at("ata_smart_self_test_log", log, "table").list() {
			add(entry.at("type", "string"), entry.at("status", "string"), entry.at("lifetime_hours"))
		}
		if len(tests) > 0 {
			return tests
		}
	}
	for _, entry := range r.doc.at("nvme_self_test_log", "table").list() {
		add(entry.at("self_test_code", "string"), entry.at("self_test_result", "string"), entry.at("power_on_hours"))
	}
	const mostSCSI = 20 // the log page holds no more
	for i := range mostSCSI {
		entry := r.doc.at("scsi_self_test_" + strconv.Itoa(i))
		add(entry.at("code", "string"), entry.at("result", "string"), entry.at("power_on_time", "hours"))
	}
	if status := r.doc.at("ata_smart_data", "self_test", "status"); len(tests) == 0 && status.exists() {
		test := selfTest{what: "last self-test", result: status.at("string").text(), line: status.at("value").line}
		if v, ok := status.at("value").number(); ok && v >= 0 && v < 256 {
			test.result = lastResult(int(v) >> 4)
		}
		if test.failed() { // 0 also means never tested
			tests = append(tests, test)
		}
	}
	return tests
}

// lastResult translates the upper half of an ATA drive's self-test execution
// status into the log's words (ACS-3, "Self-test execution status").
func lastResult(code int) string {
	words := []string{
		"Completed without error", "Aborted by host", "Interrupted (host reset)", "Fatal or unknown error",
		"Completed: unknown failure", "Completed: electrical failure", "Completed: servo/seek failure",
		"Completed: read failure", "Completed: handling damage",
	}
	if code < len(words) {
		return words[code]
	}
	return ""
}

var (
	// ataTest is a row of the self-test log, with blanks collapsed.
	ataTest  = lazyregexp.New(`^# ?\d{1,2} (\S.*?) (Completed.*?|Aborted.*?|Interrupted.*?|Fatal.*?|Self-test routine in progress.*?|Unknown.*?) \d{1,3}% (\d+) (?:\S+)$`)
	scsiTest = lazyregexp.New(`^# ?\d{1,2} ((?:Background|Foreground|Abort) \S+|Default|Reserved\(\d\)) (\S.*?) (?:\d+|-) (\d+|NOW) (?:0x[0-9a-f]+|\d+|-) \[`)
	nvmeTest = lazyregexp.New(`^\d{1,2} (Short|Extended|Vendor\S*) (Completed.*?|Aborted.*?|Fatal.*?|Unknown.*?) (\d+) (?:\S+) (?:\S+) (?:\S+) (?:\S+) (?:\S+)$`)
	lastTest = lazyregexp.New(`^Self-test execution status: \( ?(\d{1,3})\)`)
)

// selfTest parses a row of a self-test log, of any protocol.
func (t *textReader) selfTest(words string, line int) bool {
	if m := ataTest.FindStringSubmatch(words); m != nil && (!t.last || !t.unended) {
		t.protocol("ATA", line)
		t.doc.grow(node{object{
			"type": {object{"string": {m[1], line}}, line}, "status": {object{"string": {m[2], line}}, line}, "lifetime_hours": {m[3], line},
		}, line}, "ata_smart_self_test_log", "standard", "table")
		return true
	}
	if m := scsiTest.FindStringSubmatch(words); m != nil {
		t.protocol("SCSI", line)
		key := "scsi_self_test_" + strconv.Itoa(t.tests)
		t.tests++
		t.doc.set(m[1], line, key, "code", "string")
		t.doc.set(m[2], line, key, "result", "string")
		t.doc.set(m[3], line, key, "power_on_time", "hours")
		return true
	}
	if m := nvmeTest.FindStringSubmatch(words); m != nil {
		t.doc.grow(node{object{
			"self_test_code": {object{"string": {m[1], line}}, line}, "self_test_result": {object{"string": {m[2], line}}, line}, "power_on_hours": {m[3], line},
		}, line}, "nvme_self_test_log", "table")
		return true
	}
	if m := lastTest.FindStringSubmatch(words); m != nil {
		t.doc.set(m[1], line, "ata_smart_data", "self_test", "status", "value")
		return true
	}
	return false
}
