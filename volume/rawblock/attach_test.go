package rawblock

import (
	"context"
	"strings"
	"testing"

	"assay"
	"assay/stacks/kube"
	"assay/volume/guard"
)

func TestAttach(t *testing.T) {
	for _, bad := range []Options{
		{},
		{Device: "/dev/sdb", Serial: "1"}, // no node
		{Node: "n", Device: "/dev/sdb"},   // no serial
		{Node: "n", Device: "/dev/sdb", Serial: "1", Backing: "/x"},
		{Node: "n", Device: "/dev/sdb", Serial: "1", Overwrite: "yes"},
		{Node: "n", Device: "/dev/sdb", Serial: "1, overwrite"},
		{Node: "n", Device: "/dev/loop0", Backing: "x.img"},
		{Node: "n", Device: "sdb", Serial: "1"},
		{Node: "n", Device: "/dev/../etc/passwd", Serial: "1"},
		{Node: "n", Device: "/dev/disk/by-id/../../sda", Serial: "1"},
		{Node: "n", Device: "/dev/disk/by-uuid/1", Serial: "1"}, // a file system's id, not a device's
		{Node: "n", Device: "/dev/mapper/vg-lv", Serial: "1"},
		{Node: "n", Device: "/dev/sd b", Serial: "1"},
	} {
		if a, err := Attach(bad, "usb"); err == nil {
			t.Errorf("%+v gave %+v", bad, a)
		}
	}
	if _, err := Attach(Options{Node: "n", Device: "/dev/sdb", Serial: "1"}, "USB stick"); err == nil {
		t.Error("a name that Kubernetes refuses was taken")
	}

	for device, path := range map[string]string{
		"/dev/sdb": "/dev/sdb",
		"/dev/disk/by-id/usb-SanDisk_Ultra_4C53-0:0": "/node/usb/dev/disk/by-id/usb-SanDisk_Ultra_4C53-0:0",
	} {
		a, err := Attach(Options{Node: "n", Device: device, Serial: "4C53", Overwrite: "4C53"}, "usb")
		if err != nil || a.Path != path || !a.Privileged || a.Security != kube.Privileged ||
			a.Mount == nil || !a.Mount.ReadOnly || a.Mount.MountPath != "/node/usb/dev" ||
			a.Volume.HostPath == nil || a.Volume.HostPath.Path != "/dev" {
			t.Errorf("got %+v, %v", a, err)
		}
		s := assay.Subject{ID: "usb/block/dev", Kind: assay.KindBlock, Host: "usb", Name: a.Path, Params: guard.Identity{Serial: "4C53"}.Params()}
		if _, err := New().Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1}); err != nil {
			t.Errorf("what was attached cannot be reserved: %v", err)
		}
	}
}

// TestConfirming shows that the hint is exactly what to write.
func TestConfirming(t *testing.T) {
	yes := true
	for name, found := range map[string]guard.Facts{"a mark": {Signatures: []string{"zfs_member"}}, "something unknown": {}} {
		t.Run(name, func(t *testing.T) {
			f := found
			f.Path, f.Name, f.Bytes, f.Exclusive, f.Serials = "/dev/sdb", "sdb", 1<<30, &yes, []string{"A 1"}
			o := Options{Node: "n", Device: "/dev/sdb", Serial: "A 1"}
			want, err := o.Identity()
			if err != nil {
				t.Fatal(err)
			}
			_, word, found := strings.Cut(assay.Hint(guard.Check(want, f)), "overwrite: ")
			if !found {
				t.Fatal("the hint does not say what to write")
			}
			o.Overwrite = word
			if want, err = o.Identity(); err != nil {
				t.Fatal(err)
			}
			if err := guard.Check(want, f); err != nil {
				t.Error(err)
			}
		})
	}
}
