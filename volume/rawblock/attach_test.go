package rawblock

import (
	"context"
	"encoding/json"
	"testing"

	"assay"
	"assay/kube"
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
		{Node: "n", Device: "/dev/disk/by-uuid/1", Serial: "1"}, // a file system's, not a device's
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
		s := assay.Subject{ID: "usb/block/dev", Kind: assay.KindBlock, Host: "usb", Name: a.Path, Params: Identity{Serial: "4C53"}.Params()}
		if _, err := New().Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1}); err != nil {
			t.Errorf("what was attached cannot be reserved: %v", err)
		}
	}
}

func TestIdentity(t *testing.T) {
	for words, want := range map[string]Identity{
		"serial 4C530001": {Serial: "4C530001"}, "serial t10.ATA     Samsung SSD, overwrite": {Serial: "t10.ATA     Samsung SSD", Overwrite: true},
		"backing file /var/lib/a b.img": {Backing: "/var/lib/a b.img"}, "backing file /x, overwrite": {Backing: "/x", Overwrite: true},
	} {
		if got, err := identityOf(want.Params()); err != nil || got != want {
			t.Errorf("%v gave %+v, %v", want.Params(), got, err)
		}
		if got, err := identityOf(inWords(words)); err != nil || got != want {
			t.Errorf("%q gave %+v, %v", words, got, err)
		}
	}
	for _, bad := range []string{"", "serial ", "/dev/sda1", "overwrite", ", overwrite", "serial  x", "backing file x", "serial a\nb", "serial a, b"} {
		if got, err := identityOf(inWords(bad)); err == nil {
			t.Errorf("%q gave %+v", bad, got)
		}
	}
	for _, bad := range []Identity{{}, {Serial: "a", Backing: "/b"}, {Serial: "a\nb"}, {Backing: "x"}} {
		if got, err := identityOf(bad.Params()); err == nil {
			t.Errorf("%+v gave %+v", bad, got)
		}
	}
}

// A run that was stored with the identity in words goes on, and what it left is
// released.
func TestStoredIdentity(t *testing.T) {
	var s assay.Subject
	if err := json.Unmarshal([]byte(`{"id": "usb/block/dev", "kind": "block", "host": "usb", "name": "/dev/sdb", "source": "serial 4C53, overwrite", "volume": "rawblock"}`), &s); err != nil {
		t.Fatal(err)
	}
	want := Identity{Serial: "4C53", Overwrite: true}
	r, err := New().Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := named(r); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	r.Names = map[string]string{"device": "/dev/sdb", "identity": "serial 4C53, overwrite"}
	if device, got, err := named(r); err != nil || got != want || device != "/dev/sdb" {
		t.Errorf("%s, %+v, %v", device, got, err)
	}
}

// TestReceipt refuses what Reserve would not have made: a receipt is read from a
// file.
func TestReceipt(t *testing.T) {
	v := New()
	s := assay.Subject{ID: "usb/block/dev", Kind: assay.KindBlock, Host: "usb", Name: "/dev/sdb", Params: Identity{Serial: "1"}.Params()}
	for _, id := range []string{"", "x", "../../../../etc", "01234567 89"} {
		if _, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: id, Bytes: 1}); err == nil {
			t.Errorf("id %q was taken", id)
		}
	}
	r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for role := range r.Names {
		forged := r
		forged.Names = map[string]string{role: "/etc/passwd"}
		if _, _, err := named(forged); err == nil {
			t.Errorf("took %v", forged.Names)
		}
	}
	for _, name := range []string{"/dev/sdb/..", "/dev/../sda", "/node/dev/../etc", "/etc/passwd", "/node/node/node/dev/sdb", "/node/dev/sdb", "/node/../dev/sdb", "/x/node/usb/dev/sdb"} {
		s.Name = name
		if r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1}); err == nil {
			t.Errorf("%s gave %+v", name, r)
		}
	}
}
