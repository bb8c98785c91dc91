package dmidecode

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/bytesize"
)

// Slots parses the memory slots in dmidecode -t 17; an empty one has no bytes.
// Devices that are not RAM (a BIOS flash chip, a non-volatile module) are left
// out.
func Slots(lines []string) []assay.DIMM {
	var slots []assay.DIMM
	var block []string
	inDevice := false
	flush := func() {
		if inDevice {
			if d, ok := slotOf(fieldsOf(block)); ok {
				slots = append(slots, d)
			}
		}
		inDevice, block = false, nil
	}
	for _, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case text == "Memory Device":
			flush()
			inDevice = true
		case text == "" || strings.HasPrefix(text, "Handle 0x"):
			flush()
		case inDevice:
			block = append(block, text)
		}
	}
	flush()
	return slots
}

func slotOf(f map[string]string) (assay.DIMM, bool) {
	if f["Size"] == "" || notRAM(f["Type"], f["Type Detail"]) {
		return assay.DIMM{}, false
	}
	configured := f["Configured Memory Speed"]
	if configured == "" {
		configured = f["Configured Clock Speed"] // dmidecode before 3.2
	}
	return assay.DIMM{
		Locator: f["Locator"],
		Bank:    told(f["Bank Locator"]),
		Bytes:   bytesize.Whole(bytesize.Binary(f["Size"])),
		Type:    told(f["Type"]),
		MTs:     transfers(leading(configured), leading(f["Speed"])),
		Rated:   leading(f["Speed"]),
		Width:   leading(f["Data Width"]),
		Part:    told(f["Part Number"]),
	}, true
}

func notRAM(typ, detail string) bool {
	for _, word := range []string{"Flash", "ROM", "Logical non-volatile"} {
		if strings.Contains(typ, word) {
			return true
		}
	}
	return strings.Contains(detail, "Non-Volatile")
}

// told drops the placeholders that firmware uses for unknown values.
func told(text string) string {
	switch text {
	case "Not Specified", "Unknown", "None", "<OUT OF SPEC>", "[Empty]", "Not Provided", "Other":
		return ""
	}
	return text
}

// leading parses the number at the start of a text: "3200 MT/s", "1333 MHz (0.8
// ns)", "64 bits"; 0 for "Unknown". dmidecode before 3.0 prints MHz where it means
// MT/s.
func leading(text string) int {
	number, _, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}

// transfers returns a module's transfer rate in MT/s. Before SMBIOS 3.1 the field
// was in MHz, and some firmware reports the clock there: a value of exactly half
// the module's rating is a clock, with two transfers per cycle.
func transfers(configured, rated int) int {
	if configured > 0 && (2*configured == rated || 2*configured == rated+1 || 2*configured == rated-1) {
		return rated
	}
	return configured
}

// FromUdev reads the same slots from /run/udev/data/+dmi:id, which any user may
// read. Its lines look like "E:MEMORY_DEVICE_0_SIZE=8589934592".
func FromUdev(lines []string) []assay.DIMM {
	byDevice := map[string]map[string]string{}
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, "E:MEMORY_DEVICE_")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(text, "=")
		n, field, ok := strings.Cut(key, "_")
		if !ok || strings.Trim(n, "0123456789") != "" {
			continue
		}
		if byDevice[n] == nil {
			byDevice[n] = map[string]string{}
		}
		byDevice[n][field] = strings.TrimSpace(value)
	}
	var slots []assay.DIMM
	for _, n := range slices.SortedFunc(maps.Keys(byDevice), asNumbers) {
		f := byDevice[n]
		if notRAM(f["TYPE"], f["TYPE_DETAIL"]) {
			continue
		}
		d := assay.DIMM{
			Locator: f["LOCATOR"], Bank: told(f["BANK_LOCATOR"]), Type: told(f["TYPE"]),
			MTs: transfers(leading(f["CONFIGURED_SPEED_MTS"]), leading(f["SPEED_MTS"])), Rated: leading(f["SPEED_MTS"]),
			Width: leading(f["DATA_WIDTH"]), Part: told(f["PART_NUMBER"]),
		}
		if size, err := strconv.ParseInt(f["SIZE"], 10, 64); err == nil && size > 0 && f["PRESENT"] != "0" {
			d.Bytes = size
		}
		slots = append(slots, d)
	}
	return slots
}

// asNumbers orders 2 before 10.
func asNumbers(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// fieldsOf reads "key: value" lines.
func fieldsOf(lines []string) map[string]string {
	fields := map[string]string{}
	for _, line := range lines {
		if k, v, ok := strings.Cut(line, ":"); ok {
			fields[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return fields
}
