package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/limits"
)

// factGroups returns the facts about a machine, in the order in which one would
// ask.
func factGroups(f assay.Facts) []FactGroup {
	return keepFilled([]FactGroup{
		{Title: f.Host, Rows: systemFacts(f)},
		{Title: "Virtual machine", Rows: guestFacts(f.Guest)},
		{Title: "CPU", Rows: cpuFacts(f.CPU)},
		{Title: "Memory", Rows: memoryFacts(f.Memory)},
		{Title: "Storage", Rows: storageFacts(f)},
		{Title: "Network", Rows: nicFacts(f.NICs)},
		{Title: "Claim", Rows: claimFacts(f.Claim)},
		{Title: "Replicated storage", Rows: slices.Concat(stackFacts(f.Stack), stackNetworks(f))},
		{Title: "Tools", Rows: toolFacts(f.Tools)},
	})
}

func keepFilled(groups []FactGroup) []FactGroup {
	var out []FactGroup
	for _, g := range groups {
		var rows []Fact
		for _, r := range g.Rows {
			if r.Value != "" {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			out = append(out, FactGroup{g.Title, rows})
		}
	}
	return out
}

func systemFacts(f assay.Facts) []Fact {
	return []Fact{
		{"machine", f.OS.Machine}, {"BIOS", f.OS.BIOS}, {"system", f.OS.Distribution},
		{"kernel", strings.TrimSpace(f.OS.Kernel + " " + f.OS.Arch)}, {"virtualisation", f.CPU.Virtualisation}, {"container", f.OS.Container},
		{"kernel command line", f.OS.CommandLine}, {"IOMMU", f.OS.IOMMU}, {"transparent huge pages", f.OS.HugePages}, {"sysctls", settings(f.OS.Sysctls)},
	}
}

// guestFacts describes a virtual machine as its hypervisor sees it.
func guestFacts(g *assay.GuestFacts) []Fact {
	if g == nil {
		return nil
	}
	rows := []Fact{{"runs on", g.Hypervisor}, {"clone of", g.Template}, {"CPU model", g.CPU}, {"machine type", g.Machine}}
	for _, d := range g.Disks {
		words := []string{d.Bus, d.Source, "cache " + d.Cache}
		if d.AIO != "" {
			words = append(words, "aio "+d.AIO)
		}
		if d.IOThread {
			words = append(words, "I/O thread")
		}
		rows = append(rows, Fact{"disk " + d.Name, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")})
	}
	return rows
}

func cpuFacts(c assay.CPUFacts) []Fact {
	var caches, mitigations []string
	for _, k := range c.Caches {
		caches = append(caches, fmt.Sprintf("L%d %s %d × %s", k.Level, strings.ToLower(k.Type), max(k.Count, 1), quantity.Bytes(k.Bytes)))
	}
	var open []string
	for _, name := range slices.Sorted(maps.Keys(c.Mitigations)) {
		switch text := c.Mitigations[name]; {
		case strings.HasPrefix(text, "Mitigation"):
			mitigations = append(mitigations, text)
		case strings.HasPrefix(text, "Vulnerable"):
			open = append(open, name)
		}
	}
	cores := ""
	if c.Threads > 0 {
		cores = prose.Plural(c.Threads, "thread")
	}
	if c.Cores > 0 {
		cores = fmt.Sprintf("%s, %s, %s", prose.Plural(c.Sockets, "socket"), prose.Plural(c.Cores, "core"), cores)
	}
	active := ""
	if len(c.Mitigations) > 0 {
		active = fmt.Sprintf("%d of %d known CPU vulnerabilities have active mitigations", len(mitigations), len(c.Mitigations))
		if len(open) > 0 {
			active += "; vulnerable: " + strings.Join(open, ", ")
		}
	}
	return []Fact{
		{"model", c.Model}, {"cores", cores}, {"SMT", yesNo(c.SMT())}, {"caches", strings.Join(caches, ", ")},
		{"clock", clockRange(c)}, {"governor", strings.TrimSpace(c.Governor + " " + bracketed(c.Driver))}, {"turbo", yesNo(c.Turbo)}, {"idle states", c.IdleStates}, {"mitigations", active},
	}
}

func memoryFacts(m assay.MemoryFacts) []Fact {
	rows := []Fact{{"total", bytesOrNothing(m.Total)}, {"available", bytesOrNothing(m.Available)}}
	for _, d := range m.DIMMs {
		speed := ""
		if d.MTs > 0 {
			speed = fmt.Sprintf("%d MT/s", d.MTs)
		}
		rows = append(rows, Fact{"module " + d.Locator, strings.Join(filled(bytesOrNothing(d.Bytes), d.Type, speed, d.Part), ", ")})
	}
	if m.Channels > 0 {
		rows = append(rows, Fact{"channels", fmt.Sprint(m.Channels)})
	}
	if c := limits.Memory(m).Value; c > 0 {
		rows = append(rows, Fact{"ceiling", quantity.Amount(c, assay.BytesPerSecond)})
	}
	return rows
}

func storageFacts(f assay.Facts) []Fact {
	var rows []Fact
	for _, d := range f.Dirs {
		rows = append(rows, Fact{"directory " + d.Path, strings.Join(filled(
			d.FileSystem, d.Source, "on "+orDash(strings.Join(d.Drives, ", ")), bytesOrNothing(d.Free)+" free", strings.Join(d.Options, ",")), ", ")})
	}
	for _, b := range f.Block {
		if b.Kind != "disk" || b.Bytes == 0 && b.Link == nil && b.Model == "" {
			continue
		}
		rows = append(rows, Fact{b.Name, strings.Join(filled(b.Model, firmware(b), bytesOrNothing(b.Bytes), string(b.Bus), linkInWords(b.Link), rotation(b), b.WriteCache), ", ")})
	}
	for _, p := range f.Pools {
		words := filled(p.Version)
		for _, key := range slices.Sorted(maps.Keys(p.Properties)) {
			if slices.Contains(tellingProperties, key) {
				words = append(words, key+"="+p.Properties[key])
			}
		}
		rows = append(rows, Fact{p.Kind + " " + p.Name, strings.Join(words, ", ")})
	}
	return rows
}

// tellingProperties are the ZFS pool and dataset properties that figures depend
// on.
var tellingProperties = []string{"layout", "ashift", "slog", "special", "l2arc", "health", "capacity", "fragmentation", "arc_max", "sync", "compression", "recordsize", "volblocksize", "primarycache", "logbias", "direct", "dedup"}

func nicFacts(nics []assay.NICFacts) []Fact {
	var rows []Fact
	for _, n := range nics {
		if n.Virtual {
			continue
		}
		rows = append(rows, Fact{n.Name, strings.Join(filled(n.State, speedOf(n), mtuOf(n), n.Driver, n.Slot, linkInWords(n.Link)), ", ")})
	}
	return rows
}

func speedOf(n assay.NICFacts) string {
	if n.Speed <= 0 {
		return ""
	}
	return quantity.Amount(n.Rate(), assay.BitsPerSecond)
}

func mtuOf(n assay.NICFacts) string {
	if n.MTU <= 0 {
		return ""
	}
	return fmt.Sprintf("MTU %d", n.MTU)
}

func toolFacts(tools []assay.ToolFacts) []Fact {
	var rows []Fact
	for _, t := range tools {
		if t.Path == "" {
			rows = append(rows, Fact{t.Name, "missing"})
			continue
		}
		rows = append(rows, Fact{t.Name, strings.Join(filled(t.Version, t.Path), ", ")})
	}
	return rows
}

func linkInWords(l *assay.Link) string {
	if l == nil || l.Kind == "" {
		return ""
	}
	return fmt.Sprintf("%s %s (at most %s)", l.Kind, l.Mode, quantity.Amount(l.Ceiling, assay.BytesPerSecond))
}

func rotation(b assay.BlockDevice) string {
	switch {
	case b.Rotational == nil:
		return ""
	case !*b.Rotational:
		return "not rotating"
	case b.RPM > 0:
		return fmt.Sprintf("%d rpm", b.RPM)
	default:
		return "spinning, according to the kernel"
	}
}

func filled(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" && w != " free" {
			out = append(out, w)
		}
	}
	return out
}

func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

func orDash(s string) string {
	if s == "" {
		return "no drive of its own"
	}
	return s
}

func bytesOrNothing(n int64) string {
	if n <= 0 {
		return ""
	}
	return quantity.Bytes(n)
}

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "on"
	default:
		return "off"
	}
}

func claimFacts(c *assay.ClaimFacts) []Fact {
	if c == nil {
		return nil
	}
	made := c.Driver
	if made == "" {
		made = c.Provisioner
	}
	return []Fact{
		{"storage class", c.Class}, {"driver", made}, {"volume", c.Volume}, {"usable on", prose.And(c.Nodes)},
		{"data locality", c.Locality}, {"copies on", prose.And(c.Copies)},
	}
}

func stackFacts(s *assay.StackFacts) []Fact {
	if s == nil {
		return nil
	}
	count := func(n int, noun string) string {
		if n == 0 {
			return ""
		}
		return prose.Plural(n, noun)
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	drives := count(s.Drives, "drive")
	if s.Read > 0 || s.Write > 0 {
		drives = strings.TrimSpace(drives + fmt.Sprintf(": %s read, %s write", rateOrUnknown(s.Read), rateOrUnknown(s.Write)))
	}
	return []Fact{
		{"kind", strings.TrimSpace(s.Kind + " " + s.Version)}, {"health", s.Health}, {"nodes", count(s.Nodes, "node")},
		{"drives", drives}, {"copies", number(s.Copies)}, {"protocol", s.Protocol}, {"pool", settings(s.Settings)}, {"OSDs", settings(s.OSD)},
	}
}

// stackNetworks returns the host's interfaces on Ceph's networks. Virtual ones are in no
// other row.
func stackNetworks(f assay.Facts) []Fact {
	if f.Stack == nil {
		return nil
	}
	rows := []Fact{{"public network", f.Stack.PublicNIC}, {"cluster network", f.Stack.ClusterNIC}}
	for i := range rows {
		for _, n := range f.NICs {
			if n.Name == rows[i].Value && n.Name != "" {
				rows[i].Value = strings.Join(filled(n.Name, speedOf(n), mtuOf(n)), ", ")
				break
			}
		}
	}
	return rows
}

// settings returns names with their values, sorted by name.
func settings(all map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		words = append(words, name+"="+all[name])
	}
	return strings.Join(words, ", ")
}

func firmware(b assay.BlockDevice) string {
	if b.Firmware == "" {
		return ""
	}
	return "firmware " + b.Firmware
}

func rateOrUnknown(v float64) string {
	if v <= 0 {
		return "an unknown rate"
	}
	return quantity.Amount(v, assay.BytesPerSecond)
}

// clockRange returns the range of a CPU's clock, or "" if unknown. Not every system reports
// the minimum.
func clockRange(c assay.CPUFacts) string {
	switch most := quantity.Amount(c.MaxHz, assay.Hertz); {
	case c.MaxHz <= 0:
		return ""
	case c.MinHz <= 0:
		return most
	default:
		return quantity.Amount(c.MinHz, assay.Hertz) + " to " + most
	}
}
