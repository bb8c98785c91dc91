package changes

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/inventory"
	"assay/place/local"
)

// Looks twice at this machine, with writing and computing in between.
func TestThisMachineDoesNotChangeByItself(t *testing.T) {
	dir := t.TempDir()
	look := func() assay.Inventory {
		at := local.New("here", "")
		defer at.Close()
		inv, err := inventory.Gather(t.Context(), []assay.Place{at}, []string{dir}, []string{"sh", "fio", "dd"})
		if err != nil {
			t.Fatal(err)
		}
		return inv
	}
	was := look()
	if err := os.WriteFile(filepath.Join(dir, "some"), make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	is := look()
	if got := Between(was, is); len(got) > 0 {
		t.Errorf("nothing was changed, and told: %q", got)
	}
	if was.Facts["here"].OS.Kernel == "" {
		t.Error("the look saw nothing")
	}
}

// No inventory has changed against itself, nor against one that differs only in
// what changes by itself.
func TestNothingChangesByItself(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var was assay.Inventory
		fill(r, reflect.ValueOf(&was).Elem())
		was.Facts = map[string]assay.Facts{}
		for i := range was.Hosts {
			var f assay.Facts
			fill(r, reflect.ValueOf(&f).Elem())
			was.Hosts[i].Name = fmt.Sprint("pve", i)
			was.Facts[was.Hosts[i].Name] = f
		}
		if got := Between(was, copied(t, was)); len(got) > 0 {
			r.Fatalf("against itself: %q", got)
		}
		is := eachField(t, was, func(path string, field reflect.Value) {
			if _, ignored := unheeded[path]; ignored && stays(path) && rapid.Bool().Draw(r, path) {
				disturb(field)
			}
		})
		if got := Between(was, is); len(got) > 0 {
			r.Fatalf("against what changes by itself: %q\n%s", got, cmp.Diff(was, is))
		}
	})
}

// stays reports whether a field identifies no other: two mappings of one path,
// for example, count as one.
func stays(path string) bool {
	return !slices.Contains([]string{"Facts.Block.Path", "Facts.Pools.Kind", "Facts.Pools.Name"}, path)
}

// fill draws a value for everything that v holds, from few enough that values
// coincide.
func fill(r *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(r, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 3).Draw(r, "int") << 30)
	case reflect.Float64:
		v.SetFloat(float64(rapid.IntRange(0, 3).Draw(r, "float")) * 1e9)
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "b", "disk", "unknown", "/dev/mapper/a"}).Draw(r, "word"))
	case reflect.Pointer:
		if rapid.Bool().Draw(r, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 2).Draw(r, "len"), 2))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 2).Draw(r, "len") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key)
			fill(r, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 1e9).Draw(r, "s"), 0).UTC()))
			return
		}
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	default:
		r.Fatalf("no value for %v", v.Type())
	}
}

func TestWhatCounts(t *testing.T) {
	const gib = 1 << 30
	disk := func(name string, bus assay.Bus) assay.BlockDevice {
		return assay.BlockDevice{Name: name, Path: "/dev/" + name, Kind: "disk", Bytes: 1e9, Bus: bus}
	}
	mapping := func(name, path string) assay.BlockDevice {
		return assay.BlockDevice{Name: name, Path: path, Kind: "lvm", Bytes: 1e9, On: []string{"sda"}}
	}
	on := func(device string, block ...assay.BlockDevice) assay.Facts {
		return assay.Facts{Block: block, Dirs: []assay.DirFacts{{Path: "/srv", Device: device, Drives: []string{"sda"}}}}
	}
	modules := func(sizes ...int64) (f assay.Facts) {
		for _, s := range sizes {
			f.Memory.DIMMs = append(f.Memory.DIMMs, assay.DIMM{Locator: "DIMM 0", Bytes: s})
		}
		return f
	}
	nics := func(all ...assay.NICFacts) assay.Facts { return assay.Facts{NICs: all} }
	eno1 := assay.NICFacts{Name: "eno1", MTU: 1500}
	tools := func(all ...assay.ToolFacts) assay.Facts { return assay.Facts{Tools: all} }
	sh := assay.ToolFacts{Name: "sh", Path: "/bin/sh"}
	other := disk("sda", assay.BusSATA)
	other.Model, other.Serial, other.Firmware, other.Bytes = "WD", "2", "F2", 2e9
	first := disk("sda", assay.BusSATA)
	first.Model, first.Serial, first.Firmware = "WD", "1", "F1"

	for name, c := range map[string]struct {
		was, is assay.Facts
		want    []string
	}{
		"not known, then known": {assay.Facts{}, full().Facts["pve1"], nil},
		"known, then not":       {full().Facts["pve1"], assay.Facts{}, nil},

		"a little less memory after a boot": {assay.Facts{Memory: assay.MemoryFacts{Total: 16 * gib}}, assay.Facts{Memory: assay.MemoryFacts{Total: 16*gib - 90<<20}}, nil},
		"a balloon": {assay.Facts{Memory: assay.MemoryFacts{Total: 16 * gib}}, assay.Facts{Memory: assay.MemoryFacts{Total: 15 * gib}},
			[]string{"here: memory was 16 GiB, is 15 GiB"}},
		"modules of one name": {modules(gib, gib), modules(gib, 2*gib), []string{"here: memory module DIMM 0 (2) was 1 GiB, is 2 GiB"}},
		"a module more":       {modules(gib), modules(gib, gib), []string{"here: memory module DIMM 0 (2) is new"}},

		"another drive is told once": {on("sda", first), on("sda", other), []string{"here: device sda was WD, 1, is WD, 2"}},
		"a drive of the machine is gone, another new": {on("sda", disk("sda", "sata"), disk("nvme0n1", "nvme")), on("sda", disk("sda", "sata"), disk("sdb", "sata")),
			[]string{"here: device nvme0n1 is gone", "here: device sdb is new"}},
		"sticks, loops and mappings come and go": {on("sda", disk("sda", "sata"), disk("sdb", assay.BusUSB)),
			on("sda", disk("sda", "sata"), assay.BlockDevice{Name: "loop0", Kind: "loop", Bytes: 1}, mapping("dm-9", "/dev/mapper/vm")), nil},
		"not the stick that is measured": {on("sda", disk("sda", assay.BusUSB), disk("sdb", "sata")), on("sda", disk("sdb", "sata")),
			[]string{"here: device sda is gone"}},
		"mappings that change places": {
			on("dm-0", disk("sda", "sata"), mapping("dm-0", "/dev/mapper/a"), mapping("dm-1", "/dev/mapper/b")),
			on("dm-1", disk("sda", "sata"), mapping("dm-1", "/dev/mapper/a"), mapping("dm-0", "/dev/mapper/b")), nil},
		"a directory on another mapping": {
			on("dm-0", disk("sda", "sata"), mapping("dm-0", "/dev/mapper/a"), mapping("dm-1", "/dev/mapper/b")),
			on("dm-1", disk("sda", "sata"), mapping("dm-0", "/dev/mapper/a"), mapping("dm-1", "/dev/mapper/b")),
			[]string{"here: base of directory /srv was /dev/mapper/a, is /dev/mapper/b"}},
		"options in another order": {
			assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Options: []string{"rw", "noatime"}}}},
			assay.Facts{Dirs: []assay.DirFacts{{Path: "/srv", Options: []string{"noatime", "rw"}}}}, nil},

		"guests' interfaces": {nics(eno1, assay.NICFacts{Name: "tap100", Virtual: true}, assay.NICFacts{Name: "vmbr0", Virtual: true, State: "down", Speed: 1e9, MTU: 1500}),
			nics(eno1, assay.NICFacts{Name: "tap101", Virtual: true}, assay.NICFacts{Name: "vmbr0", Virtual: true, State: "up", Speed: 1e10, MTU: 1500}), nil},
		"the MTU of a bridge": {nics(assay.NICFacts{Name: "vmbr0", Virtual: true, MTU: 9000}), nics(assay.NICFacts{Name: "vmbr0", Virtual: true, MTU: 1500}),
			[]string{"here: MTU of interface vmbr0 was 9000, is 1500"}},

		"a tool is gone": {tools(sh, assay.ToolFacts{Name: "fio", Path: "/usr/bin/fio"}), tools(sh, assay.ToolFacts{Name: "fio"}), []string{"here: fio is gone"}},
		"a tool is new":  {tools(sh, assay.ToolFacts{Name: "fio"}), tools(sh, assay.ToolFacts{Name: "fio", Path: "/usr/bin/fio"}), nil},
		"all tools gone": {tools(sh), tools(assay.ToolFacts{Name: "sh"}), []string{"here: sh is gone"}},
	} {
		look := func(f assay.Facts) assay.Inventory {
			return assay.Inventory{Hosts: []assay.Host{{Name: "here"}}, Facts: map[string]assay.Facts{"here": f}}
		}
		if got := Between(look(c.was), look(c.is)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestHostsAndNetworks(t *testing.T) {
	change := func(of func(*assay.Inventory)) assay.Inventory {
		inv := full()
		of(&inv)
		return inv
	}
	for name, c := range map[string]struct {
		is   assay.Inventory
		want []string
	}{
		"a host was taken out": {change(func(inv *assay.Inventory) { inv.Hosts = inv.Hosts[1:] }),
			[]string{"pve1: is no longer among the hosts"}},
		"a host was added": {change(func(inv *assay.Inventory) { inv.Hosts = append(inv.Hosts, assay.Host{Name: "pve0"}) }),
			[]string{"pve0: is new among the hosts"}},
		"a host does not answer": {change(func(inv *assay.Inventory) {
			inv.Hosts[0].Absent = &assay.Absence{Word: assay.Unknown}
			delete(inv.Facts, "pve1")
		}), nil},
		"a host answers now": {change(func(inv *assay.Inventory) {
			inv.Hosts[2].Absent = nil
			inv.Facts["pve3"] = inv.Facts["pve1"]
		}), nil},
		"a label that is new": {change(func(inv *assay.Inventory) { inv.Hosts[0].Labels["rack"] = "2" }), nil},
		"an address was taken away": {change(func(inv *assay.Inventory) { delete(inv.Networks[0].Addresses, "pve2") }),
			[]string{"pve2: address on storage is gone"}},
		"a rate that somebody said now": {change(func(inv *assay.Inventory) { inv.Networks[0].Rate = 0 }), nil},
		"a network that was named since": {change(func(inv *assay.Inventory) {
			inv.Networks = append(inv.Networks, assay.Network{Name: "n", Addresses: map[string]string{"pve1": "a"}})
		}), nil},
	} {
		if got := Between(full(), c.is); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSentencesAreSorted(t *testing.T) {
	is := eachField(t, full(), func(_ string, field reflect.Value) {
		if field.Kind() == reflect.Bool || field.Kind() == reflect.Float64 {
			disturb(field)
		}
	})
	got := Between(full(), is)
	if len(got) < 10 || !slices.IsSorted(got) {
		t.Errorf("%d sentences: %q", len(got), got)
	}
	for range 20 {
		if again := Between(full(), is); !slices.Equal(got, again) {
			t.Fatalf("not the same twice: %s", cmp.Diff(got, again))
		}
	}
}

// Guests made for a run differ each time: they may have other names and other files.
func TestClones(t *testing.T) {
	guest := func(template, on, name, kernel string) assay.Inventory {
		return assay.Inventory{Hosts: []assay.Host{{Name: "deb-1"}}, Facts: map[string]assay.Facts{"deb-1": {
			OS:    assay.OSFacts{Hostname: name, Kernel: kernel},
			Guest: &assay.GuestFacts{Template: template, Hypervisor: on, Disks: []assay.GuestDisk{{Name: "vda", Source: "/images/" + name}}},
		}}}
	}
	was := guest("debian12", "kvm1", "assay-1", "6.1")
	for want, is := range map[string]assay.Inventory{
		"": guest("debian12", "kvm1", "assay-2", "6.1"),
		"deb-1: template was debian12, is debian13": guest("debian13", "kvm1", "assay-2", "6.1"),
		"deb-1: hypervisor was kvm1, is kvm2":       guest("debian12", "kvm2", "assay-2", "6.1"),
		"deb-1: kernel was 6.1, is 6.12":            guest("debian12", "kvm1", "assay-2", "6.12"),
	} {
		if said := strings.Join(Between(was, is), "; "); said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
	want := []string{"deb-1: host name was db, is web"}
	if said := Between(guest("", "kvm1", "db", "6.1"), guest("", "kvm2", "web", "6.1")); !slices.Equal(said, want) {
		t.Errorf("of guests that are there: %q, want %q", said, want)
	}
}

// Each run has another pod; what it stands on must be the same.
func TestPods(t *testing.T) {
	pod := func(node, name, source, kernel string) assay.Inventory {
		return assay.Inventory{
			Hosts: []assay.Host{{Name: "pvc"}},
			Tiers: []assay.Tier{{Name: "pvc", Hosts: []string{"pvc"}, Nodes: map[string]string{"pvc": node}}},
			Facts: map[string]assay.Facts{"pvc": {Host: "pvc", OS: assay.OSFacts{Hostname: name, Kernel: kernel},
				NICs: []assay.NICFacts{{Name: name}}, Dirs: []assay.DirFacts{{Path: "/mnt/pvc", FileSystem: "ext4", Source: source}}}},
			Networks: []assay.Network{{Name: "pods", Addresses: map[string]string{"pvc": name}}},
		}
	}
	was := pod("node1", "assay-pvc-a", "/dev/loop1", "6.8")
	if said := Between(was, pod("node1", "assay-pvc-b", "/dev/loop2", "6.8")); len(said) != 0 {
		t.Errorf("another pod of the same is told apart: %q", said)
	}
	larger := pod("node1", "assay-pvc-b", "/dev/loop2", "6.8")
	larger.Tiers[0].Set = map[string]string{"size": "2Gi"}
	was.Tiers[0].Set = map[string]string{"size": "1Gi"}
	if said := Between(was, larger); len(said) != 1 || said[0] != "tier pvc: setting size was 1Gi, is 2Gi" {
		t.Errorf("%q", said)
	}
	was.Tiers[0].Set = nil
	for want, is := range map[string]assay.Inventory{
		"pvc: ran on node node1, runs on node2": pod("node2", "assay-pvc-b", "/dev/loop2", "6.8"),
		"pvc: kernel was 6.8, is 6.9":           pod("node1", "assay-pvc-b", "/dev/loop2", "6.9"),
	} {
		if said := Between(was, is); len(said) != 1 || said[0] != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
