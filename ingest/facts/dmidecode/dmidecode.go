package dmidecode

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

var (
	header = lazyregexp.New(`^\s*# dmidecode \d`)
	handle = lazyregexp.New(`^\s*Handle 0x[0-9A-Fa-f]+, DMI type \d+, \d+ bytes`)
)

// Format recognises dmidecode by its first line and by its handles.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "dmidecode", Commands: []string{"dmidecode"},
		Begins: func(line string) bool { return header.MatchString(line) || handle.MatchString(line) },
		Splits: func(sofar []byte, next string) bool {
			return header.MatchString(next) && bytes.Contains(sofar, []byte("Handle 0x"))
		},
	}
}

// hypervisors matches the makers of emulated modules, whose speeds and slots
// mean nothing.
var hypervisors = lazyregexp.New(`(?i)^\s*Manufacturer: (QEMU|VMware|Microsoft|Amazon EC2|Google|Red Hat|Xen|innotek|Oracle|Parallels|Bochs|Alibaba|DigitalOcean)`)

// Learn sets the modules and the channels. It fails if dmidecode could not read
// the tables, or if they contain no module.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("dmidecode: %w", assay.ErrNoOutput)
	}
	lines := strings.Split(string(step.Output.Stdout), "\n")
	for i, line := range lines {
		switch {
		case strings.Contains(line, "Permission denied"):
			return assay.WithHint("run it as root: sudo dmidecode -t memory", "dmidecode, line %d: %s", i+1, strings.TrimSpace(line))
		case strings.HasPrefix(strings.TrimSpace(line), "/dev/mem: "):
			return assay.WithHint("this machine has no such tables; if it is a virtual machine, check on its host", "dmidecode, line %d: %s", i+1, strings.TrimSpace(line))
		}
	}
	slots := Slots(lines)
	if virtual(lines, slots) {
		return assay.WithHint("run on the hypervisor: sudo dmidecode -t memory", "dmidecode: the memory modules are emulated by a hypervisor and say nothing about the real ones")
	}
	var modules []assay.DIMM
	for _, s := range slots {
		if s.Bytes > 0 {
			modules = append(modules, s)
		}
	}
	if len(modules) == 0 {
		return assay.WithHint("dmidecode -t memory prints them", "dmidecode: %w: no memory module", assay.ErrNoOutput)
	}
	f.Memory.DIMMs = modules
	f.Memory.Channels = 0
	if !partial(lines, len(slots)) {
		f.Memory.Channels = Channels(slots)
	}
	return nil
}

var (
	devices = lazyregexp.New(`^\s*Number Of Devices: (\d{1,3})\s*$`)
	present = lazyregexp.New(`^\s*(?:# dmidecode |SMBIOS \d+\.\d+.* present|Getting SMBIOS data)`)
)

// partial reports whether the output lacks slots: it has fewer than the arrays do,
// or only one with no sign that this is all. Too few channels would make a true
// bandwidth look impossible.
func partial(lines []string, slots int) bool {
	promised, whole := 0, false
	for _, line := range lines {
		if m := devices.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			promised += n
		}
		whole = whole || present.MatchString(line)
	}
	if promised > 0 {
		return slots < promised
	}
	return slots == 1 && !whole
}

// virtual reports whether the modules are a hypervisor's, by their maker or by a
// type that no real module has.
func virtual(lines []string, slots []assay.DIMM) bool {
	for _, s := range slots {
		if s.Bytes > 0 && (s.Type == "RAM" || s.Type == "DRAM") {
			return true
		}
	}
	inDevice := false
	for _, line := range lines {
		switch text := strings.TrimSpace(line); {
		case text == "Memory Device":
			inDevice = true
		case text == "" || handle.MatchString(line):
			inDevice = false
		case inDevice && hypervisors.MatchString(line):
			return true
		}
	}
	return false
}
