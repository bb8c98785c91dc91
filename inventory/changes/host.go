package changes

import (
	"fmt"
	"strings"

	"assay"
)

// hostTraits are what a host has one of.
var hostTraits = []trait[assay.Facts]{
	{what: "machine", of: one(func(f assay.Facts) string { return f.OS.Machine })},
	{what: "host name", of: one(func(f assay.Facts) string { return f.OS.Hostname })},
	{what: "BIOS", of: one(func(f assay.Facts) string { return f.OS.BIOS })},
	{what: "kernel", of: func(f assay.Facts) []string { return []string{f.OS.Kernel, f.OS.Arch} }},
	{what: "system", of: one(func(f assay.Facts) string { return f.OS.Distribution })},
	{what: "container", of: one(func(f assay.Facts) string { return f.OS.Container })},
	{what: "hypervisor", of: one(func(f assay.Facts) string { return f.CPU.Virtualisation })},
	{what: "being a virtual machine", of: one(func(f assay.Facts) string { return maybe(f.CPU.Virtual) })},

	{what: "CPU", of: func(f assay.Facts) []string { return []string{f.CPU.Model, f.CPU.Vendor} }},
	{what: "number of sockets", of: one(func(f assay.Facts) string { return count(f.CPU.Sockets) })},
	{what: "number of cores", of: one(func(f assay.Facts) string { return count(f.CPU.Cores) })},
	{what: "number of threads", of: one(func(f assay.Facts) string { return count(f.CPU.Threads) })},
	{what: "cache", of: one(func(f assay.Facts) string { return caches(f.CPU.Caches) })},
	{what: "governor", of: one(func(f assay.Facts) string { return f.CPU.Governor })},
	{what: "frequency driver", of: one(func(f assay.Facts) string { return f.CPU.Driver })},
	{what: "turbo", of: one(func(f assay.Facts) string { return maybe(f.CPU.Turbo) })},
	{what: "lowest clock", of: one(func(f assay.Facts) string { return number(f.CPU.MinHz, 1e9, "GHz") })},
	{what: "highest clock", of: one(func(f assay.Facts) string { return number(f.CPU.MaxHz, 1e9, "GHz") })},

	{what: "memory", of: one(func(f assay.Facts) string { return total(f.Memory.Total) })},
	{what: "number of memory channels", of: one(func(f assay.Facts) string { return count(f.Memory.Channels) })},

	{what: "running as root", of: one(func(f assay.Facts) string { return yesNo(f.Root) })},
	{what: "being able to drop caches", of: one(func(f assay.Facts) string { return yesNo(f.DropCaches) })},
	{what: "being able to use io_uring", of: one(func(f assay.Facts) string { return maybe(f.IOUring) })},
}

// total writes the size of memory: four digits tell apart what settled does.
func total(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%.4g GiB", float64(bytes)/(1<<30))
}

func caches(all []assay.Cache) string {
	var texts []string
	for _, c := range all {
		texts = append(texts, fmt.Sprintf("L%d %s %d × %g KiB", c.Level, c.Type, c.Count, float64(c.Bytes)/(1<<10)))
	}
	return strings.Join(texts, " and ")
}

// modules are those of memory.
var modules = kind[assay.DIMM]{
	noun: "memory module", gone: true, fresh: true,
	key: func(d assay.DIMM) string { return words(d.Bank, d.Locator) },
	traits: []trait[assay.DIMM]{{of: func(d assay.DIMM) []string {
		return []string{
			number(float64(d.Bytes), 1<<30, "GiB"), d.Type, number(float64(d.MTs), 1, "MT/s"),
			number(float64(d.Rated), 1, "MT/s rated"), number(float64(d.Width), 1, "bits"), d.Part,
		}
	}}},
}

// programs are the tools that measure.
var programs = kind[assay.ToolFacts]{
	key: func(t assay.ToolFacts) string { return t.Name }, gone: true,
	traits: []trait[assay.ToolFacts]{{of: func(t assay.ToolFacts) []string { return []string{t.Version, t.Path} }}},
}

// stackTraits are those of replicated storage. What it says of its health, and
// what its drives were measured at, is of the moment.
var stackTraits = []trait[assay.StackFacts]{
	{of: func(s assay.StackFacts) []string { return []string{s.Kind, s.Version} }},
	{what: "number of nodes", of: one(func(s assay.StackFacts) string { return count(s.Nodes) })},
	{what: "number of drives", of: one(func(s assay.StackFacts) string { return count(s.Drives) })},
	{what: "number of copies", of: one(func(s assay.StackFacts) string { return count(s.Copies) })},
	{what: "number of remote copies", of: one(func(s assay.StackFacts) string { return count(s.Remote) })},
	{what: "protocol", of: one(func(s assay.StackFacts) string { return s.Protocol })},
	{what: "way to the clients", of: one(func(s assay.StackFacts) string {
		if s.Outside {
			return "from other hosts"
		}
		return "from its nodes"
	})},
	{what: "way between nodes", of: one(func(s assay.StackFacts) string { return wiring(s.Mesh) })},
}
