package inventory

import (
	"strings"

	"assay"
	"assay/ingest/facts/dmidecode"
	"assay/internal/bytesize"
)

// memory reads RAM from /proc/meminfo, and its modules from dmidecode or, for
// users who may not run that, from what udev recorded at boot (since systemd
// 248).
func (r *reader) memory() {
	m := &r.facts.Memory
	info := r.fields("/proc/meminfo", ":")
	m.Total = bytesize.Whole(bytesize.Binary(info["MemTotal"]))
	m.Available = bytesize.Whole(bytesize.Binary(info["MemAvailable"]))
	m.Swap = bytesize.Whole(bytesize.Binary(info["SwapTotal"]))
	if m.Total == 0 {
		r.missing("memory size", "not in /proc/meminfo", "")
	}
	if m.Available == 0 {
		r.missing("memory available", "not in /proc/meminfo", "")
	}
	if r.virtual() {
		const why, hint = "the host's DIMMs are not visible in a virtual machine", "check on the hypervisor"
		r.missing("dimm speed", why, hint)
		r.missing("memory channels", why, hint)
		return
	}
	slots := dmidecode.Slots(r.runs["dmidecode"].lines)
	if len(slots) == 0 {
		slots = dmidecode.FromUdev(r.files["/run/udev/data/+dmi:id"])
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
			r.missing("dimm speed", "the firmware does not report it for "+join(d.Locator, d.Bank), "check the BIOS setup")
			break
		}
	}
	if m.Channels = dmidecode.Channels(slots); m.Channels == 0 {
		r.missing("memory channels", "the firmware's slot names do not tell ("+join(m.DIMMs[0].Locator, m.DIMMs[0].Bank)+")",
			"check the mainboard's manual")
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
