package inventory

import (
	"slices"
	"testing"

	"assay"
)

func TestDevicesStandOnTheirDrives(t *testing.T) {
	f := assay.Facts{Host: "box", Block: []assay.BlockDevice{
		{Name: "sda", Path: "/dev/sda", Kind: "disk", Bytes: 1 << 30},
		{Name: "sdb", Path: "/dev/sdb", Kind: "disk", Bytes: 1 << 30},
		{Name: "sda1", Path: "/dev/sda1", Kind: "partition", On: []string{"sda"}},
		{Name: "md0", Path: "/dev/md0", Kind: "raid", On: []string{"sda1", "sdb"}},
		{Name: "dm-0", Path: "/dev/mapper/vg-data", Kind: "lvm", On: []string{"md0"}},
	}}
	got := Devices(f, []string{"/dev/mapper/vg-data", "/dev/sda1", "/dev/dm-0", "/dev/none", "/dev/sda1"})
	want := map[string][]string{
		"/dev/mapper/vg-data": {"box/drive/sda", "box/drive/sdb"}, "/dev/dm-0": {"box/drive/sda", "box/drive/sdb"},
		"/dev/sda1": {"box/drive/sda"}, "/dev/none": nil,
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for _, s := range got {
		if s.Kind != assay.KindDevice || s.ID != "box/device/"+s.Name || !slices.Equal(s.On, want[s.Name]) {
			t.Errorf("%+v, want on %q", s, want[s.Name])
		}
	}
}
