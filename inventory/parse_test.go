package inventory

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/limits"
)

// factsOf queries a fake machine under sh.
func factsOf(t *testing.T, machine string) assay.Facts {
	t.Helper()
	argv := shells(t)["sh"]
	if argv == nil {
		t.Skip("sh is not on the path")
	}
	f, err := Parse(ask(t, machine, "sh", argv))
	if err != nil {
		t.Fatal(err)
	}
	f.Host = machine
	return f
}

// The ceilings are computed by hand, not with the code's formula.
func TestCeilings(t *testing.T) {
	f := factsOf(t, "m920q")
	for name, want := range map[string]struct {
		mode, at string
		ceiling  float64
	}{
		"nvme0n1": {"Gen3 x4", "0000:01:00.0", 3.938e9},
		"nvme1n1": {"Gen3 x4", "0000:00:1d.0", 3.938e9}, // a Gen4 drive on a Gen3 port
		"sda":     {"6.0 Gb/s", "ata1", 600e6},
		"sdb":     {"480 Mb/s", "1-4", 53.2e6},
		"mmcblk0": {"HS400", "mmc0", 400e6},
	} {
		b := f.Device(name)
		if b == nil || b.Link == nil {
			t.Errorf("%s has no link: %+v", name, b)
			continue
		}
		if b.Link.Mode != want.mode || b.Link.At != want.at || math.Abs(b.Link.Ceiling/want.ceiling-1) > .001 {
			t.Errorf("%s: %+v, want %+v", name, *b.Link, want)
		}
	}
	for _, n := range f.NICs {
		switch n.Name {
		case "enp4s0": // Gen2 x4 under a Gen3 x8 port: 5 GT/s x 4 x .8 / 8
			if n.Link == nil || n.Link.Ceiling != 2e9 || n.Slot != "0000:04:00.0" || n.Speed != 10e9 || n.MTU != 9000 {
				t.Errorf("%+v, link %+v", n, n.Link)
			}
		case "eno1": // part of the chipset
			if n.Link != nil || n.Virtual || n.Driver != "e1000e" {
				t.Errorf("%+v", n)
			}
		case "vmbr0":
			if !n.Virtual {
				t.Errorf("%+v", n)
			}
		}
	}
	if len(f.NICs) != 3 {
		t.Errorf("%d interfaces, want 3", len(f.NICs))
	}
	if got := limits.Memory(f.Memory).Value; got != 42.672e9 {
		t.Errorf("memory ceiling %g B/s", got)
	}
	if got := f.CPU.LastLevel(); got != 9<<20 {
		t.Errorf("last-level cache %d B", got)
	}
}

// Tunnel ports report 2.5 GT/s, whatever they carry.
func TestATunnelHasNoLink(t *testing.T) {
	f := factsOf(t, "laptop")
	for _, name := range []string{"nvme0n1", "nvme1n1"} {
		if b := f.Device(name); b == nil || b.Link != nil || !misses(f, name+" link") {
			t.Errorf("%s: %+v, missing %+v", name, b, f.Missing)
		}
	}
	// What the stick itself reports holds behind a tunnel too.
	if b := f.Device("sda"); b == nil || b.Link == nil || b.Link.Kind != "usb" || b.Link.Ceiling != 53.248e6 {
		t.Errorf("%+v", b)
	}
	for _, m := range f.Missing {
		if m.Fact == "nvme0n1 link" && m.Why != "behind Thunderbolt/USB4: the tunnel's speed is unknown" {
			t.Error(m.Why)
		}
	}
}

// A slow link is just a slow link on a machine with some other Thunderbolt
// device.
func TestASlowLinkIsNoTunnel(t *testing.T) {
	slow := "PCI\ncurrent_link_speed:2.5 GT/s\ncurrent_link_width:1\n@@ list /sys/bus/thunderbolt/devices\n 0-0\n 0-1\n domain0"
	if hop(slow) == nil {
		t.Error("one hop at 2.5 GT/s was taken for a tunnel")
	}
	if hop("PCI\ncurrent_link_speed:8 GT/s\ncurrent_link_width:4\nremovable:fixed") == nil {
		t.Error("a fixed device was taken for a tunnel")
	}
}

func TestDirectOfZFS(t *testing.T) {
	p := factsOf(t, "laptop").Pool("tank")
	if p == nil || p.Properties["direct"] != "standard" || p.Properties["zfs_dio_enabled"] != "1" || p.Properties["recordsize"] != "131072" {
		t.Errorf("%+v", p)
	}
	// ZFS 2.2 lacks this property.
	p = factsOf(t, "m920q").Pool("tank/data")
	if _, asked := p.Properties["direct"]; asked || p.Properties["recordsize"] != "131072" {
		t.Errorf("%+v", p)
	}
}

// An emulated 2.5 GT/s x1 link would make a correct figure look impossible.
func TestVirtualMachineHasNoLinks(t *testing.T) {
	f := factsOf(t, "container")
	if b := f.Device("nvme0n1"); b == nil || b.Link != nil {
		t.Errorf("%+v", b)
	}
	if !misses(f, "nvme0n1 link") || !misses(f, "io_uring") || f.IOUring != nil || len(f.Memory.DIMMs) != 0 {
		t.Errorf("missing %+v", f.Missing)
	}
}

func misses(f assay.Facts, fact string) bool {
	for _, m := range f.Missing {
		if m.Fact == fact && m.Why != "" {
			return true
		}
	}
	return false
}

func TestDirectories(t *testing.T) {
	f := factsOf(t, "m920q")
	for path, want := range map[string]assay.DirFacts{
		"/srv/vm/bench":             {FileSystem: "xfs", Device: "dm-1", Drives: []string{"nvme0n1", "nvme1n1"}, Free: 198476424 << 10},
		"/tank/data/x":              {FileSystem: "zfs", Dataset: "tank/data", Drives: []string{"sda"}, Free: 750000 << 10},
		"/mnt/nfs":                  {FileSystem: "nfs4"},
		"/dev/shm":                  {FileSystem: "tmpfs", Free: 750000 << 10},
		`/mnt/my stick/it's "here"`: {FileSystem: "vfat", Device: "sdb1", Drives: []string{"sdb"}, Free: 750000 << 10},
		"/mnt/image":                {FileSystem: "ext4", Device: "loop0", Drives: []string{"nvme0n1", "nvme1n1"}, Free: 750000 << 10},
		"/no/such; touch x":         {FileSystem: "ext4", Device: "nvme0n1p1", Drives: []string{"nvme0n1"}, Free: 750000 << 10},
	} {
		d := f.Dir(path)
		if d == nil {
			t.Errorf("%s: no facts", path)
			continue
		}
		if d.FileSystem != want.FileSystem || d.Device != want.Device || d.Dataset != want.Dataset || d.Free != want.Free ||
			strings.Join(d.Drives, " ") != strings.Join(want.Drives, " ") || d.Exists == (path == "/no/such; touch x") {
			t.Errorf("%s: %+v", path, *d)
		}
	}
	if p := f.Pool("tank/data"); p == nil || p.Version != "2.2.6-pve1" || p.Properties["recordsize"] != "131072" || p.Properties["volblocksize"] != "" {
		t.Errorf("pool %+v", p)
	}
	if !misses(f, "/mnt/nfs drives") || !misses(f, "/dev/shm drives") {
		t.Errorf("missing %+v", f.Missing)
	}
}

func TestSensors(t *testing.T) {
	var keys []string
	for _, s := range factsOf(t, "m920q").Sensors {
		keys = append(keys, s.Kind+" "+s.Drive+" "+s.Key)
	}
	want := []string{
		"cpu  coretemp/Package id 0", "cpu  coretemp/Core 0",
		"drive nvme0n1 nvme:nvme0n1/Composite",
		"drive nvme1n1 nvme:nvme1n1/Composite", "drive nvme1n1 nvme:nvme1n1/Sensor 1",
		"drive sda drivetemp:sda/temp1",
		"other  acpitz/thermal_zone0",
	}
	if strings.Join(keys, "\n") != strings.Join(want, "\n") {
		t.Errorf("sensors\n%s\nwant\n%s", strings.Join(keys, "\n"), strings.Join(want, "\n"))
	}
}

// wrap turns a few sections into a complete capture.
func wrap(sections string) []byte {
	return []byte("@@ assay-facts 1\n" + sections + "\n@@ end\n")
}

func TestParseNeedsAWholeCapture(t *testing.T) {
	if _, err := Parse(nil); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := Parse([]byte("@@ assay-facts 1\n@@ file /proc/meminfo\n MemTotal: 1 kB\n")); err == nil || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("cut off: %v", err)
	}
	if _, err := Parse([]byte("Welcome to pve1!\n" + string(wrap("")))); err != nil {
		t.Errorf("after a login banner: %v", err)
	}
}

func TestNonsenseIsMissing(t *testing.T) {
	f, err := Parse(wrap("@@ file /proc/meminfo\n MemTotal: -5 kB\n MemAvailable: lots\n" +
		"@@ files /sys/devices/system/cpu\nonline:9-1\ncpu0/cache/index0/level:1\ncpu0/cache/index0/size:-4K"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range []string{"memory size", "memory available", "cpu cores", "cpu caches", "cpu model", "kernel"} {
		if !misses(f, fact) {
			t.Errorf("%s is not missing", fact)
		}
	}
	if f.Memory.Total != 0 || f.CPU.Threads != 0 {
		t.Errorf("%+v %+v", f.Memory, f.CPU)
	}
}

func TestIOUring(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		sections string
		want     *bool
	}{
		"allowed":             {"@@ files /proc/sys/kernel\nio_uring_disabled:0", &yes},
		"forbidden":           {"@@ run id 0\n 0\n@@ files /proc/sys/kernel\nio_uring_disabled:2", &no},
		"privileged, root":    {"@@ run id 0\n 0\n@@ files /proc/sys/kernel\nio_uring_disabled:1", &yes},
		"privileged, user":    {"@@ run id 0\n 1000\n@@ files /proc/sys/kernel\nio_uring_disabled:1\nio_uring_group:-1", &no},
		"privileged, group":   {"@@ run id 0\n 1000\n@@ run groups 0\n 1000 27\n@@ files /proc/sys/kernel\nio_uring_disabled:1\nio_uring_group:27", &yes},
		"old kernel":          {"@@ files /proc/sys/kernel\nosrelease:4.19.0-26-amd64", &no},
		"no such switch":      {"@@ files /proc/sys/kernel\nosrelease:5.15.0-91-generic", &yes},
		"container":           {"@@ seen /.dockerenv\n@@ files /proc/sys/kernel\nio_uring_disabled:0", nil},
		"forbidden container": {"@@ seen /.dockerenv\n@@ files /proc/sys/kernel\nio_uring_disabled:2", &no},
		"nothing known":       {"", nil},
	} {
		f, err := Parse(wrap(c.sections))
		if err != nil {
			t.Fatal(err)
		}
		got := f.IOUring
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v", name, got)
		}
		if (got == nil) != misses(f, "io_uring") {
			t.Errorf("%s: missing %+v", name, f.Missing)
		}
	}
}

// hop parses a disk whose PCI path has these files.
func hop(files string) *assay.Link {
	const at = "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/host0/target0:0:0/0:0:0:0/block/sda"
	f, err := Parse(wrap("@@ link /sys/class/block/sda " + at + "\n@@ files /sys/class/block/sda\nsize:1000\ndev:8:0\n" +
		strings.ReplaceAll(files, "PCI", "@@ files /sys/devices/pci0000:00/0000:00:01.0")))
	if err != nil {
		return nil
	}
	return f.Device("sda").Link
}

func TestPCIeHops(t *testing.T) {
	for _, c := range []struct {
		speed, width string
		ceiling      float64
	}{
		{"2.5 GT/s PCIe", "1", 250e6},
		{"5 GT/s", "2", 1e9},
		{"8.0 GT/s PCIe", "4", 3.93846e9},
		{"16.0 GT/s PCIe", "4", 7.87692e9},
		{"32.0 GT/s PCIe", "4", 15.75385e9},
		{"64.0 GT/s PCIe", "4", 30.25e9},
		{"Unknown", "4", 0}, {"8.0 GT/s PCIe", "0", 0}, {"8.0 GT/s PCIe", "255", 0}, {"NaN GT/s", "4", 0}, {"-8 GT/s", "4", 0}, {"8.0 GT/s PCIe", "", 0},
	} {
		link := hop("PCI\ncurrent_link_speed:" + c.speed + "\ncurrent_link_width:" + c.width)
		if (link == nil) != (c.ceiling == 0) || link != nil && math.Abs(link.Ceiling/c.ceiling-1) > 1e-5 {
			t.Errorf("%s x%s: %+v, want %g", c.speed, c.width, link, c.ceiling)
		}
	}
	// A SATA disk's controller may be slower than the disk's link, or faster.
	slow := hop("PCI\ncurrent_link_speed:2.5 GT/s\ncurrent_link_width:1\n")
	if slow == nil || slow.Kind != "pcie" || slow.At != "0000:00:01.0" {
		t.Errorf("%+v", slow)
	}
}

func TestCardSlots(t *testing.T) {
	for _, c := range []struct {
		ios     string
		mode    string
		ceiling float64
	}{
		{" timing spec:\t6 (sd uhs SDR104)\n bus width:\t2 (4 bits)\n clock:\t\t208000000 Hz", "SDR104", 104e6},
		{" timing spec:\t2 (sd high-speed)\n bus width:\t2 (4 bits)\n clock:\t\t50000000 Hz", "high speed", 25e6},
		{" timing spec:\t2 (sd high-speed)\n bus width:\t2 (4 bits)\n clock:\t\t100000000 Hz", "high speed", 50e6}, // overclocked
		{" timing spec:\t7 (sd uhs DDR50)\n bus width:\t2 (4 bits)\n clock:\t\t50000000 Hz", "DDR50", 50e6},
		{" timing spec:\t9 (mmc HS200)\n bus width:\t3 (8 bits)\n clock:\t\t200000000 Hz", "HS200", 200e6},
		{" timing spec:\t9 (mmc HS200)\n bus width:\t2 (4 bits)\n clock:\t\t200000000 Hz", "HS200", 100e6},
		{" timing spec:\t9 (mmc high-speed SDR200)\n bus width:\t3 (8 bits)", "HS200", 200e6}, // kernels before 3.17
		{" timing spec:\t10 (mmc HS400 enhanced strobe)\n bus width:\t3 (8 bits)", "HS400", 400e6},
		{" timing spec:\t8 (mmc DDR52)\n bus width:\t3 (8 bits)", "DDR52", 104e6},
		{" timing spec:\t0 (legacy)\n bus width:\t0 (1 bits)", "", 0},
		{" timing spec:\tnonsense", "", 0},
	} {
		const at = "/sys/devices/platform/x.mmc/mmc_host/mmc0/mmc0:1/block/mmcblk0"
		f, err := Parse(wrap("@@ link /sys/class/block/mmcblk0 " + at + "\n@@ files /sys/class/block/mmcblk0\nsize:1000\n@@ file /sys/kernel/debug/mmc0/ios\n" + c.ios))
		if err != nil {
			t.Fatal(err)
		}
		link := f.Device("mmcblk0").Link
		if (link == nil) != (c.ceiling == 0) || link != nil && (link.Mode != c.mode || link.Ceiling != c.ceiling) {
			t.Errorf("%q: %+v, want %s %g", c.ios, link, c.mode, c.ceiling)
		}
		if link == nil && !misses(f, "mmcblk0 link") {
			t.Errorf("%q: not missing", c.ios)
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	names := []string{"cpu10", "cpu2", "sda", "cpu0", "sda10", "sda9", "cpu"}
	sortNatural(names)
	if got := strings.Join(names, " "); got != "cpu cpu0 cpu2 cpu10 sda sda9 sda10" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	captures, err := filepath.Glob("testdata/captures/*.txt")
	if err != nil || len(captures) == 0 {
		f.Fatal("no captures to begin with")
	}
	for _, path := range captures {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add(wrap("@@ link /sys/class/block/dm-0 /sys/devices/virtual/block/dm-0\n@@ files /sys/class/block/dm-0\nsize:8\n@@ list /sys/class/block/dm-0/slaves\n dm-0"))
	f.Add(wrap("@@ run dmidecode 0\n Memory Device\n Size: 9999999999 TB\n Locator: ChannelA-DIMM0\n@@ dir 0\n asked /x\n real /\n@@ run df.0 0\n a 1 2 3 4% /"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		facts, err := Parse(raw)
		if err != nil {
			return
		}
		for _, b := range facts.Block {
			if b.Bytes < 0 || b.Link != nil && !(b.Link.Ceiling > 0 && b.Link.Ceiling < 1e12) {
				t.Errorf("%+v %+v", b, b.Link)
			}
		}
		for _, d := range facts.Dirs {
			if d.Bytes < 0 || d.Free < 0 {
				t.Errorf("%+v", d)
			}
		}
		m, c := facts.Memory, facts.CPU
		if m.Total < 0 || m.Channels < 0 || limits.Memory(m).Value < 0 || c.LastLevel() < 0 || c.MinHz < 0 || c.MaxHz < 0 || c.TurboWindow < 0 {
			t.Errorf("%+v %+v", m, c)
		}
		keys := map[string]bool{}
		for _, s := range facts.Sensors {
			if keys[s.Key] {
				t.Errorf("sensor key %q twice", s.Key)
			}
			keys[s.Key] = true
		}
	})
}
