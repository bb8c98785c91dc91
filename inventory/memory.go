package inventory

import (
	"strconv"
	"strings"

	"assay"
)

// memory reads RAM from /proc/meminfo, and its modules from dmidecode or, for
// a user who may not run that, from what udev noted at boot (systemd 248 on).
func (r *reader) memory() {
	m := &r.facts.Memory
	info := r.fields("/proc/meminfo", ":")
	m.Total = kibibytes(info["MemTotal"])
	m.Available = kibibytes(info["MemAvailable"])
	m.Swap = kibibytes(info["SwapTotal"])
	if m.Total == 0 {
		r.missing("memory size", "/proc/meminfo does not say it", "")
	}
	if m.Available == 0 {
		r.missing("memory available", "/proc/meminfo does not say it", "")
	}
	if r.virtual() {
		const why, hint = "a virtual machine does not show the host's DIMMs", "ask on the hypervisor"
		r.missing("dimm speed", why, hint)
		r.missing("memory channels", why, hint)
		return
	}
	slots := readDMI(r.runs["dmidecode"].lines)
	if len(slots) == 0 {
		slots = readUdevDMI(r.files["/run/udev/data/+dmi:id"])
	}
	r.modules(slots)
}

func (r *reader) modules(slots []assay.DIMM) {
	m := &r.facts.Memory
	for _, s := range slots {
		if s.Bytes > 0 {
			m.DIMMs = append(m.DIMMs, s)
		}
	}
	if len(m.DIMMs) == 0 {
		why, hint := r.whyNoModules()
		r.missing("dimm speed", why, hint)
		r.missing("memory channels", why, hint)
		return
	}
	for _, d := range m.DIMMs {
		if d.MTs == 0 {
			r.missing("dimm speed", "the firmware does not say it of "+join(d.Locator, d.Bank), "look in the BIOS setup")
			break
		}
	}
	if m.Channels = Channels(slots); m.Channels == 0 {
		r.missing("memory channels", "the firmware's names of the slots do not say it ("+join(m.DIMMs[0].Locator, m.DIMMs[0].Bank)+")",
			"look in the mainboard's manual")
	}
}

func (r *reader) whyNoModules() (why, hint string) {
	run, has := r.runs["dmidecode"]
	switch {
	case !has && r.facts.Root:
		return "dmidecode is not installed", "install dmidecode"
	case !has:
		return "dmidecode is not installed and needs root", "install dmidecode and run as root"
	case !r.facts.Root:
		return "dmidecode needs root", "run as root"
	case run.exit != 0:
		return "dmidecode: " + last(run.lines), ""
	}
	return "the firmware lists no memory modules", ""
}

func last(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if text := strings.TrimSpace(lines[i]); text != "" {
			return text
		}
	}
	return "no output"
}

// kibibytes reads "16304920 kB" in bytes; 0 if it is no such thing.
func kibibytes(text string) int64 {
	number, _, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > 1<<50 {
		return 0
	}
	return n << 10
}

// readDMI reads the memory slots from dmidecode -t 17; an empty one has no
// bytes. What is no RAM (a BIOS flash chip, a non-volatile module) is left out.
func readDMI(lines []string) []assay.DIMM {
	var slots []assay.DIMM
	var block []string
	inDevice := false
	flush := func() {
		if inDevice {
			if d, ok := slotOf(fieldsOf(block, ":")); ok {
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
		Bytes:   dmiBytes(f["Size"]),
		Type:    told(f["Type"]),
		MTs:     leading(configured),
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

// told drops the words with which firmware says nothing.
func told(text string) string {
	switch text {
	case "Not Specified", "Unknown", "None", "<OUT OF SPEC>", "[Empty]", "Not Provided", "Other":
		return ""
	}
	return text
}

// leading reads the number a text begins with: "3200 MT/s", "1333 MHz (0.8 ns)",
// "64 bits"; 0 for "Unknown". dmidecode before 3.0 writes MHz where it means MT/s.
func leading(text string) int {
	number, _, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}

// dmiBytes reads "16 GB", "16384 MB", "32 GiB"; powers of two all of them.
func dmiBytes(text string) int64 {
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	switch strings.TrimSpace(unit) {
	case "bytes":
		return n
	case "kB", "KB", "KiB":
		return n << 10
	case "MB", "MiB":
		return n << 20
	case "GB", "GiB":
		return n << 30
	case "TB", "TiB":
		if n > 1<<20 {
			return 0
		}
		return n << 40
	}
	return 0
}

// readUdevDMI reads the same from /run/udev/data/+dmi:id, whose lines are
// "E:MEMORY_DEVICE_0_SIZE=8589934592". Anyone may read that file.
func readUdevDMI(lines []string) []assay.DIMM {
	byDevice := map[string]map[string]string{}
	for _, line := range lines {
		text, ok := strings.CutPrefix(line, "E:MEMORY_DEVICE_")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(text, "=")
		n, field, ok := strings.Cut(key, "_")
		if !ok || digits(n) != n {
			continue
		}
		if byDevice[n] == nil {
			byDevice[n] = map[string]string{}
		}
		byDevice[n][field] = strings.TrimSpace(value)
	}
	numbers := map[string]bool{}
	for n := range byDevice {
		numbers[n] = true
	}
	var slots []assay.DIMM
	for _, n := range sorted(numbers) {
		f := byDevice[n]
		if notRAM(f["TYPE"], f["TYPE_DETAIL"]) {
			continue
		}
		d := assay.DIMM{
			Locator: f["LOCATOR"], Bank: told(f["BANK_LOCATOR"]), Type: told(f["TYPE"]),
			MTs: leading(f["CONFIGURED_SPEED_MTS"]), Rated: leading(f["SPEED_MTS"]),
			Width: leading(f["DATA_WIDTH"]), Part: told(f["PART_NUMBER"]),
		}
		if size, err := strconv.ParseInt(f["SIZE"], 10, 64); err == nil && size > 0 && f["PRESENT"] != "0" {
			d.Bytes = size
		}
		slots = append(slots, d)
	}
	return slots
}
