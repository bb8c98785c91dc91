package fio

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
)

var update = flag.Bool("update", false, "write the golden files")

func inventory(change func(*assay.Facts)) assay.Inventory {
	yes := true
	f := assay.Facts{
		Host: "pve1", CPU: assay.CPUFacts{Threads: 8}, IOUring: &yes,
		Memory: assay.MemoryFacts{Total: 32 * gib, Available: 30 * gib},
		Dirs: []assay.DirFacts{{
			Path: "/srv", FileSystem: "ext4", Bytes: 500 * gib, Free: 400 * gib, Writable: true, Exists: true,
		}},
	}
	if change != nil {
		change(&f)
	}
	return assay.Inventory{
		Facts: map[string]assay.Facts{"pve1": f},
		Subjects: []assay.Subject{
			{ID: "pve1/cpu/cpu", Kind: assay.KindCPU, Host: "pve1", Name: "cpu"},
			{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv", On: []string{"pve1/drive/nvme0n1"}},
		},
	}
}

func caseOf(set map[string]string) assay.Case {
	return assay.Case{Probe: "fio", Name: "case-1", Title: "a case", On: assay.KindDirectory, Seconds: 20, Set: set}
}

func trial(t *testing.T, inv assay.Inventory, set map[string]string) assay.Trial {
	t.Helper()
	all, err := New().Trials(inv, caseOf(set))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("%d trials, want 1", len(all))
	}
	return all[0]
}

func TestTrial(t *testing.T) {
	got := trial(t, inventory(nil), map[string]string{"rw": "read", "bs": "1m", "iodepth": "16", "numjobs": "auto", "size": "auto"})
	want := assay.Trial{
		ID: "fio/case-1@pve1/directory//srv", Probe: "fio", Case: "case-1", Title: "a case",
		Subject: assay.Subject{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv", On: []string{"pve1/drive/nvme0n1"}},
		Settings: map[string]string{
			"rw": "read", "bs": "1m", "iodepth": "16", "numjobs": "4", "direct": "1", "sync": "0",
			"engine": "io_uring", "size": "4294967296",
		},
		Claims: []string{"pve1/directory//srv", "pve1/drive/nvme0n1", "pve1/cpu/cpu"},
		Risk:   assay.Writes, Scratch: 4 * gib, Volume: "dir", Length: 20 * time.Second,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// A trial's settings can be parsed again, with the same meaning.
	again, err := readSettings("again", got.Settings)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got.Settings, again.resolved()); d != "" {
		t.Error(d)
	}
}

func TestEngine(t *testing.T) {
	no := false
	tests := []struct {
		name, engine, want string
		change             func(*assay.Facts)
	}{
		{"has io_uring", "async", "io_uring", nil},
		{"kernel refuses", "async", "libaio", func(f *assay.Facts) { f.IOUring = &no }},
		{"nobody knows", "async", "libaio", func(f *assay.Facts) { f.IOUring = nil }},
		{"fio is too old", "async", "libaio", func(f *assay.Facts) { f.Tools = []assay.ToolFacts{{Name: "fio", Version: "3.12"}} }},
		{"fio is new", "async", "io_uring", func(f *assay.Facts) { f.Tools = []assay.ToolFacts{{Name: "fio", Version: "fio-3.36"}} }},
		{"named", "psync", "psync", nil},
	}
	for _, tt := range tests {
		if got := trial(t, inventory(tt.change), map[string]string{"rw": "read", "engine": tt.engine}).Settings["engine"]; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSize(t *testing.T) {
	dir := func(change func(*assay.Facts, *assay.DirFacts)) func(*assay.Facts) {
		return func(f *assay.Facts) { change(f, &f.Dirs[0]) }
	}
	tests := []struct {
		name   string
		size   string
		direct string
		change func(*assay.Facts)
		want   int64 // 0: absent
	}{
		{"usual", "auto", "1", nil, 4 * gib},
		{"asked for", "10GiB", "1", nil, 10 * gib},
		{"not a whole number of MiB", "67109888", "1", nil, 64 * mib},
		{"zfs: twice the RAM", "auto", "1", dir(func(_ *assay.Facts, d *assay.DirFacts) { d.FileSystem = "zfs" }), 64 * gib},
		{"buffered: twice the RAM", "auto", "0", nil, 64 * gib},
		{"zfs, little RAM", "auto", "1", dir(func(f *assay.Facts, d *assay.DirFacts) { d.FileSystem = "zfs"; f.Memory.Total = gib }), 4 * gib},
		{"keeps 2 GiB free", "auto", "1", dir(func(_ *assay.Facts, d *assay.DirFacts) { d.Free = 5 * gib }), 2 * gib},
		{"keeps a tenth free", "auto", "1", dir(func(_ *assay.Facts, d *assay.DirFacts) { d.Bytes, d.Free = 10*gib, 3*gib }), 2 * gib},
		{"tmpfs: half of the RAM", "auto", "1", dir(func(f *assay.Facts, d *assay.DirFacts) {
			d.FileSystem, f.Memory.Available = "tmpfs", 6*gib
		}), 2 * gib},
		{"ramfs has no size", "auto", "1", dir(func(f *assay.Facts, d *assay.DirFacts) {
			d.FileSystem, d.Bytes, d.Free, f.Memory.Available = "ramfs", 0, 0, 6*gib
		}), 2 * gib},
		{"no room", "auto", "1", dir(func(_ *assay.Facts, d *assay.DirFacts) { d.Free = 2 * gib }), 0},
		{"not shrunk", "8GiB", "1", dir(func(_ *assay.Facts, d *assay.DirFacts) { d.Free = 9 * gib }), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := trial(t, inventory(tt.change), map[string]string{"rw": "read", "size": tt.size, "direct": tt.direct})
			if got.Scratch != tt.want {
				t.Errorf("%d MiB, want %d", got.Scratch/mib, tt.want/mib)
			}
			if (got.Absent != nil) != (tt.want == 0) {
				t.Errorf("absence %+v", got.Absent)
			}
			if a := got.Absent; a != nil && (a.Word != assay.Failed || a.Hint == "" || !strings.Contains(a.Why, "MiB")) {
				t.Errorf("absence %+v", a)
			}
		})
	}
}

// Whatever the machine, an automatic size is a whole number of MiB, at least 64,
// and leaves the required space; or it is absent.
func TestSizeAlwaysLeavesRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := assay.DirFacts{
			FileSystem: rapid.SampledFrom([]string{"ext4", "zfs", "tmpfs", "xfs"}).Draw(t, "fs"),
			Bytes:      rapid.Int64Range(1, 1<<45).Draw(t, "bytes"),
		}
		d.Free = rapid.Int64Range(0, d.Bytes).Draw(t, "free")
		f := assay.Facts{Memory: assay.MemoryFacts{
			Total: rapid.Int64Range(0, 1<<42).Draw(t, "ram"), Available: rapid.Int64Range(0, 1<<42).Draw(t, "available"),
		}}
		n, absent := chooseSize(settings{direct: rapid.Bool().Draw(t, "direct")}, f, d)
		if (absent != nil) != (n == 0) {
			t.Fatalf("%d and %v", n, absent)
		}
		if absent == nil && (n%mib != 0 || n < leastBytes || d.Free-n < min(d.Bytes/10, 2*gib)) {
			t.Fatalf("%d of %d free of %d", n, d.Free, d.Bytes)
		}
	})
}

func TestAbsent(t *testing.T) {
	tests := []struct {
		name   string
		word   assay.AbsenceWord
		change func(*assay.Facts)
	}{
		{"missing", assay.Failed, func(f *assay.Facts) { f.Dirs[0].Exists = false }},
		{"not writable", assay.Failed, func(f *assay.Facts) { f.Dirs[0].Writable = false }},
		{"not asked about", assay.Unknown, func(f *assay.Facts) { f.Dirs = nil }},
	}
	for _, tt := range tests {
		got := trial(t, inventory(tt.change), map[string]string{"rw": "read"})
		if got.Absent == nil || got.Absent.Word != tt.word || got.Absent.Hint == "" || got.Scratch != 0 {
			t.Errorf("%s: %+v, scratch %d", tt.name, got.Absent, got.Scratch)
		}
	}
}

func TestBadSettings(t *testing.T) {
	tests := []struct{ key, value string }{
		{"rw", "trim"}, {"rw", ""}, {"bs", "4KB"}, {"bs", "0"}, {"bs", "100"}, {"bs", "1G"}, {"bs", "-4k"}, {"bs", "4kk"},
		{"bs", "9223372036854775807k"}, {"iodepth", "0"}, {"iodepth", "deep"}, {"numjobs", "-1"}, {"direct", "yes"},
		{"sync", "2"}, {"engine", "exec"}, {"engine", "libaio --filename=/dev/sda"}, {"size", "1MiB"}, {"size", "big"},
		{"rwmixread", "70"}, {"rate_iops", "0"}, {"filename", "/etc/passwd"},
	}
	for _, tt := range tests {
		set := map[string]string{"rw": "read", tt.key: tt.value}
		_, err := New().Trials(inventory(nil), caseOf(set))
		if err == nil || !strings.Contains(err.Error(), "case-1") || !strings.Contains(err.Error(), tt.key) {
			t.Errorf("%s=%q: %v", tt.key, tt.value, err)
		}
	}
	if _, err := New().Trials(inventory(nil), caseOf(nil)); err == nil || !strings.Contains(err.Error(), "rw") {
		t.Errorf("no rw: %v", err)
	}
}

func TestArgv(t *testing.T) {
	tests := []struct {
		name, file string
		set        map[string]string
		seconds    time.Duration
	}{
		{"randread-4k", "/srv/.assay-1/data", map[string]string{"rw": "randread", "bs": "4k", "iodepth": "32", "numjobs": "auto"}, 20 * time.Second},
		{"randwrite-sync", "/srv/.assay-1/data", map[string]string{"rw": "randwrite", "bs": "4k", "sync": "1", "engine": "psync"}, 1500 * time.Millisecond},
		{"read-jobs", "/srv/.assay-1/data", map[string]string{"rw": "read", "bs": "1m", "iodepth": "16", "numjobs": "3"}, 20 * time.Second},
		{"randrw-mix", "/srv/.assay-1/data", map[string]string{"rw": "randrw", "bs": "8k", "rwmixread": "70", "direct": "0", "size": "1GiB"}, 20 * time.Second},
		{"reads-slow", "/srv/.assay-1/data", map[string]string{"rw": "randread", "rate_iops": "20"}, 3 * time.Second},
		{"spaces-and-colons", `/srv/a "b": $c/.assay-1/data`, map[string]string{"rw": "read"}, time.Second},
		{"windows", `D:\it's $(x) & y\.assay-1\data`, map[string]string{"rw": "randwrite", "bs": "4k", "iodepth": "32", "sync": "1", "engine": "windowsaio"}, 20 * time.Second},
		{"number-sign", "/srv/disk #1; old:new/data", map[string]string{"rw": "read"}, time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := trial(t, inventory(func(f *assay.Facts) { f.OS.Windows = tt.name == "windows" }), tt.set)
			tr.Case = tt.name
			s := assay.Scratch{File: tt.file, Bytes: tr.Scratch}
			measure, err := measureArgv(tr, s, tt.seconds)
			if err != nil {
				t.Fatal(err)
			}
			direct, err := prepareArgv(tr, s, time.Minute, true)
			if err != nil {
				t.Fatal(err)
			}
			buffered, err := prepareArgv(tr, s, 0, false)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, map[string][]string{"measure": measure, "prepare": direct, "prepare-buffered": buffered})
		})
	}
}

func golden(t *testing.T, name string, commands map[string][]string) {
	t.Helper()
	var b strings.Builder
	for _, step := range []string{"measure", "prepare", "prepare-buffered"} {
		b.WriteString("# " + step + "\n" + strings.Join(commands[step], "\n") + "\n")
	}
	file := filepath.Join("testdata", "argv", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

func TestArgvRefusesFilesFioWouldMisread(t *testing.T) {
	tr := trial(t, inventory(nil), map[string]string{"rw": "read"})
	for _, file := range []string{"", "data", "/", "/srv/", "/srv/a#b", "/srv/a;b", "/srv/data ", "/srv/-", "/srv/x\n/data", "/srv/.."} {
		if argv, err := measureArgv(tr, assay.Scratch{File: file, Bytes: gib}, time.Second); err == nil {
			t.Errorf("%q is accepted: %q", file, argv)
		}
	}
}

// Sequential jobs stay in the file, never overlap, and start on a block.
func TestRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := settings{
			rw: rapid.SampledFrom(patterns).Draw(t, "rw"), jobs: rapid.IntRange(1, 64).Draw(t, "jobs"),
			bs: rapid.Int64Range(1, 8192).Draw(t, "bs") * 512,
		}
		bytes := rapid.Int64Range(1, 1<<40).Draw(t, "bytes")
		size, step, err := regions(s, bytes)
		if err != nil {
			return
		}
		if size%s.bs != 0 || step%s.bs != 0 || step*int64(s.jobs-1)+size > bytes {
			t.Fatalf("size %d, step %d in %d", size, step, bytes)
		}
		if s.sequential() && s.jobs > 1 && step < size {
			t.Fatalf("jobs of %d begin every %d", size, step)
		}
	})
}

// The upper bound of a bin exceeds its middle by less than 1/64 of it.
func TestUpperOfMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Uint64Range(0, 1<<50).Draw(t, "k")
		up := upperOfMiddle(k)
		if up < k || float64(up-k) > float64(k)/64+1 {
			t.Fatalf("%d bounds %d", up, k)
		}
	})
}

func TestFioSize(t *testing.T) {
	for text, want := range map[string]int64{
		"4k": 4096, "4096B": 4096, "1M": 1 << 20, "1mb": 1 << 20, "1MiB": 1e6, "512": 512, "": 0, "k": 0, "4x": 0, "4kk": 0,
	} {
		if got, ok := fioSize(text, ""); got != want && ok || ok != (want > 0) {
			t.Errorf("%q = %d, %v, want %d", text, got, ok, want)
		}
	}
	if got, _ := fioSize("4k", "1000"); got != 4000 {
		t.Errorf("with kb_base=1000 4k = %d, want 4000", got)
	}
}

// A tier suite measures tiers and nothing else: directories through the volume
// that lends there, block devices as a whole.
func TestTiers(t *testing.T) {
	inv := inventory(func(f *assay.Facts) {
		f.Block = []assay.BlockDevice{{Name: "sda", Path: "/dev/assay", Bytes: 300 * mib}}
	})
	inv.Subjects = append(inv.Subjects,
		assay.Subject{ID: "pve1/directory//srv#claim", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv", Tier: "claim", Volume: "pvc"},
		assay.Subject{ID: "pve1/block//dev/assay", Kind: assay.KindBlock, Host: "pve1", Name: "/dev/assay", Tier: "stick", Volume: "rawblock"},
		assay.Subject{ID: "pve1/block//dev/none", Kind: assay.KindBlock, Host: "pve1", Name: "/dev/none", Tier: "later", Volume: "pvc"},
	)
	c := caseOf(map[string]string{"rw": "randwrite", "size": "256m"})
	c.On = assay.KindTier
	all, err := New().Trials(inv, c)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d trials, %v; want those of the three tiers", len(all), err)
	}
	for i, volume := range []string{"pvc", "rawblock", "pvc"} {
		if all[i].Volume != volume || all[i].Scratch != 256*mib || all[i].Absent != nil || all[i].Risk != assay.Writes {
			t.Errorf("%+v", all[i])
		}
	}
	c.Set["size"] = "512m"
	if all, err = New().Trials(inv, c); err != nil || all[1].Absent == nil || !strings.Contains(all[1].Absent.Why, "300 MiB") {
		t.Errorf("a device that is too small: %+v, %v", all[1].Absent, err)
	}
	c.Set["size"] = "auto"
	if all, err = New().Trials(inv, c); err != nil || all[1].Scratch != 256*mib || all[2].Scratch != 4*gib {
		t.Errorf("automatic sizes: %d, %d; %v", all[1].Scratch, all[2].Scratch, err)
	}
}
