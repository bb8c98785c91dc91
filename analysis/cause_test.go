package analysis

import (
	"testing"

	"assay"
)

// One host differs from two others that are alike: which fact explains its figure.
func TestFactsExplainFigures(t *testing.T) {
	yes, no := true, false
	usual := assay.Facts{
		CPU:    assay.CPUFacts{Model: "Xeon 6130", Threads: 32, Governor: "performance", Turbo: &yes, MaxHz: 3.7e9},
		Memory: assay.MemoryFacts{Channels: 6, DIMMs: []assay.DIMM{{MTs: 2666}}},
	}
	for _, c := range []struct {
		section, title string
		odd            func(*assay.Facts)
		want           string
	}{
		{"cpu", "one thread", func(*assay.Facts) {}, ""},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.Governor = "powersave" }, "its governor is powersave, theirs performance"},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.Governor, f.CPU.Turbo = "powersave", &no }, "its governor is powersave, theirs performance"},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.Turbo, f.CPU.MaxHz = &no, 2.1e9 }, "its turbo is off, theirs on"},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.MaxHz, f.CPU.Model = 2.1e9, "Xeon 4110" }, "its CPU runs at 2.1 GHz at most, theirs at 3.7 GHz"},
		{"cpu", "all threads", func(f *assay.Facts) { f.CPU.MaxHz, f.CPU.Threads = 2.1e9, 16 }, "its CPU runs at 2.1 GHz at most, theirs at 3.7 GHz"},
		{"cpu", "all threads", func(f *assay.Facts) { f.CPU.Threads = 16 }, "it has 16 CPU threads, the others 32"},
		{"cpu", "all threads", func(f *assay.Facts) { f.CPU.Threads = 64 }, ""},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.Threads = 16 }, ""},
		{"cpu", "one thread", func(f *assay.Facts) { f.CPU.Model = "Xeon 4110" }, "its CPU is a different model, Xeon 4110"},
		{"thermal", "heat", func(f *assay.Facts) { f.CPU.Model = "Xeon 4110" }, "its CPU is a different model, Xeon 4110"},
		{"thermal", "heat", func(f *assay.Facts) { f.CPU.Governor = "powersave" }, ""},
		{"memory", "read", func(f *assay.Facts) { f.Memory.Channels = 2 }, "its DIMMs populate 2 memory channels, theirs 6"},
		{"memory", "read", func(f *assay.Facts) { f.Memory.DIMMs = []assay.DIMM{{MTs: 2133}} }, "its DIMMs run at 2133 MT/s, theirs at 2666 MT/s"},
		{"memory", "read", func(f *assay.Facts) { f.Memory.Channels, f.Memory.DIMMs = 8, nil }, ""},
	} {
		odd := usual
		c.odd(&odd)
		run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"pve1": odd, "pve2": usual, "pve3": usual}}}
		g := &misfit{Outlier: Outlier{Host: "pve1", Section: c.section}, hosts: []string{"pve1", "pve2", "pve3"}, row: SideRow{Title: c.title}}
		look := map[string]func(*builder, *misfit) string{"cpu": (*builder).cpuCause, "memory": (*builder).memoryCause, "thermal": (*builder).heatCause}
		if got := look[c.section](&builder{run: run}, g); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.section, c.title, got, c.want)
		}
	}
}
