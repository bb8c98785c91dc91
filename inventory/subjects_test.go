package inventory

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay"
	"assay/place/local"
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

func TestDevicesAreKnownByTheKernelsNames(t *testing.T) {
	links, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(links, "by-id a; touch pwned")
	if err := os.Symlink("/dev/null", link); err != nil {
		t.Fatal(err)
	}
	asked := []string{link, "/dev/mapper/vg-x", filepath.Join(links, "none")}
	got, err := kernelPaths(t.Context(), local.New("box", ""), asked, links+"/")
	if want := []string{"/dev/null", "/dev/mapper/vg-x", asked[2]}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := os.Stat("pwned"); err == nil {
		t.Error("a device's name was a command")
	}
	// If no link is named, nothing is run.
	if got, err := kernelPaths(t.Context(), nil, []string{"/dev/sda"}, links+"/"); err != nil || !slices.Equal(got, []string{"/dev/sda"}) {
		t.Errorf("%q, %v", got, err)
	}
}
