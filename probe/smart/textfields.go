package smart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/internal/bytesize"
	"assay/internal/lazyregexp"
)

// fields maps the lines "name: value" that are read, by name with single
// blanks. Placeholders ("-", "<not available>") are left out.
var fields = map[string]func(t *textReader, value string, line int) error{
	"Model Number":     namesDrive("NVMe", "model_name"),
	"Device Model":     namesDrive("ATA", "model_name"),
	"Firmware Version": keeps("firmware_version"),
	"Revision":         keeps("scsi_revision"),
	"Vendor":           vendor,
	"Product":          product,

	"User Capacity":             counts("user_capacity", "bytes"),
	"Total NVM Capacity":        counts("nvme_total_capacity"),
	"Namespace 1 Size/Capacity": counts("user_capacity", "bytes"),
	"Sector Size":               counts("logical_block_size"),
	"Sector Sizes":              counts("logical_block_size"),
	"Logical block size":        counts("logical_block_size"),
	"Rotation Rate":             counts("rotation_rate"),
	"Device is":                 inDatabase,
	"SMART support is":          support,
	"SMART overall-health self-assessment test result": verdict,
	"SMART Health Status":                              scsiVerdict,

	"Critical Warning":                 healthBits("critical_warning"),
	"Temperature":                      healthCelsius("temperature"),
	"Available Spare":                  healthPercent("available_spare"),
	"Available Spare Threshold":        healthPercent("available_spare_threshold"),
	"Percentage Used":                  healthPercent("percentage_used"),
	"Data Units Read":                  dataUnits("data_units_read"),
	"Data Units Written":               dataUnits("data_units_written"),
	"Power On Hours":                   healthCount("power_on_hours"),
	"Unsafe Shutdowns":                 healthCount("unsafe_shutdowns"),
	"Media and Data Integrity Errors":  healthCount("media_errors"),
	"Error Information Log Entries":    healthCount("num_err_log_entries"),
	"Warning Comp. Temperature Time":   healthCount("warning_temp_time"),
	"Critical Comp. Temperature Time":  healthCount("critical_comp_time"),
	"Thermal Temp. 1 Transition Count": healthCount("thm_temp1_trans_count"),
	"Thermal Temp. 2 Transition Count": healthCount("thm_temp2_trans_count"),
	"Thermal Temp. 1 Total Time":       healthCount("thm_temp1_total_time"),
	"Thermal Temp. 2 Total Time":       healthCount("thm_temp2_total_time"),

	"Current Temperature":                            celsius("temperature", "current"), // SCT
	"Lifetime Max Temperature":                       celsius("temperature", "lifetime_max"),
	"Current Drive Temperature":                      celsius("temperature", "current"),
	"Drive Trip Temperature":                         celsius("temperature", "drive_trip"),
	"Percentage used endurance indicator":            percentOf("scsi_percentage_used_endurance_indicator"),
	"Elements in grown defect list":                  counts("scsi_grown_defect_list"),
	"Non-medium error count":                         counts("scsi_non_medium_error_count"),
	"Pending defect count":                           counts("scsi_pending_defects", "count"),
	"ATA Error Count":                                ataErrors,
	"Device Error Count":                             ataErrors,
	"SMART Error Log Version":                        opensLog(summaryLog),
	"SMART Extended Comprehensive Error Log Version": opensLog(extendedLog),
}

type field = func(t *textReader, value string, line int) error

// health is the key of NVMe's log of that name.
const health = "nvme_smart_health_information_log"

func namesDrive(protocol, key string) field {
	return func(t *textReader, value string, line int) error {
		t.protocol(protocol, line)
		return keeps(key)(t, value, line)
	}
}

func keeps(keys ...string) field {
	return func(t *textReader, value string, line int) error {
		if value != "" {
			t.doc.set(value, line, keys...)
		}
		return nil
	}
}

func vendor(t *textReader, value string, line int) error {
	t.protocol("SCSI", line)
	t.vendor = value
	return nil
}

func product(t *textReader, value string, line int) error {
	return keeps("scsi_model_name")(t, strings.TrimSpace(t.vendor+" "+value), line)
}

func counts(keys ...string) field {
	return func(t *textReader, value string, line int) error {
		if v, _, ok := leadingCount(value); ok {
			t.doc.set(v, line, keys...)
		}
		return nil
	}
}

func support(t *textReader, value string, line int) error {
	word, _, _ := strings.Cut(value, " ")
	switch word {
	case "Available", "Unavailable":
		t.doc.set(word == "Available", line, "smart_support", "available")
	case "Enabled", "Disabled":
		t.doc.set(word == "Enabled", line, "smart_support", "enabled")
	}
	return nil
}

func inDatabase(t *textReader, value string, line int) error {
	if known := strings.HasPrefix(value, "In smartctl database"); known || strings.HasPrefix(value, "Not in smartctl database") {
		t.doc.set(known, line, "in_smartctl_database")
	}
	return nil
}

func verdict(t *textReader, value string, line int) error {
	switch {
	case strings.HasPrefix(value, "PASSED"):
		t.doc.set(true, line, "smart_status", "passed")
	case strings.HasPrefix(value, "FAILED"):
		t.status |= diskFailing
		t.doc.set(false, line, "smart_status", "passed")
	}
	return nil
}

// scsiVerdict reads a SCSI drive's verdict: OK, or its own words for the
// problem.
func scsiVerdict(t *textReader, value string, line int) error {
	t.protocol("SCSI", line)
	if value == "OK" {
		return verdict(t, "PASSED", line)
	}
	return verdict(t, "FAILED", line)
}

func healthField(read func(t *textReader, value string, line int) (float64, bool, error), key string) field {
	return func(t *textReader, value string, line int) error {
		v, ok, err := read(t, value, line)
		if ok {
			t.protocol("NVMe", line)
			t.doc.set(v, line, health, key)
		}
		return err
	}
}

func healthCount(key string) field {
	return healthField(func(_ *textReader, value string, _ int) (float64, bool, error) {
		v, _, ok := leadingCount(value)
		return v, ok, nil
	}, key)
}

func healthPercent(key string) field {
	return healthField(func(_ *textReader, value string, _ int) (float64, bool, error) {
		v, ok := percent(value)
		return v, ok, nil
	}, key)
}

func healthCelsius(key string) field {
	return healthField(func(_ *textReader, value string, _ int) (float64, bool, error) {
		v, ok := degrees(value)
		return v, ok, nil
	}, key)
}

// healthBits reads a byte of flags, in hexadecimal, or a plain 0, which
// nvme-cli prints if none is set. A truncated line may have lost the digit that
// matters.
func healthBits(key string) field {
	return healthField(func(t *textReader, value string, _ int) (float64, bool, error) {
		v, err := strconv.ParseUint(strings.TrimPrefix(value, "0x"), base(value), 8)
		cut := t.last && t.unended
		return float64(v), err == nil && !cut, nil
	}, key)
}

// dataUnits reads a count with its human-readable size: the two must agree, and
// a line truncated before the size is not trusted.
func dataUnits(key string) field {
	return healthField(func(t *textReader, value string, _ int) (float64, bool, error) {
		units, rest, ok := leadingCount(value)
		if !ok {
			return 0, false, nil
		}
		size, sized := sizeForPeople(rest)
		if !sized {
			return units, !t.last || !t.unended, nil
		}
		if math.Abs(units*dataUnit-size) > roundedSize*size {
			return 0, false, fmt.Errorf("%.0f units of 512,000 B are not %.0f B", units, size)
		}
		return units, true, nil
	}, key)
}

func celsius(keys ...string) field {
	return func(t *textReader, value string, line int) error {
		if v, ok := degrees(value); ok {
			t.doc.set(v, line, keys...)
		}
		return nil
	}
}

func percentOf(keys ...string) field {
	return func(t *textReader, value string, line int) error {
		if v, ok := percent(value); ok {
			t.protocol("SCSI", line)
			t.doc.set(v, line, keys...)
		}
		return nil
	}
}

// roundedSize is how far a human-readable size may be off: three digits are
// printed, the rest is dropped (smartmontools, format_capacity).
const roundedSize = .02

var (
	peopleSize  = lazyregexp.New(`^ ?\[(\d+(?:[.,]\d+)?) ?([KMGTP]?)B\]`)
	percentage  = lazyregexp.New(`^(\d{1,3})%`)
	temperature = lazyregexp.New(`^(-?\d{1,3}) ?C(?:elsius)?\b`)
)

// sizeForPeople parses "[632 GB]" into bytes.
func sizeForPeople(s string) (float64, bool) {
	m := peopleSize.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	return bytesize.Exact(strings.Replace(m[1], ",", ".", 1) + m[2] + "B")
}

func percent(s string) (float64, bool) {
	m := percentage.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, err == nil
}

func degrees(s string) (float64, bool) {
	m := temperature.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, err == nil
}

// leadingCount reads a whole number with the thousands separators of any locale,
// and returns what follows it. A separator that is not followed by exactly three
// digits makes it invalid: it was truncated, or is a fraction. Nor is the 0 of
// 0x4 a number.
func leadingCount(s string) (v float64, rest string, ok bool) {
	s = strings.TrimPrefix(s, "~") // more than 64 bits, not exact
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	digits := s[:end]
	if digits == "0" && (strings.HasPrefix(s[end:], "x") || strings.HasPrefix(s[end:], "X")) {
		return 0, "", false
	}
	for end > 0 && len(digits) > 0 {
		gap := separator(s[end:])
		if gap == 0 || len(s) < end+gap+1 || !isDigit(s[end+gap]) {
			break
		}
		group := s[end+gap:]
		n := 0
		for n < len(group) && isDigit(group[n]) {
			n++
		}
		if n != 3 || end > 3 && len(digits) == end {
			if s[end] == ' ' {
				break // another number
			}
			return 0, "", false
		}
		digits += group[:3]
		end += gap + 3
	}
	v, err := strconv.ParseFloat(digits, 64)
	return v, s[end:], err == nil && !math.IsInf(v, 0)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// separator returns the length of a thousands separator at the start of s, or 0
// if there is none. Byte 0xA0 is a blank in Latin-1.
func separator(s string) int {
	for _, mark := range []string{",", ".", "'", " ", "\u2019", "\u00a0", "\u202f", "\u2009", "\ufffd", "\xa0"} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}
