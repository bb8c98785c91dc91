package differences

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/inventory/survey"
)

// traits are what each host has one of, in the order in which they are told.
var traits = []struct {
	what string
	of   func(survey.Answer) (text, among string, asked bool)
}{
	{"machine", all(func(f assay.Facts) string { return f.OS.Machine })},
	{"BIOS", likeMachines(func(f assay.Facts) string { return f.OS.BIOS })},
	{"CPU", all(func(f assay.Facts) string { return f.CPU.Model })},
	{"threads", likeCPUs(func(f assay.Facts) string { return count(f.CPU.Threads) })},
	{"turbo", likeCPUs(func(f assay.Facts) string { return onOff(f.CPU.Turbo) })},
	{"RAM", all(func(f assay.Facts) string { return installed(f.Memory) })},
	{"memory speed", all(func(f assay.Facts) string { return memorySpeed(f.Memory) })},
	{"memory channels", likeMachines(func(f assay.Facts) string { return count(f.Memory.Channels) })},
	{"drives", all(drives)},
	{"kernel", all(func(f assay.Facts) string { return f.OS.Kernel })},
	{"system", all(func(f assay.Facts) string { return f.OS.Distribution })},
	{"governor", likeDrivers(func(f assay.Facts) string { return f.CPU.Governor })},
	{"frequency driver", likeCPUs(func(f assay.Facts) string { return f.CPU.Driver })},
	{"virtualisation", all(virtualisation)},
}

// all holds every host against every other.
func all(of func(assay.Facts) string) func(survey.Answer) (string, string, bool) {
	return func(a survey.Answer) (string, string, bool) { return of(a.Facts), "", true }
}

func likeMachines(of func(assay.Facts) string) func(survey.Answer) (string, string, bool) {
	return func(a survey.Answer) (string, string, bool) {
		return of(a.Facts), a.Facts.OS.Machine, a.Facts.OS.Machine != ""
	}
}

func likeCPUs(of func(assay.Facts) string) func(survey.Answer) (string, string, bool) {
	return func(a survey.Answer) (string, string, bool) {
		return of(a.Facts), a.Facts.CPU.Model, a.Facts.CPU.Model != ""
	}
}

// likeDrivers holds governors against those of the same driver: powersave of
// intel_pstate clocks up under load, that of acpi-cpufreq never does.
func likeDrivers(of func(assay.Facts) string) func(survey.Answer) (string, string, bool) {
	return func(a survey.Answer) (string, string, bool) { return of(a.Facts), a.Facts.CPU.Driver, true }
}

// perItem are what hosts have of things that several of them have.
var perItem = []struct {
	what  string
	items func([]survey.Answer) []string
	// of gives "" for what is not known; has is false on a host without the item.
	of func(a survey.Answer, item string) (text string, has bool)
}{
	{"mitigation of ", weaknesses, mitigation},
	{"firmware of ", driveModels, ofDrives(func(b assay.BlockDevice) string { return b.Firmware })},
	{"link of ", driveModels, ofDrives(func(b assay.BlockDevice) string { return linkMode(b.Link) })},
	{"write cache of ", driveModels, ofDrives(func(b assay.BlockDevice) string { return b.WriteCache })},
	{"version of ", tools, func(a survey.Answer, name string) (string, bool) {
		t := a.Facts.Tool(name)
		return t.Version, t.Path != "" // one that is missing is the doctor's business
	}},
}

func weaknesses(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (names []string) {
		for name := range f.CPU.Mitigations {
			names = append(names, name)
		}
		return names
	})
}

// mitigation is what the kernel does about a weakness, among hosts that have it:
// one that is not affected has another CPU, which is told already.
func mitigation(a survey.Answer, weakness string) (string, bool) {
	text, known := a.Facts.CPU.Mitigations[weakness]
	return text, known && text != "Not affected"
}

func driveModels(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (models []string) {
		for _, b := range disks(f) {
			models = append(models, b.Model)
		}
		return models
	})
}

// ofDrives is what all drives of a model on one host have, each value once.
func ofDrives(of func(assay.BlockDevice) string) func(survey.Answer, string) (string, bool) {
	return func(a survey.Answer, model string) (string, bool) {
		var values []string
		has := false
		for _, b := range disks(a.Facts) {
			if b.Model != model {
				continue
			}
			has = true
			if v := of(b); v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		return strings.Join(values, " and "), has
	}
}

func tools(answers []survey.Answer) []string {
	return items(answers, func(f assay.Facts) (names []string) {
		for _, t := range f.Tools {
			names = append(names, t.Name)
		}
		return names
	})
}

// items gives what any host has, sorted, each once.
func items(answers []survey.Answer, of func(assay.Facts) []string) []string {
	var found []string
	for _, a := range answers {
		found = append(found, of(a.Facts)...)
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(s string) bool { return s == "" })
}

// disks are the whole drives of a host.
func disks(f assay.Facts) (found []assay.BlockDevice) {
	for _, b := range f.Block {
		if b.Kind == "disk" && b.Bytes > 0 {
			found = append(found, b)
		}
	}
	return found
}

// drives says how many drives of which model a host has.
func drives(f assay.Facts) string {
	have := map[string]int{}
	for _, b := range disks(f) {
		name := b.Model
		if name == "" {
			name = "no model"
		}
		have[fmt.Sprintf("%s (%s)", name, size(b.Bytes))]++
	}
	var words []string
	for name, n := range have {
		words = append(words, fmt.Sprintf("%d × %s", n, name))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// size writes the size of a drive as it is sold, in powers of ten, to two
// digits: drives of one size differ by a few sectors.
func size(bytes int64) string {
	v, units := float64(bytes), []string{"B", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for ; v >= 995 && i < len(units)-1; i++ {
		v /= 1000
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	return fmt.Sprintf("%g %s", math.Round(v/step)*step, units[i])
}

// installed is the memory in the slots: what the modules sum up to, or what the
// kernel manages, rounded up by at most an eighth, for firmware and kernel keep
// something to themselves, and not the same everywhere.
func installed(m assay.MemoryFacts) string {
	bytes := int64(0)
	for _, d := range m.DIMMs {
		bytes += d.Bytes
	}
	if bytes == 0 && m.Total > 0 {
		step := math.Exp2(math.Floor(math.Log2(float64(m.Total)))) / 8
		bytes = int64(math.Ceil(float64(m.Total)/step) * step)
	}
	switch {
	case bytes == 0:
		return ""
	case bytes < 1<<30:
		return fmt.Sprintf("%g MiB", float64(bytes)/(1<<20))
	default:
		return fmt.Sprintf("%g GiB", float64(bytes)/(1<<30))
	}
}

// memorySpeed is that of the slowest module, at which all run.
func memorySpeed(m assay.MemoryFacts) string {
	least := 0
	for _, d := range m.DIMMs {
		if d.MTs > 0 && (least == 0 || d.MTs < least) {
			least = d.MTs
		}
	}
	if least == 0 {
		return ""
	}
	return fmt.Sprintf("%d MT/s", least)
}

func virtualisation(f assay.Facts) string {
	switch {
	case f.OS.Container != "":
		return "a container (" + f.OS.Container + ")"
	case f.CPU.Virtual == nil:
		return ""
	case *f.CPU.Virtual:
		return "a virtual machine"
	default:
		return "bare metal"
	}
}

func linkMode(l *assay.Link) string {
	if l == nil {
		return ""
	}
	return strings.TrimSpace(l.Kind + " " + l.Mode)
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func onOff(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "on"
	default:
		return "off"
	}
}
