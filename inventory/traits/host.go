package traits

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// Host lists the traits that a host has one of, in the order in which one would
// look.
var Host = []Trait[assay.Facts]{
	{Name: "machine", Uses: Alike | Resume, Text: func(f assay.Facts) string { return f.OS.Machine }},
	{Name: "host name", Uses: Resume, Text: func(f assay.Facts) string { return f.OS.Hostname }},
	{Name: "BIOS", Uses: Alike | Resume | Compare, Among: sameMachine, Text: func(f assay.Facts) string { return f.OS.BIOS }},

	{
		Name: "CPU", Uses: Alike | Resume | Compare,
		Text: func(f assay.Facts) string { return f.CPU.Model }, Also: func(f assay.Facts) string { return f.CPU.Vendor },
	},
	{Name: "sockets", Counted: true, Uses: Resume, Text: func(f assay.Facts) string { return count(f.CPU.Sockets) }},
	{Name: "cores", Counted: true, Uses: Resume, Text: func(f assay.Facts) string { return count(f.CPU.Cores) }},
	{Name: "lowest clock", Uses: Resume, Text: func(f assay.Facts) string { return number(f.CPU.MinHz, 1e9, "GHz") }},
	{
		Name: "highest clock", Uses: Resume,
		Text: func(f assay.Facts) string { return number(f.CPU.MaxHz, 1e9, "GHz") }, Number: func(f assay.Facts) float64 { return f.CPU.MaxHz },
	},
	{
		Name: "CPU threads", Counted: true, Uses: Alike | Resume | Compare, Among: sameCPU,
		Text: func(f assay.Facts) string { return count(f.CPU.Threads) }, Number: func(f assay.Facts) float64 { return float64(f.CPU.Threads) },
	},
	{
		Name: "usable CPUs", Counted: true, Uses: Alike | Resume | Compare, Among: sameCPU,
		Text: func(f assay.Facts) string { return count(f.CPU.Usable) }, Number: func(f assay.Facts) float64 { return float64(f.CPU.Usable) },
	},
	{Name: "cache", Uses: Resume, Text: caches},
	{Name: "CPU quota", Uses: Alike | Resume | Compare, Text: quota},

	{Name: "RAM", Uses: Alike, Text: installed},
	{Name: "usable RAM", Uses: Alike, Text: usable},
	{Name: "memory", Uses: Resume | Compare, Text: managed},
	{Name: "memory limit", Uses: Alike | Resume | Compare, Text: memoryLimit},
	{
		Name: "memory channels", Counted: true, Uses: Alike | Resume, Among: sameMachine,
		Text: func(f assay.Facts) string { return count(f.Memory.Channels) }, Number: func(f assay.Facts) float64 { return float64(f.Memory.Channels) },
	},
	{
		Name: "memory speed", Uses: Alike,
		Text: func(f assay.Facts) string { return number(slowestModule(f), 1, "MT/s") }, Number: slowestModule,
	},

	{Name: "drives", Uses: Alike, Text: drives},
	{Name: "I/O limit", Uses: Alike | Resume | Compare, Text: ioLimit},
	{Name: "RAID resync", Uses: Diagnose, Text: resync},
	{Name: "free space", Uses: Diagnose, Text: space},
	{Name: "measured medium", Uses: Diagnose, Text: ofMeasured(medium)},
	{
		Name: "measured link", Uses: Diagnose,
		Text: func(f assay.Facts) string { return limits.Drives(Measured(f)).Name }, Number: func(f assay.Facts) float64 { return limits.Drives(Measured(f)).Value },
	},
	{Name: "measured drive", Uses: Diagnose, Text: ofMeasured(func(b assay.BlockDevice) string { return b.Model })},
	{Name: "fio", Uses: Diagnose, Text: tool("fio")},

	{
		Name: "kernel", Uses: Alike | Resume | Compare,
		Text: func(f assay.Facts) string { return f.OS.Kernel }, Also: func(f assay.Facts) string { return f.OS.Arch },
	},
	{Name: "kernel command line", Uses: Alike | Resume | Compare, Text: func(f assay.Facts) string { return f.OS.CommandLine }},
	{Name: "IOMMU", Uses: Alike | Resume | Compare, Among: sameMachine, Text: func(f assay.Facts) string { return f.OS.IOMMU }},
	{Name: "huge pages", Uses: Alike | Resume | Compare, Text: func(f assay.Facts) string { return f.OS.HugePages }},
	{Name: "idle states", Uses: Alike | Resume | Compare, Among: sameCPU, Text: func(f assay.Facts) string { return f.CPU.IdleStates }},
	{Name: "mitigated CPU faults", Uses: Compare, Among: sameCPU, Text: mitigated},
	{Name: "sysctls", Uses: Resume | Compare, Text: sysctls},
	{Name: "system", Uses: Alike | Resume | Compare, Text: func(f assay.Facts) string { return f.OS.Distribution }},
	{Name: "governor", Uses: Alike | Resume | Compare, Among: sameDriver, Text: func(f assay.Facts) string { return f.CPU.Governor }},
	{Name: "frequency driver", Uses: Alike | Resume, Among: sameCPU, Text: func(f assay.Facts) string { return f.CPU.Driver }},
	{Name: "turbo", Uses: Alike | Resume, Among: sameCPU, Text: func(f assay.Facts) string { return either(f.CPU.Turbo, "on", "off") }},
	{Name: "clock", Uses: Alike, Text: clock},
	{Name: "clock synchronisation", Uses: Alike, Text: func(f assay.Facts) string { return either(f.Synchronised, "yes", "no") }},
	{Name: "virtualisation", Uses: Alike, Text: virtualisation},
	{Name: "container", Uses: Resume, Text: func(f assay.Facts) string { return f.OS.Container }},
	{Name: "hypervisor", Uses: Resume | Compare, Text: func(f assay.Facts) string { return f.CPU.Virtualisation }},
	{Name: "being a virtual machine", Uses: Resume, Text: func(f assay.Facts) string { return either(f.CPU.Virtual, "yes", "no") }},

	{Name: "running as root", Uses: Resume, Text: func(f assay.Facts) string { return either(&f.Root, "yes", "no") }},
	{Name: "being able to drop caches", Uses: Resume, Text: func(f assay.Facts) string { return either(&f.DropCaches, "yes", "no") }},
	{Name: "being able to use io_uring", Uses: Resume, Text: func(f assay.Facts) string { return either(f.IOUring, "yes", "no") }},
}

func sameMachine(f assay.Facts) (string, bool) { return f.OS.Machine, f.OS.Machine != "" }

func sameCPU(f assay.Facts) (string, bool) { return f.CPU.Model, f.CPU.Model != "" }

// sameDriver compares governors only under the same driver: powersave of
// intel_pstate clocks up under load, that of acpi-cpufreq never does.
func sameDriver(f assay.Facts) (string, bool) { return f.CPU.Driver, true }

// Mitigation returns the trait of how the kernel mitigates one flaw of a host's CPU.
func Mitigation(flaw string) Trait[assay.Facts] {
	return Trait[assay.Facts]{
		Name: "mitigation of " + flaw, Uses: Alike, Among: sameCPU,
		Text: func(f assay.Facts) string { return f.CPU.Mitigations[flaw] },
	}
}

// Sysctl returns the trait of one kernel setting.
func Sysctl(name string) Trait[assay.Facts] {
	return Trait[assay.Facts]{Name: name, Uses: Alike, Text: func(f assay.Facts) string { return f.OS.Sysctls[name] }}
}

func caches(f assay.Facts) string {
	var texts []string
	for _, c := range f.CPU.Caches {
		texts = append(texts, fmt.Sprintf("L%d %s %d × %g KiB", c.Level, c.Type, c.Count, float64(c.Bytes)/(1<<10)))
	}
	return strings.Join(texts, " and ")
}

// installed returns the memory in the slots: the sum of the modules, or what
// the kernel manages, rounded up by at most an eighth, because firmware and
// kernel reserve amounts that vary.
func installed(f assay.Facts) string {
	bytes := int64(0)
	for _, d := range f.Memory.DIMMs {
		bytes += d.Bytes
	}
	if total := float64(f.Memory.Total); bytes == 0 && total > 0 {
		step := math.Exp2(math.Floor(math.Log2(total))) / 8
		bytes = int64(math.Ceil(total/step) * step)
	}
	if bytes < 1<<30 {
		return number(float64(bytes), 1<<20, "MiB")
	}
	return number(float64(bytes), 1<<30, "GiB")
}

// usable says whether the kernel manages all the memory of the modules: much less means a
// module mapped out, a limit on the kernel's command line, or memory taken by a graphics
// chip.
func usable(f assay.Facts) string {
	bytes := int64(0)
	for _, d := range f.Memory.DIMMs {
		bytes += d.Bytes
	}
	switch {
	case bytes == 0 || f.Memory.Total <= 0:
		return ""
	case float64(f.Memory.Total) < .8*float64(bytes):
		return managed(f) + " of " + installed(f)
	}
	return "all of it"
}

// managed returns the memory that the kernel manages, to three digits: it
// reserves slightly more or less at each boot.
func managed(f assay.Facts) string {
	if f.Memory.Total <= 0 {
		return ""
	}
	return fmt.Sprintf("%.3g GiB", float64(f.Memory.Total)/(1<<30))
}

// slowestModule returns the speed, in MT/s, at which all modules run.
func slowestModule(f assay.Facts) float64 {
	least := 0
	for _, d := range f.Memory.DIMMs {
		if d.MTs > 0 && (least == 0 || d.MTs < least) {
			least = d.MTs
		}
	}
	return float64(least)
}

// drives returns how many drives of which model a host has.
func drives(f assay.Facts) string {
	have := map[string]int{}
	for _, b := range Disks(f) {
		name := b.Model
		if name == "" {
			name = "no model"
		}
		have[fmt.Sprintf("%s (%s)", name, sold(b.Bytes))]++
	}
	var words []string
	for name, n := range have {
		words = append(words, fmt.Sprintf("%d × %s", n, name))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// mitigated returns the CPU flaws that the kernel works around, at a price.
func mitigated(f assay.Facts) string {
	var names []string
	for name, text := range f.CPU.Mitigations {
		if strings.HasPrefix(text, "Mitigation") {
			names = append(names, name)
		}
	}
	if len(names) == 0 && len(f.CPU.Mitigations) > 0 {
		return "none"
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// sysctls returns the settings that were read, with their values.
func sysctls(f assay.Facts) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(f.OS.Sysctls)) {
		all = append(all, name+"="+f.OS.Sysctls[name])
	}
	return strings.Join(all, ", ")
}

func virtualisation(f assay.Facts) string {
	if f.OS.Container != "" {
		return "a container (" + f.OS.Container + ")"
	}
	return either(f.CPU.Virtual, "a virtual machine", "bare metal")
}

// MeasuredDrive returns the traits of the measured drives that drives of one model should
// have alike.
func MeasuredDrive() (all []Trait[assay.Facts]) {
	model := ofMeasured(func(b assay.BlockDevice) string { return b.Model })
	for _, t := range Drive {
		if t.For(Alike) {
			all = append(all, Trait[assay.Facts]{
				Name: t.Name + " of the measured drive", Uses: Alike, Text: ofMeasured(t.Text),
				Among: func(f assay.Facts) (string, bool) { return model(f), len(Measured(f)) > 0 },
			})
		}
	}
	return all
}

// ofMeasured returns the text of the first measured drive that has one.
func ofMeasured(text func(assay.BlockDevice) string) func(assay.Facts) string {
	return func(f assay.Facts) string {
		for _, b := range Measured(f) {
			if t := text(b); t != "" {
				return t
			}
		}
		return ""
	}
}
