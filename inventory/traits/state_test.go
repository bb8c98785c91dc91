package traits

import (
	"testing"

	"assay"
)

// Unknown differs from none, and known to be absent differs from everything present.
func TestTheStateOfAHost(t *testing.T) {
	limits := func(l assay.LimitFacts) assay.Facts { return assay.Facts{Limits: &l} }
	clocked := func(offset, within float64) assay.Facts {
		return assay.Facts{Clock: &assay.ClockFacts{Offset: offset, Within: within}}
	}
	fio := func(t assay.ToolFacts) assay.Facts {
		t.Name = "fio"
		return assay.Facts{Tools: []assay.ToolFacts{t}}
	}
	for _, c := range []struct {
		trait string
		of    assay.Facts
		want  string
	}{
		{"CPU quota", assay.Facts{}, ""},
		{"CPU quota", limits(assay.LimitFacts{}), "none"},
		{"CPU quota", limits(assay.LimitFacts{CPU: .08}), "8 % of one CPU"},
		{"CPU quota", limits(assay.LimitFacts{CPU: 1}), "1 CPU"},
		{"CPU quota", limits(assay.LimitFacts{CPU: 1.5}), "1.5 CPUs"},
		{"memory limit", assay.Facts{}, ""},
		{"memory limit", limits(assay.LimitFacts{}), "none"},
		{"memory limit", limits(assay.LimitFacts{Memory: 512 << 20}), "512 MiB"},
		{"memory limit", limits(assay.LimitFacts{Memory: 4 << 30}), "4 GiB"},
		{"I/O limit", limits(assay.LimitFacts{IO: []assay.IOLimit{{Device: "loop3", Reads: 5}}}), "none"},
		{"I/O limit", limits(assay.LimitFacts{IO: []assay.IOLimit{{Device: "7:2", Reads: 5}}}), "none"},
		{"I/O limit", func() assay.Facts {
			f := limits(assay.LimitFacts{IO: []assay.IOLimit{{Device: "loop3", Reads: 5}}})
			f.Dirs = []assay.DirFacts{{Path: "/srv", Device: "loop3"}}
			return f
		}(), "/srv: 5 reads/s"},
		{"I/O limit", limits(assay.LimitFacts{}), "none"},
		{"I/O limit", limits(assay.LimitFacts{IO: []assay.IOLimit{{Device: "sda", ReadBytes: 1e6, Writes: 120}, {Device: "sdb", Reads: 5}}}), "sda: 1 MB/s read, 120 writes/s; sdb: 5 reads/s"},
		{"I/O limit", limits(assay.LimitFacts{IO: []assay.IOLimit{{Device: "sda", ReadBytes: 209715200, WriteBytes: 300e3}}}), "sda: 210 MB/s read, 0.3 MB/s write"},
		{"RAID resync", assay.Facts{Block: []assay.BlockDevice{{Name: "sda"}, {Name: "md0", Sync: "idle"}}}, "none"},
		{"RAID resync", assay.Facts{Block: []assay.BlockDevice{{Name: "md1", Sync: "recovery 12.6%"}}}, "md1: recovery 12.6%"},
		{"free space", assay.Facts{Dirs: []assay.DirFacts{{}}}, ""},
		{"free space", assay.Facts{Dirs: []assay.DirFacts{{Bytes: 100, Free: 50}, {Bytes: 1000, Free: 35}}}, "only 3.5 % of its space free"},
		{"free space", assay.Facts{Dirs: []assay.DirFacts{{Bytes: 1000}}}, "no space left"},
		{"usable CPUs", assay.Facts{}, ""},
		{"usable RAM", assay.Facts{Memory: assay.MemoryFacts{Total: 6 << 30}}, ""},
		{"usable RAM", assay.Facts{Memory: assay.MemoryFacts{Total: 31 << 30, DIMMs: []assay.DIMM{{Bytes: 32 << 30}}}}, "all of it"},
		{"usable RAM", assay.Facts{Memory: assay.MemoryFacts{Total: 6 << 30, DIMMs: []assay.DIMM{{Bytes: 8 << 30}, {Bytes: 8 << 30}}}}, "6 GiB of 16 GiB"},
		{"usable CPUs", assay.Facts{CPU: assay.CPUFacts{Threads: 4, Usable: 2}}, "2"},
		{"free space", assay.Facts{Dirs: []assay.DirFacts{{Bytes: 100, Free: 10}}}, "enough"},
		{"fio", fio(assay.ToolFacts{Path: "/usr/bin/fio", Version: "3.33"}), "3.33"},
		{"fio", fio(assay.ToolFacts{Path: "/usr/bin/fio", Version: "3.33", Script: true}), "3.33 (a script)"},
		{"fio", fio(assay.ToolFacts{}), ""},
		{"clock", assay.Facts{}, ""},
		{"clock", clocked(.02, .01), "in step"},
		{"clock", clocked(-3.2, .01), "3.2 s behind"},
		{"clock", clocked(3.2, .01), "3.2 s ahead"},
		{"clock", clocked(-3600, .01), "3600 s behind"},
		{"clock", clocked(3.2, 4), "in step"}, // nobody can tell
	} {
		found := false
		for _, x := range Host {
			if x.Name != c.trait {
				continue
			}
			found = true
			got := x.Text(c.of)
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.trait, got, c.want)
			}
		}
		if !found {
			t.Errorf("no trait %s", c.trait)
		}
	}
}
