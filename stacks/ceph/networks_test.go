package ceph_test

import (
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/stacks/ceph"
)

// The interfaces were captured on hosts of lab/ceph: a mesh has addresses of its own
// besides, on two links at once.
func TestWhichInterfaceIsOnWhichNetwork(t *testing.T) {
	var c ceph.Cluster
	var err error
	if c.Addresses, err = ceph.ReadAddresses(captured.Bytes(t, "pacific-osd-dump-host1.json")); err != nil || len(c.Addresses) != 3 {
		t.Fatalf("%+v, %v", c.Addresses, err)
	}
	for number := range 3 {
		c.OSDs = append(c.OSDs, ceph.OSD{Number: number, Up: true})
	}
	osds := c.Stack("", "").Disks
	for _, file := range []string{"ip-addr-host1.txt", "ip-addr-host3.txt"} {
		own := ceph.ReadInterfaces(captured.Bytes(t, file))
		if public, cluster := ceph.Own(own, osds); len(own) != 4 || public != "eth0" || cluster != "eth1" {
			t.Errorf("%s: public %q, cluster %q of %+v", file, public, cluster, own)
		}
	}
	for text, want := range map[string]string{
		"2: ens18    inet 10.245.0.77/24 brd 10.245.0.255 scope global ens18": "ens18/", // a client
		"2: ens18    inet 192.168.1.7/24 scope global ens18":                  "/",
		"9: bond0.20@bond0    inet 10.245.1.2/24 scope global bond0.20":       "/bond0.20",
		"2: eth0    inet 10.245.0.1":                                          "/", "2: eth0    link/ether 02:00": "/", "": "/",
	} {
		if public, cluster := ceph.Own(ceph.ReadInterfaces([]byte(text)), osds); public+"/"+cluster != want {
			t.Errorf("%q: %s/%s, want %s", text, public, cluster, want)
		}
	}
	six := []assay.StackDisk{{Serves: "[fd00::1]", Copies: "[fd01::1]"}}
	if public, cluster := ceph.Own(ceph.ReadInterfaces([]byte("2: a    inet6 fd00::1/64 scope global\n3: b    inet6 fd01::9/64 scope global\n")), six); public != "a" || cluster != "b" {
		t.Errorf("IPv6: %q and %q", public, cluster)
	}
}

func FuzzReadInterfaces(f *testing.F) {
	f.Add("2: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, i := range ceph.ReadInterfaces([]byte(text)) {
			if !i.Address.IsValid() || i.Address.Addr().IsLoopback() {
				t.Errorf("%q is read as %+v", text, i)
			}
		}
	})
}
