package userfacts

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/audit"
	"assay/limits"
)

func given(t testing.TB, text string) assay.Facts {
	t.Helper()
	var f assay.Facts
	if err := Set(&f, text); err != nil {
		t.Fatalf("%s: %v (%s)", text, err, assay.Hint(err))
	}
	return f
}

func TestSet(t *testing.T) {
	yes, no := true, false
	ssd := func(change func(*assay.BlockDevice)) assay.Facts {
		d := assay.BlockDevice{Name: Disk, Path: Disk, Kind: "disk"}
		change(&d)
		return assay.Facts{Block: []assay.BlockDevice{d}, Dirs: []assay.DirFacts{{Path: Given, Mount: Given, Device: Disk, Drives: []string{Disk}, Exists: true, Writable: true}}}
	}
	for text, want := range map[string]assay.Facts{
		"nic=10G,mtu=1500":          {NICs: []assay.NICFacts{{Name: NIC, State: "up", Speed: 10e9, MTU: 1500}}},
		" NIC = 2.5Gb/s ":           {NICs: []assay.NICFacts{{Name: NIC, State: "up", Speed: 2.5e9}}},
		"nic=25GbE,vlan=yes":        {NICs: []assay.NICFacts{{Name: NIC, State: "up", Speed: 25e9, VLAN: true}}},
		"nic=1000M,bond=2":          {NICs: []assay.NICFacts{{Name: NIC, State: "up", Speed: 1e9, Members: 2}}},
		"slot=gen2x4":               {NICs: []assay.NICFacts{{Name: NIC, State: "up", Link: limits.PCIe(5, 4)}}},
		"rtt=0.2ms":                 {RTT: 200e-6},
		"rtt=80µs":                  {RTT: 80e-6},
		"ram=2GiB":                  {Memory: assay.MemoryFacts{Total: 2 << 30}},
		"ram=16 GB,available=12GiB": {Memory: assay.MemoryFacts{Total: 16e9, Available: 12 << 30}},
		"dram=2xDDR4-2666":          {Memory: assay.MemoryFacts{Channels: 2, DIMMs: []assay.DIMM{{Type: "DDR4", MTs: 2666}, {Type: "DDR4", MTs: 2666}}}},
		"llc=9MiB":                  {CPU: assay.CPUFacts{Caches: []assay.Cache{{Level: 3, Type: "Unified", Bytes: 9 << 20, Count: 1}}}},
		"cpu=Intel Core i5-8500T,cores=6,threads=6":    {CPU: assay.CPUFacts{Model: "Intel Core i5-8500T", Vendor: "GenuineIntel", Cores: 6, Threads: 6}},
		"cpu=AMD Ryzen 7, 5700G,virtual=no":            {CPU: assay.CPUFacts{Model: "AMD Ryzen 7, 5700G", Vendor: "AuthenticAMD", Virtual: &no}},
		"governor=powersave,turbo=on,turbo_window=28s": {CPU: assay.CPUFacts{Governor: "powersave", Turbo: &yes, TurboWindow: 28}},
		"pcie=gen3x4":   ssd(func(d *assay.BlockDevice) { d.Bus, d.Link = assay.BusNVMe, limits.PCIe(8, 4) }),
		"pcie=Gen4 x2":  ssd(func(d *assay.BlockDevice) { d.Bus, d.Link = assay.BusNVMe, limits.PCIe(16, 2) }),
		"pcie=3.0x4":    ssd(func(d *assay.BlockDevice) { d.Bus, d.Link = assay.BusNVMe, limits.PCIe(8, 4) }),
		"pcie=8GT/s x4": ssd(func(d *assay.BlockDevice) { d.Bus, d.Link = assay.BusNVMe, limits.PCIe(8, 4) }),
		"sata=6G": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusSATA, &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 600e6}
		}),
		"usb=2": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusUSB, &assay.Link{Kind: "usb", Mode: "480 Mb/s", Ceiling: 53.248e6}
		}),
		"usb=3": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusUSB, &assay.Link{Kind: "usb", Mode: "5000 Mb/s", Ceiling: 500e6}
		}),
		"sd=ddr50": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusMMC, &assay.Link{Kind: "sd", Mode: "DDR50", Ceiling: 50e6}
		}),
		"sd=hs": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusMMC, &assay.Link{Kind: "sd", Mode: "high speed", Ceiling: 25e6}
		}),
		"emmc=HS400": ssd(func(d *assay.BlockDevice) {
			d.Bus, d.Link = assay.BusMMC, &assay.Link{Kind: "emmc", Mode: "HS400", Ceiling: 400e6}
		}),
		"rpm=7200": ssd(func(d *assay.BlockDevice) { d.RPM, d.Rotational = 7200, &yes }),
		"model=PM9A1,size=512GB,plp=no,write_cache=back": ssd(func(d *assay.BlockDevice) { d.Model, d.Bytes, d.PLP, d.WriteCache = "PM9A1", 512e9, &no, "write back" }),
		"fs=tmpfs": {Dirs: []assay.DirFacts{{Path: Given, Mount: Given, FileSystem: "tmpfs", Exists: true, Writable: true}}},
		"zfs.sync=standard,zfs.version=2.2.4": {
			Block: []assay.BlockDevice{{Name: Disk, Path: Disk, Kind: "disk"}},
			Dirs:  []assay.DirFacts{{Path: Given, Mount: Given, FileSystem: "zfs", Dataset: Dataset, Drives: []string{Disk}, Exists: true, Writable: true}},
			Pools: []assay.PoolFacts{{Kind: "zfs", Name: Dataset, Version: "2.2.4", Properties: map[string]string{"sync": "standard"}}},
		},
		"stack=ceph,replicas=3,nodes=3,osds=12,drive_read=3.5GB/s,drive_write=3100MB/s,mesh=yes": {
			Stack: &assay.StackFacts{Kind: "ceph", Copies: 3, Nodes: 3, Drives: 12, Read: 3.5e9, Write: 3.1e9, Mesh: true}},
		"stack=drbd,protocol=c,remote=2,local_latency=80us": {Stack: &assay.StackFacts{Kind: "drbd", Protocol: "C", Remote: 2, Local: 80e-6}},
	} {
		if diff := cmp.Diff(want, given(t, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                  `fact "": expected NAME=VALUE`,
		"nic":                               "fact nic: expected nic=VALUE",
		"nik=10G":                           `unknown fact "nik"`,
		"nic=10GB/s":                        "fact nic=10GB/s: expected a speed",
		"nic=fast":                          "fact nic=fast: expected a speed",
		"nic=10G,mtu":                       "fact mtu: expected mtu=VALUE",
		"nic=10G,nic=1G":                    "duplicate fact nic",
		"mtu=20":                            "fact mtu=20: expected an MTU",
		"ram=16G":                           "fact ram=16G: expected a size such as 512GB (10^9) or 2GiB (2^30)",
		"ram=-2GiB":                         "fact ram=-2GiB",
		"ram=1e9GiB":                        "fact ram=1e9GiB",
		"rtt=0.2":                           "fact rtt=0.2: expected a time",
		"rtt=-1ms":                          "fact rtt=-1ms",
		"rtt=0s":                            "fact rtt=0s",
		"pcie=gen7x4":                       "fact pcie=gen7x4: expected genNxLANES",
		"pcie=gen3":                         "fact pcie=gen3",
		"sata=5G":                           "fact sata=5G: expected 1.5G, 3G or 6G",
		"usb=4":                             "fact usb=4",
		"sd=hs400":                          "fact sd=hs400",
		"plp=maybe":                         "fact plp=maybe: expected yes or no",
		"protocol=D":                        "fact protocol=D: expected A, B or C",
		"dram=2xDDR4":                       "fact dram=2xDDR4",
		"dram=DDR4-2666":                    "fact dram=DDR4-2666",
		"zfs.syn=standard":                  `unknown fact "zfs.syn"`,
		"zfs.version=new":                   "fact zfs.version=new",
		"drive_read=500":                    "fact drive_read=500: expected a speed",
		"cores=0":                           "fact cores=0: expected a whole number above zero",
		"model=" + strings.Repeat("x", 300): "fact model",
	} {
		f := given(t, "nic=25G,rtt=1ms")
		err := Set(&f, text)
		if err == nil {
			t.Errorf("%s is taken: %+v", text, f)
			continue
		}
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q does not say %q", text, err, says)
		}
		if diff := cmp.Diff(given(t, "nic=25G,rtt=1ms"), f); diff != "" {
			t.Errorf("%s changed the facts:\n%s", text, diff)
		}
	}
}

func TestHintsOfMistakes(t *testing.T) {
	for text, hint := range map[string]string{
		"nik=10G": "did you mean nic=10G?", "replica=3": "did you mean replicas=3?", "zfs.compresion=lz4": "did you mean zfs.compression=VALUE?",
		"ram=16G": "for example ram=16GiB", "qqqqqqqqqqqq=1": "the facts are nic, mtu",
	} {
		var f assay.Facts
		if got := assay.Hint(Set(&f, text)); !strings.HasPrefix(got, hint) {
			t.Errorf("%s: hint %q, want %q", text, got, hint)
		}
	}
}

// Words given later add to those given before, in any order.
func TestSetInSteps(t *testing.T) {
	steps := func(texts ...string) assay.Facts {
		var f assay.Facts
		for _, text := range texts {
			if err := Set(&f, text); err != nil {
				t.Fatal(err)
			}
		}
		return f
	}
	want := given(t, "pcie=gen3x4,fs=zfs,zfs.sync=disabled,plp=no")
	for _, order := range [][]string{{"fs=zfs", "zfs.sync=disabled", "pcie=gen3x4", "plp=no"}, {"plp=no,pcie=gen3x4", "zfs.sync=disabled", "fs=zfs"}} {
		if diff := cmp.Diff(want, steps(order...)); diff != "" {
			t.Errorf("%v:\n%s", order, diff)
		}
	}
	if f := steps("vlan=yes", "vlan=no"); f.NICs[0].VLAN {
		t.Error("the last word does not win")
	}
}

func TestEveryWordHasAnExampleThatWorks(t *testing.T) {
	for _, w := range Words() {
		if w.Help == "" || w.expects == "" || !strings.HasPrefix(w.Example, w.Name+"=") {
			t.Errorf("%s: example %q, help %q", w.Name, w.Example, w.Help)
		}
		if f := given(t, w.Example); cmp.Equal(f, assay.Facts{}) {
			t.Errorf("%s says nothing", w.Example)
		}
	}
	for _, property := range zfsProperties {
		if f := given(t, "zfs."+property+"=1"); len(f.Pools) != 1 {
			t.Errorf("zfs.%s says nothing", property)
		}
	}
}

// For advises a flag that works, for an existing rule.
func TestForEveryRule(t *testing.T) {
	known := map[string]bool{}
	for _, r := range audit.Rules() {
		known[r.ID] = true
	}
	for rule := range deciding {
		flag, ok := strings.CutPrefix(For(rule), "--fact ")
		if !ok || !known[rule] {
			t.Errorf("%s: %q", rule, For(rule))
		}
		given(t, flag)
	}
	if For("pcie-ceiling") != "--fact pcie=gen3x4" || For("pct-order") != "" || For("") != "" {
		t.Errorf("%q, %q", For("pcie-ceiling"), For("pct-order"))
	}
}

// A given link decides the rule that needs it.
func TestAGivenFactDecides(t *testing.T) {
	judge := func(f assay.Facts) []assay.Finding {
		r := assay.Result{Trial: assay.Trial{ID: "fio/read", Subject: assay.Subject{Kind: assay.KindDirectory, Name: Given}}}
		r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.read.bandwidth", Value: 8031e6, Labels: map[string]string{"tool": "fio"}}}}}
		var found []assay.Finding
		for _, rule := range audit.Rules() {
			if rule.ID == "pcie-ceiling" {
				found = append(found, rule.Check(audit.Evidence{Inventory: assay.Inventory{Facts: map[string]assay.Facts{"": f}}, Results: []assay.Result{r}})...)
			}
		}
		return found
	}
	if got := judge(assay.Facts{}); len(got) != 1 || got[0].Severity != assay.NotChecked {
		t.Errorf("without a fact: %+v", got)
	}
	if got := judge(given(t, "pcie=gen3x4")); len(got) != 1 || got[0].Severity != assay.Rejects {
		t.Errorf("with it: %+v", got)
	}
}

// A value printed with a unit is read back as the same value.
func TestUnitsThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<20).Draw(t, "n")
		text := func(unit string) string { return strconv.Itoa(n) + unit }
		if got, ok := size(text("MiB")); !ok || got != int64(n)<<20 {
			t.Fatalf("%s is %d", text("MiB"), got)
		}
		if got, ok := duration(text("us")); !ok || math.Abs(got/(float64(n)*1e-6)-1) > 1e-9 {
			t.Fatalf("%s is %v", text("us"), got)
		}
		if got, ok := bits(text("M")); !ok || got != float64(n)*1e6 {
			t.Fatalf("%s is %v", text("M"), got)
		}
		if got, ok := rate(text("kB/s")); !ok || got != float64(n)*1e3 {
			t.Fatalf("%s is %v", text("kB/s"), got)
		}
	})
}

func FuzzSet(f *testing.F) {
	for _, w := range Words() {
		f.Add(w.Example)
	}
	f.Add("nic=10G,mtu=1500,model=a, b,c=d")
	f.Fuzz(func(t *testing.T, text string) {
		var got assay.Facts
		if err := Set(&got, text); err != nil {
			if !cmp.Equal(got, assay.Facts{}) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %v and %+v", text, err, got)
			}
			return
		}
		if again := Merge(got, assay.Facts{}); !cmp.Equal(again, got) || Set(&again, text) != nil || !cmp.Equal(again, got) {
			t.Fatalf("%q set twice is not what it is set once:\n%s", text, cmp.Diff(got, again))
		}
		for _, v := range []float64{got.RTT, got.CPU.TurboWindow, float64(got.Memory.Total)} {
			if !(v >= 0) || math.IsInf(v, 0) {
				t.Fatalf("%q gives %v", text, v)
			}
		}
	})
}
