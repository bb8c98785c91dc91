package smart

import (
	"strconv"
	"strings"
)

// errorClass classifies the entries of a drive's error log by what they mean to
// its owner.
type errorClass string

const (
	// refused: the drive rejected a command and lost nothing. Tools that probe
	// for optional features cause thousands of these.
	refused errorClass = "refused"
	// media: the drive could not store or return data intact.
	media errorClass = "media"
	// other: internal errors, broken transfers, power loss, vendor codes.
	other errorClass = "other"
)

// classifyNVMe classifies by status code type and status code (NVM Express Base
// Specification, "Status Field"), or by smartctl's text if it gives no codes.
func classifyNVMe(status node) errorClass {
	kind, okKind := status.at("status_code_type").number()
	code, okCode := status.at("status_code").number()
	if !okKind || !okCode {
		return classifyWords(status.at("string").text())
	}
	switch int(kind) {
	case 0: // generic command status
		return classifyGeneric(int(code))
	case 1: // command specific: invalid log page, feature not saveable, …
		return refused
	case 2: // media and data integrity errors
		switch int(code) {
		case 0x80, 0x81, 0x82, 0x83, 0x84, 0x88: // write fault, unrecovered read, guard and tag checks, storage tag check
			return media
		case 0x86, 0x87: // access denied (a locked range), read of a deallocated block
			return refused
		}
	}
	return other
}

func classifyGeneric(code int) errorClass {
	switch {
	case code == 0x01, code == 0x02, // invalid opcode, invalid field
		code >= 0x0b && code <= 0x13, // invalid namespace, sequence, SGL, PRP
		code == 0x15,                 // operation denied
		code == 0x16, code == 0x18,   // SGL offset, host identifier format
		code == 0x20, // namespace write protected
		code == 0x80: // LBA out of range
		return refused
	}
	return other
}

func classifyWords(words string) errorClass {
	words = strings.ToLower(words)
	for _, mark := range []string{"unrecovered read", "write fault", "guard check", "tag check"} {
		if strings.Contains(words, mark) {
			return media
		}
	}
	if strings.HasPrefix(words, "invalid ") || strings.Contains(words, "access denied") || strings.Contains(words, "not saveable") {
		return refused
	}
	return other
}

// readNVMeErrorLog counts the entries over the drive's life, and classifies
// those still in the log.
func (r *reading) readNVMeErrorLog(lifetime node) {
	counts := map[errorClass]int{}
	entries, highest, first := 0, 0.0, 0
	for _, entry := range r.doc.at("nvme_error_information_log", "table").list() {
		if entries++; entries == 1 {
			first = entry.line
		}
		counts[classifyNVMe(entry.at("status_field"))]++
		if n, ok := entry.at("error_count").number(); ok {
			highest = max(highest, n)
		}
	}
	total, ok := lifetime.number()
	line := lifetime.line
	if !ok {
		if highest == 0 {
			return
		}
		total, line = highest, first // each entry carries the count so far
	}
	r.addErrorLog(total, line, entries, counts)
}

// readATAErrorLog does the same for the extended log, or else the summary log.
func (r *reading) readATAErrorLog() {
	log := r.doc.at("ata_smart_error_log", "extended")
	if !log.at("count").exists() {
		log = r.doc.at("ata_smart_error_log", "summary")
	}
	total, ok := log.at("count").number()
	if !ok {
		return
	}
	counts := map[errorClass]int{}
	entries := 0
	for _, entry := range log.at("table").list() {
		entries++
		counts[classifyATA(entry.at("error_description").text())]++
	}
	r.addErrorLog(total, log.at("count").line, entries, counts)
}

// classifyATA classifies by the bits that smartctl names: "Error: UNC at LBA =
// …". If several are set, the worst counts.
func classifyATA(description string) errorClass {
	fault, bits, _ := strings.Cut(description, "Error: ")
	if strings.Contains(fault, "Device Fault") {
		return other // the drive itself failed, whatever the command
	}
	bits, _, _ = strings.Cut(bits, " at LBA")
	class := other
	for _, bit := range strings.FieldsFunc(bits, func(c rune) bool { return c == ',' || c == ' ' }) {
		switch bit {
		case "UNC":
			return media
		case "ABRT":
			class = refused
		case "IDNF", "ICRC", "AMNF", "TK0NF":
			return other
		}
	}
	return class
}

// addErrorLog labels the count with its classes. unread is how many entries the
// drive counted that are not in its log, or not in the part that smartctl read.
func (r *reading) addErrorLog(total float64, line, entries int, counts map[errorClass]int) {
	labels := map[string]string{
		"unread": strconv.FormatFloat(max(total-float64(entries), 0), 'f', -1, 64),
	}
	for _, class := range []errorClass{refused, media, other} {
		labels[string(class)] = strconv.Itoa(counts[class])
	}
	r.add("smart.error_log_entries", total, line, labels)
}
