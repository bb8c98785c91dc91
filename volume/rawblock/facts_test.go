package rawblock

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
mount /mnt/a b
mount /mnt/a b
exclusive yes
signature vfat
signature dos
signature zfs_member
signature zfs_member
`))
	want := Facts{Path: "/dev/sdb", Name: "sdb", Number: "8:16", Bytes: 31266816 * 512, Partitions: []string{"sdb1"}, Holders: []string{"dm-0"},
		Serials: []string{"4C530001", "SanDisk_Ultra_4C530001", "t10.ATA     Samsung SSD 860"}, Mounts: []string{"/mnt/a b"},
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

// FuzzMarked has bytes of any length.
func FuzzMarked(f *testing.F) {
	f.Add([]byte("XFSB"), []byte("EFI PART"))
	f.Fuzz(func(_ *testing.T, head, tail []byte) {
		var facts Facts
		facts.Marked(head, tail)
	})
}

func TestHolders(t *testing.T) {
	list := `/proc/1/fd/:
total 0
lrwx------ 1 root root 64 Jan  1 00:00 0 -> /dev/null
lrwx------ 1 root root 64 Jan  1 00:00 3 -> /dev/sdb

/proc/77/fd/:
total 0
lrwx------ 1 root root 64 Jan  1 00:00 3 -> /dev/sdb1
lr-x------ 1 root root 64 Jan  1 00:00 4 -> /dev/sdb
lr-x------ 1 root root 64 Jan  1 00:00 5 -> /dev/sdb
`
	if got := holders("/dev/sdb", list); !reflect.DeepEqual(got, []string{"1", "77"}) {
		t.Errorf("got %v", got)
	}
	if got := holders("/dev/sda", list); got != nil {
		t.Errorf("got %v", got)
	}
}
