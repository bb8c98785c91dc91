package read

import (
	"strings"

	"assay/incident"
)

// record is the firmware's last error report through ACPI (APEI): its severity comes
// before its subject.
type record struct {
	line     int
	severity string
}

// recordLines is the maximum length of such a report.
const recordLines = 40

// recordSeverity parses "event severity: corrected", "Error 0, type: fatal" and, from
// older kernels, "severity: 2, corrected".
func (r *Reader) recordSeverity(text string, n int) {
	if !strings.Contains(text, "[Hardware Error]") {
		return
	}
	said := strings.TrimSpace(text[strings.LastIndexByte(text, ':')+1:])
	if _, name, numbered := strings.Cut(said, ", "); numbered {
		said = name
	}
	r.record = record{n, strings.Clone(said)}
}

// recordSection reads "section_type: memory error".
func (r *Reader) recordSection(text string, n int) {
	severity := ""
	if r.record.line > 0 && n-r.record.line <= recordLines {
		severity = r.record.severity
	}
	mild := severity == "corrected" || severity == "info"
	var kind incident.Kind
	switch _, of, _ := strings.Cut(text, "section_type: "); {
	case strings.HasPrefix(of, "PCIe error"):
		kind = incident.AERFatal
		if mild {
			kind = incident.AERCorrected
		}
	case strings.HasPrefix(of, "memory error"):
		kind = incident.EDACCorrected
		if severity == "fatal" || severity == "recoverable" {
			kind = incident.EDACFatal
		}
	case strings.Contains(of, "processor error"):
		kind = incident.MCE
	default:
		return
	}
	r.event(kind, "", 0, r.line, n)
}
