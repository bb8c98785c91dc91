package smart

import (
	"bytes"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// tool is the name in label tool; the program is called smartctl.
const tool = "smart"

// marks are lines that an output of smartctl contains in this order. Any of
// them opens an output whose head is missing.
var marks = []*lazyregexp.Regexp{
	lazyregexp.New(`^smartctl (?:version )?(?:pre-)?\d+\.\d+(?:\.\d+)? (?:\d{4}-\d\d-\d\d|\[)`),
	lazyregexp.New(`^=== START OF INFORMATION SECTION ===$`),
	lazyregexp.New(`^=== START OF (?:READ )?SMART DATA SECTION ===$`),
	lazyregexp.New(`^SMART (?:overall-health self-assessment test result: (?:PASSED|FAILED|UNKNOWN)|Health Status: +\S)`),
	lazyregexp.New(`^SMART/Health Information \(NVMe Log 0x02`),
	lazyregexp.New(`^Vendor Specific SMART Attributes with Thresholds:$`),
	lazyregexp.New(`^ID# +ATTRIBUTE_NAME +FLAG`),
	lazyregexp.New(`^(?:Smartctl open device: \S+ .*failed: |\S+: Unknown USB bridge \[0x|\S+: Unable to detect device type$|Device is in [A-Z_]+(?: \(OS\))? mode, exit\()`),
	smartLog,
}

// Format recognises smartctl's output by its headings.
func (probe) Format() assay.Format {
	return assay.Format{Tool: tool, Commands: []string{"smartctl", "nvme"}, Begins: begins, Splits: splits, Accepts: accepts}
}

func begins(line string) bool {
	return mark(line) >= 0 || attributeOf(line) != "" || selfTestHead.MatchString(line)
}

var selfTestHead = lazyregexp.New(`^\s*Num +Test_Description +Status +Remaining`)

// attributeOf returns the attribute number if a line is a row of the vendor's
// table, or "". People paste such rows without anything above them.
func attributeOf(line string) string {
	row := strings.TrimLeft(line, " ")
	if row == "" || row[0] < '0' || row[0] > '9' || !strings.Contains(row, " 0x00") && !strings.Contains(row, "CK ") {
		return ""
	}
	m := attributeLine.FindStringSubmatch(line)
	if m == nil || !attributeRest.MatchString(line[len(m[0]):]) {
		return ""
	}
	return m[1]
}

// seenLately reports whether the last rows of an output already have an attribute:
// another row of it then belongs to the next drive.
func seenLately(sofar []byte, attribute string) bool {
	const rows = 8 << 10 // B, more than a table is long
	for line := range bytes.Lines(sofar[max(len(sofar)-rows, 0):]) {
		if attributeOf(strings.TrimSuffix(string(line), "\n")) == attribute {
			return true
		}
	}
	return false
}

// telling lists words, one of which every mark contains: most lines of a long
// log are skipped without matching a pattern.
var telling = []string{"SMART", "martctl", "=== START", "ID#", "USB bridge [", "detect device type", "Device is in ", "Smart Log for"}

// mark returns a line's index among the marks, or -1.
func mark(line string) int {
	line = strings.TrimSpace(line)
	if !slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(line, word) }) {
		return -1
	}
	return slices.IndexFunc(marks, func(r *lazyregexp.Regexp) bool { return r.MatchString(line) })
}

// splits reports whether next begins another drive: it is a mark that belongs
// at or before one already seen. JSON documents hold one drive each.
func splits(sofar []byte, next string) bool {
	at := mark(next)
	if attribute := attributeOf(next); at < 0 && attribute != "" {
		return seenLately(sofar, attribute)
	}
	if at < 0 && selfTestHead.MatchString(next) {
		return !bytes.Contains(sofar, []byte("SMART")) // a fragment: its drive is unknown
	}
	if at < 0 || marks[at] == smartLog {
		return true
	}
	for line := range bytes.Lines(sofar) {
		if mark(string(line)) >= at {
			return true
		}
	}
	return false
}

// accepts recognises smartctl's documents, even with the part about smartctl
// itself removed, and those of nvme smart-log.
func accepts(keys []string) bool {
	return slices.Contains(keys, "smartctl") || slices.Contains(keys, "critical_warning") && slices.Contains(keys, "avail_spare") ||
		slices.Contains(keys, "json_format_version") && slices.Contains(keys, "device")
}
