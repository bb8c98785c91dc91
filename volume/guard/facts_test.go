package guard

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseFacts(t *testing.T) {
	yes := true
	got, err := ParseFacts("/dev/sdb", []byte(`kind block
number 8:16
name sdb
sectors 31266816
readonly 0
child sdb1
holder dm-0
serial 4C530001
serial SanDisk_Ultra_4C530001
serial 4C530001
serial t10.ATA     Samsung SSD 860
other sdc 4C530002
other sdc t10.ATA     Other
link sdc /dev/disk/by-id/ata-Other_WCC7K0AB
link sdb /node/usb/dev/disk/by-id/usb-SanDisk_Ultra_4C530001-0:0
link sdb /node/usb/dev/disk/by-id/ata-Bridged_S3Z8NB0K
mount /mnt/a b
mount /mnt/a b
exclusive yes
signature vfat
signature dos
signature zfs_member
signature zfs_member
`))
	want := Facts{Path: "/dev/sdb", Name: "sdb", Number: "8:16", Bytes: 31266816 * 512, Partitions: []string{"sdb1"}, Holders: []string{"dm-0"},
		Serials: []string{"4C530001", "SanDisk_Ultra_4C530001", "t10.ATA     Samsung SSD 860", "Bridged_S3Z8NB0K", "S3Z8NB0K"},
		Others:  map[string][]string{"sdc": {"4C530002", "t10.ATA     Other", "Other_WCC7K0AB", "WCC7K0AB"}},
		Links:   []string{"/node/usb/dev/disk/by-id/usb-SanDisk_Ultra_4C530001-0:0", "/node/usb/dev/disk/by-id/ata-Bridged_S3Z8NB0K"}, Mounts: []string{"/mnt/a b"},
		Exclusive: &yes, Signatures: []string{"vfat", "zfs_member"}, Tables: []string{"dos"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	for _, bad := range []string{"", "rubbish", "kind block\n", "kind block\nname sdb\n", "kind block\nname sdb\nnumber 8:16\nsectors -1\n",
		"kind block\nname sdb\nnumber 8:16\nsectors 99999999999999999999\n"} {
		if f, err := ParseFacts("/dev/sdb", []byte(bad)); err == nil {
			t.Errorf("%q gave %+v", bad, f)
		}
	}
	for _, unknown := range []string{"unknown", ""} {
		f, err := ParseFacts("/dev/x", []byte("kind block\nname x\nnumber 1:1\nexclusive "+unknown+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if unknown == "unknown" && f.Exclusive != nil || f.Exclusive != nil && *f.Exclusive {
			t.Errorf("exclusive %q was read as %v", unknown, *f.Exclusive)
		}
	}
}

func FuzzParseFacts(f *testing.F) {
	f.Add([]byte("kind block\nnumber 8:16\nname sdb\nsectors 31266816\nexclusive yes\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ParseFacts("/dev/sdb", b)
		if err == nil && got.Exclusive != nil && *got.Exclusive && !strings.Contains(string(b), "exclusive") {
			t.Errorf("%q made the device free", b)
		}
		if err == nil && got.Bytes < 0 {
			t.Errorf("%d bytes", got.Bytes)
		}
	})
}

// FuzzMarked tries bytes of any length.
func FuzzMarked(f *testing.F) {
	f.Add([]byte("XFSB"), []byte("EFI PART"))
	f.Fuzz(func(_ *testing.T, head, tail []byte) {
		var facts Facts
		facts.Marked(head, tail)
	})
}

func TestUsers(t *testing.T) {
	list := `/proc/1/fd/:
total 0
crw-rw-rw- 1 0 0 1, 3 Jan  1 00:00 0
brw-rw---- 1 0 6 8, 16 Jan  1 00:00 3
-rw-r--r-- 1 0 0 8, 16 Jan  1 00:00 4

/proc/77/fd/:
total 0
brw-rw----    1 0        6           8,  17 Jan  1 00:00 3
brw-rw----    1 0        6           8,  16 Jan  1 00:00 4
brw-rw----    1 0        6           8,  16 Jan  1 00:00 5

/proc/78/fd/:
brw-rw---- 1 0 6 8, 160 Jan  1 00:00 3
brw-rw---- 1 0 6 98, 16 Jan  1 00:00 3
`
	if got := users(8, 16, list); !reflect.DeepEqual(got, []string{"1", "77"}) {
		t.Errorf("got %v", got)
	}
	if got := users(8, 1, list); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestLinkSerials(t *testing.T) {
	for link, want := range map[string][]string{
		"/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF": {"WDC_WD40EFRX-68N32N0_WD-WCC7K0ABCDEF", "WD-WCC7K0ABCDEF"},
		"usb-SanDisk_Ultra_4C530001-0:0":                           {"SanDisk_Ultra_4C530001", "4C530001"},
		"wwn-0x5000c500a1b2c3d4":                                   {"0x5000c500a1b2c3d4", "0x5000c500a1b2c3d4"},
		"nvme-Samsung_SSD_980_S64DNX0R_1":                          {"Samsung_SSD_980_S64DNX0R_1"},
		"strange":                                                  {""},
	} {
		if got := linkSerials(link); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", link, got, want)
		}
	}
}

// TestOpened: a device that comes back under another name after a bus reset must
// not be written to.
func TestOpened(t *testing.T) {
	const ata, usb = "/node/usb/dev/disk/by-id/ata-WD_Red_WCC7K0AB", "/node/usb/dev/disk/by-id/usb-Dock_0123456789-0:0"
	for path, want := range map[string]string{
		"/dev/sdb": ata,
		usb:        usb, // it was named
		"/node/usb/dev/disk/by-path/pci-0000:00:14.0-usb-0:1:1.0": ata, // a socket is no device
	} {
		f := Facts{Path: path, Name: "sdb", Links: []string{usb, ata}}
		if got := f.opened(Identity{Serial: "WCC7K0AB"}); got != want {
			t.Errorf("%s is opened as %s", path, got)
		}
	}
	plain := Facts{Path: "/dev/loop3", Links: []string{usb, "/node/usb/dev/disk/by-id/strange"}}
	if got := plain.opened(Identity{Backing: "/x"}); got != plain.Path {
		t.Errorf("without a serial it is opened as %s", got)
	}
}
