package zfs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func TestReadStatus(t *testing.T) {
	for _, c := range []struct {
		file, pool, layout, log, special, why string
		data, suspended                       int
	}{
		{"status-0.8-slog.txt", "rpool", "4 x mirror of 2", "nvme-Samsung_SSD_960_EVO_1TB_S3ETNX0HB08460A-part1", "", "", 8, 0},
		{"status-2.1-draid.txt", "aggr0", "draid3 of 4", "", "", "it is DEGRADED, a resilver is running", 4, 0},
		{"status-2.2-suspended.txt", "zpool-slatenbd", "1 disk", "", "", "it is suspended: an I/O failure stopped all reads and writes, a scrub is running", 1, 1},
		{"status-0.6-suspended.txt", "p1", "raidz2 of 6", "", "", "it is suspended: an I/O failure stopped all reads and writes", 6, 1},
		{"status-2.1.11.txt", "tank", "mirror of 2", "/dev/nvme2n1p1", "", "", 2, 0},
		{"status-2.1.11-scrub.txt", "tank", "mirror of 2", "/dev/nvme0n1p1", "", "a scrub is running", 2, 0},
		{"status-2.1.11-suspended.txt", "tank", "mirror of 2", "/dev/nvme0n1p1", "", "it is suspended: an I/O failure stopped all reads and writes", 2, 1},
		{"status-2.2-special.txt", "home3", "raidz3 of 3", "system-slog", "2 x mirror of 2", "a scrub is running", 3, 0},
	} {
		text := captured.Text(t, c.file)
		for name, text := range map[string]string{"as it is": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "tabs as blanks": strings.ReplaceAll(text, "\t", "        ")} {
			s, err := ReadStatus([]byte(text))
			if err != nil {
				t.Errorf("%s %s: %v", c.file, name, err)
				continue
			}
			got := fmt.Sprint(s.Pool, "|", s.Layout(Data), "|", strings.Join(s.Devices(Log), " "), "|", s.Layout(Special), "|", strings.Join(s.Disturbed(), ", "), "|", len(s.Devices(Data)))
			want := fmt.Sprint(c.pool, "|", c.layout, "|", c.log, "|", c.special, "|", c.why, "|", c.data)
			if got != want || s.Suspended() != (c.suspended > 0) {
				t.Errorf("%s %s:\n%s\nwant\n%s", c.file, name, got, want)
			}
		}
	}
	for _, bad := range []string{"", "no pools available\n", "  pool: tank\n state: ONLINE\n", "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME STATE\n",
		captured.Text(t, "status-0.8-slog.txt") + captured.Text(t, "status-2.1-draid.txt")} {
		if s, err := ReadStatus([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, s)
		}
	}
}

func TestReadPools(t *testing.T) {
	pools, err := ReadPools([]byte("tank\t13713518233466391187\t1006632960\t2013184\t1004619776\t1\t81\tONLINE\nold\t1\t100\t50\t50\t12%\t50%\tDEGRADED\nbroken\t2\t-\t-\t-\t-\t-\tUNAVAIL\n"))
	if err != nil || len(pools) != 3 || pools[0] != (Pool{"tank", "13713518233466391187", 1006632960, 2013184, 1004619776, 1, 81, "ONLINE"}) ||
		pools[1].Fragmentation != 12 || pools[1].Capacity != 50 || pools[2].Fragmentation != -1 {
		t.Errorf("%+v, %v", pools, err)
	}
	pools, err = ReadPools([]byte(captured.Text(t, "list-2.1.11.txt")))
	if err != nil || len(pools) != 1 || pools[0] != (Pool{"tank", "7869959147498954375", 738197504, 154112, 738043392, 0, 0, "ONLINE"}) {
		t.Errorf("%+v, %v", pools, err)
	}
	for _, bad := range []string{"", "no pools available", "tank\t1\t2\n", "tank\tx\t1\t1\t1\t1\t1\tONLINE\n", "tank\t1\t-\t1\t1\t1\t1\tONLINE\n", "tank\t1\t9999999999999999999999\t1\t1\t1\t1\tONLINE\n"} {
		if pools, err := ReadPools([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, pools)
		}
	}
}

func TestReadAshift(t *testing.T) {
	log := captured.Text(t, "zdb-2.1.11.txt")
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"zdb-0.8.txt":           {captured.Text(t, "zdb-0.8.txt"), 13},
		"zdb-2.1.11.txt":        {log, 9},
		"a log device of 512 B": {strings.Replace(log, "ashift: 9", "ashift: 12", 1), 12},
		"unlike vdevs":          {strings.Replace(strings.Replace(log, "ashift: 9", "ashift: 12", 1), "is_log: 1", "is_log: 0", 1), 9},
	} {
		if got, err := ReadAshift([]byte(c.text)); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "can't open 'tank': No such file or directory", "root-0\t0\n", "ashift: 12\n", "        children[0]:\n            ashift: 99999999999999999999\n",
		"        children[0]:\n            ashift: 12\n            is_log: 1\n"} {
		if got, err := ReadAshift([]byte(bad)); err == nil {
			t.Errorf("%q gives %d", bad, got)
		}
	}
}

// zpool get shows logs, caches and the devices of a group beside the vdevs with data.
func TestReadVdevAshift(t *testing.T) {
	group := Status{Vdevs: []Vdev{{Class: Data, Name: "raidz2-0"}}}
	if got, err := ReadVdevAshift([]byte(captured.Text(t, "ashift-2.2-get.txt")), group); err != nil || got != 12 {
		t.Errorf("%d, %v", got, err)
	}
	disks := Status{Vdevs: []Vdev{{Class: Data, Name: "sda"}, {Class: Data, Name: "sdb"}, {Class: Log, Name: "mirror-2"}, {Class: Cache, Name: "nvme1n1"}}}
	for text, want := range map[string]int{
		"root-0\t0\nsda\t12\nsdb\t13\nmirror-2\t9\nnvme0n1\t9\nnvme1n1\t9\n": 12,
		"root-0\t0\r\nsda\t12\r\nsdb\t9\r\n":                                 9,
		"mirror-2\t9\n":                                                      0, "": 0, "sda\t0\n": 0, "sda\t99999999999999999999\n": 0, "sda": 0,
	} {
		if got, err := ReadVdevAshift([]byte(text), disks); (err == nil) != (want > 0) || got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestReadARC(t *testing.T) {
	a, err := ReadARC([]byte(captured.Text(t, "arcstats-2.1.11.txt")))
	if err != nil || a != (ARC{Size: 3040640, Least: 33554432, Limit: 370337792}) {
		t.Errorf("%+v, %v", a, err)
	}
	if got := a.Reclaimable(); got != 0 {
		t.Errorf("an ARC below its minimum gives back %d", got)
	}
	if got := (ARC{Size: 5 << 30, Least: 1 << 30}).Reclaimable(); got != 4<<30 {
		t.Error(got)
	}
	for _, bad := range []string{"", "name type data\nsize 4 1\nc_min 4 1\n", "size 4 -1\nc_min 4 1\nc_max 4 1\n", "size 4 1\nc_max 4 1\n"} {
		if a, err := ReadARC([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, a)
		}
	}
}

func TestReadVersion(t *testing.T) {
	for text, want := range map[string]string{
		"zfs-2.1.11-1+deb12u1\nzfs-kmod-2.1.11-1+deb12u1\n":      "2.1.11-1+deb12u1 2.1.11-1+deb12u1",
		"zfs-2.0.7-1\nzfs-kmod-v2022012000-zfs_e870bd8cf\n":      "2.0.7-1 2022012000-zfs_e870bd8cf",
		"zfs-2.2.2-0ubuntu9\r\nzfs-kmod-2.2.0-0ubuntu1\r\n":      "2.2.2-0ubuntu9 2.2.0-0ubuntu1",
		"zfs-2.3.4-pve1\nzfs_version_kernel() failed: No such …": "2.3.4-pve1 ",
	} {
		tools, module, err := ReadVersion([]byte(text))
		if err != nil || tools+" "+module != want {
			t.Errorf("%q: %s, %s, %v", text, tools, module, err)
		}
	}
	if _, _, err := ReadVersion([]byte("command not found")); err == nil {
		t.Error("no version is one")
	}
}

func TestReadDevices(t *testing.T) {
	const text = `PATH="/dev/sda1" KNAME="sda1" PKNAME="sda" PHY-SEC="4096"
PATH="/dev/nvme0n1" KNAME="nvme0n1" PKNAME="" PHY_SEC="512"
`
	got, err := ReadDevices([]byte(text))
	if err != nil || !slices.Equal(got, []Device{{"/dev/sda1", "sda1", "sda", 4096}, {"/dev/nvme0n1", "nvme0n1", "nvme0n1", 512}}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = ReadDevices([]byte(captured.Text(t, "lsblk-2.38.txt")))
	if err != nil || len(got) != 3 || got[2] != (Device{"/dev/nvme2n1p1", "nvme2n1p1", "nvme2n1", 512}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := ReadDevices([]byte("lsblk: not a block device\n")); err == nil {
		t.Errorf("%+v", got)
	}
}

func TestNames(t *testing.T) {
	for _, good := range []string{"tank", "tank/vms", "rpool/data/vm-100-disk-0", "a.b_c:d/e", "tank/subvol-101-disk-0"} {
		if !ValidDataset(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", "/", "tank/", "/tank", "tank//x", "-r", "tank/-r", "tank@snap", "tank#b", "tank/$(reboot)", "tank/a b", "tank\nx", "tank/..", strings.Repeat("x", 256)} {
		if ValidDataset(bad) {
			t.Errorf("%q is a name", bad)
		}
	}
}

// Each finding appears if it should, and none in a sane setup.
func TestOdd(t *testing.T) {
	yes, no := true, false
	sane := Setup{
		Pool:   Pool{Name: "tank", Capacity: 80, Health: "ONLINE", Fragmentation: -1},
		Status: Status{Pool: "tank", State: "ONLINE", Vdevs: []Vdev{{Class: Data, Name: "/dev/sda1"}, {Class: Log, Name: "/dev/nvme0n1p1"}}},
		Ashift: 12, Devices: []Device{{"/dev/sda1", "sda1", "sda", 4096}, {"/dev/nvme0n1p1", "nvme0n1p1", "nvme0n1", 512}},
		Tools: "2.1.11-1", Module: "2.1.11-1", Dataset: "tank/vms", Properties: []Property{{"tank/vms", "sync", "standard", "default"}, {"tank/vms", "dedup", "off", "default"}},
	}
	facts := assay.Facts{Block: []assay.BlockDevice{{Name: "nvme0n1", Model: "P4801X", PLP: &yes}}}
	if notes := sane.Odd(facts); len(notes) != 0 {
		t.Errorf("a sane setup: %v", notes)
	}
	for id, change := range map[string]func(*Setup, *assay.Facts){
		"zfs-ashift":      func(s *Setup, _ *assay.Facts) { s.Ashift = 9 },
		"zfs-full":        func(s *Setup, _ *assay.Facts) { s.Pool.Capacity = 81 },
		"zfs-slog-plp":    func(_ *Setup, f *assay.Facts) { f.Block = []assay.BlockDevice{{Name: "nvme0n1", PLP: &no}} },
		"zfs-slog-shared": func(s *Setup, _ *assay.Facts) { s.Devices = slices.Clone(s.Devices); s.Devices[1].Disk = "sda" },
		"zfs-sync": func(s *Setup, _ *assay.Facts) {
			s.Properties = []Property{{"tank/vms", "sync", "disabled", "inherited from tank"}}
		},
		"zfs-dedup":    func(s *Setup, _ *assay.Facts) { s.Properties = []Property{{"tank/vms", "dedup", "on", "local"}} },
		"zfs-arc":      func(s *Setup, _ *assay.Facts) { s.ARC = &ARC{Limit: 8 << 30} },
		"zfs-versions": func(s *Setup, _ *assay.Facts) { s.Module = "2.1.9-1" },
	} {
		s, f := sane, facts
		change(&s, &f)
		notes := s.Odd(f)
		if len(notes) != 1 || notes[0].ID != id {
			t.Errorf("%s: %v", id, notes)
		}
	}
	small := sane
	small.Ashift, small.Devices = 9, []Device{{"/dev/sda1", "sda1", "sda", 512}}
	if notes := small.Odd(facts); len(notes) != 0 {
		t.Errorf("ashift 9 on drives of 512 B: %v", notes)
	}
}

func TestFacts(t *testing.T) {
	s := Setup{
		Pool:   Pool{Name: "tank", Health: "ONLINE", Size: 100, Free: 60, Capacity: 40, Fragmentation: 3},
		Status: Status{Pool: "tank", State: "ONLINE", Scan: "none requested", Vdevs: []Vdev{{Class: Data, Name: "/dev/sda1"}, {Class: Log, Name: "/dev/nvme0n1p1"}}},
		Ashift: 12, Devices: []Device{{"/dev/sda1", "sda1", "sda", 4096}}, ARC: &ARC{Size: 1, Limit: 2}, Tools: "2.1.11-1",
		Dataset: "tank/vms", Properties: []Property{{"tank/vms", "recordsize", "131072", "default"}, {"tank/vms", "quota", "-", "default"}, {"tank", "sync", "always", "local"}},
	}
	got := s.Facts()
	if len(got) != 2 || got[0].Name != "tank" || got[1].Name != "tank/vms" || fmt.Sprint(got[1].Properties) != "map[recordsize:131072]" || got[0].Version != "2.1.11-1" {
		t.Fatalf("%+v", got)
	}
	want := "map[arc_max:2 arc_size:1 ashift:12 capacity:40% drives:sda fragmentation:3% free:60 health:ONLINE layout:1 disk scan:none requested size:100 slog:/dev/nvme0n1p1]"
	if fmt.Sprint(got[0].Properties) != want {
		t.Errorf("%v\nwant\n%s", got[0].Properties, want)
	}
}

// No input makes a reader panic, and anything it accepts is complete.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("tank\t13713518233466391187\t1006632960\t2013184\t1004619776\t1\t81\tONLINE\n"))
	f.Add([]byte(`PATH="/dev/sda1" KNAME="sda1" PKNAME="sda" PHY-SEC="4096"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := ReadStatus(text); err == nil {
			if s.Pool == "" || s.State == "" || len(s.Vdevs) == 0 {
				t.Errorf("%+v", s)
			}
			for _, class := range append([]string{Data}, classes...) {
				if (s.Layout(class) == "") != (len(s.Devices(class)) == 0) {
					t.Errorf("%s: %q of %v", class, s.Layout(class), s.Devices(class))
				}
			}
			Setup{Pool: Pool{Name: s.Pool}, Status: s, Dataset: s.Pool}.Facts()
		}
		if pools, err := ReadPools(text); err == nil {
			for _, p := range pools {
				if p.Name == "" || p.Size < 0 || p.Capacity < 0 || p.Capacity > 100 || p.Fragmentation < -1 {
					t.Errorf("%+v", p)
				}
			}
		}
		if a, err := ReadARC(text); err == nil && (a.Size < 0 || a.Limit < 0) {
			t.Errorf("%+v", a)
		}
		if n, err := ReadAshift(text); err == nil && !plausible(n) {
			t.Error(n)
		}
		if n, err := ReadVdevAshift(text, Status{Vdevs: []Vdev{{Class: Data, Name: "raidz2-0"}}}); err == nil && !plausible(n) {
			t.Error(n)
		}
		_, _, _ = ReadVersion(text)
		_, _ = ReadDevices(text)
		for _, p := range ReadProperties(text) {
			if p.Of == "" || p.Name == "" {
				t.Errorf("%+v", p)
			}
		}
	})
}
