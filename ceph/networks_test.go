package ceph_test

import (
	"strings"
	"testing"

	"assay"
	"assay/ceph"
)

// The interfaces are those that hosts of lab/ceph really had: a mesh has addresses of its
// own beside, on two links at once.
func TestWhichInterfaceIsOnWhichNetwork(t *testing.T) {
	var c ceph.Cluster
	var err error
	if c.Addresses, err = ceph.ReadAddresses(captured(t, "pacific-osd-dump-host1.json")); err != nil || len(c.Addresses) != 3 {
		t.Fatalf("%+v, %v", c.Addresses, err)
	}
	for _, file := range []string{"ip-addr-host1.txt", "ip-addr-host3.txt"} {
		own := ceph.ReadInterfaces(captured(t, file))
		if public, cluster := c.Own(own); len(own) != 4 || public != "eth0" || cluster != "eth1" {
			t.Errorf("%s: public %q, cluster %q of %+v", file, public, cluster, own)
		}
	}
	for text, want := range map[string]string{
		"2: ens18    inet 10.245.0.77/24 brd 10.245.0.255 scope global ens18": "ens18/", // a client
		"2: ens18    inet 192.168.1.7/24 scope global ens18":                  "/",
		"9: bond0.20@bond0    inet 10.245.1.2/24 scope global bond0.20":       "/bond0.20",
		"2: eth0    inet 10.245.0.1":                                          "/", "2: eth0    link/ether 02:00": "/", "": "/",
	} {
		if public, cluster := c.Own(ceph.ReadInterfaces([]byte(text))); public+"/"+cluster != want {
			t.Errorf("%q: %s/%s, want %s", text, public, cluster, want)
		}
	}
	six := ceph.Cluster{Addresses: []ceph.Address{{Public: "[fd00::1]", Cluster: "[fd01::1]"}}}
	if public, cluster := six.Own(ceph.ReadInterfaces([]byte("2: a    inet6 fd00::1/64 scope global\n3: b    inet6 fd01::9/64 scope global\n"))); public != "a" || cluster != "b" {
		t.Errorf("IPv6: %q and %q", public, cluster)
	}
}

func onNetworks(host string, public, cluster assay.NICFacts, others ...assay.NICFacts) assay.Facts {
	f := assay.Facts{Host: host, Stack: &assay.StackFacts{Kind: "ceph", PublicNIC: public.Name, ClusterNIC: cluster.Name}, NICs: append(others, public)}
	if public.Name != cluster.Name {
		f.NICs = append(f.NICs, cluster)
	}
	return f
}

func link(name string, gbit float64, mtu int) assay.NICFacts {
	return assay.NICFacts{Name: name, State: "up", Speed: gbit * 1e9, MTU: mtu}
}

func TestOddNetworks(t *testing.T) {
	eno1, eno2 := link("eno1", 10, 1500), link("eno2", 25, 9000)
	down, bridge, outside := link("eno2", 25, 9000), link("vmbr1", 25, 1500), onNetworks("client", eno1, eno1, eno2)
	down.State, bridge.Virtual, outside.Stack.Outside = "down", true, true
	unknown := link("eno3", 0, 1500)
	for _, c := range []struct {
		name string
		f    assay.Facts
		want string // id and what is said, none: nothing
	}{
		{"the faster link for the copies", onNetworks("h", eno1, eno2), ""},
		{"the slower one", onNetworks("h", eno2, eno1), "ceph-cluster-slower h: its link on the cluster network (eno1, 10 Gb/s)"},
		{"a speed that is not known", onNetworks("h", eno2, unknown), ""},
		{"one for both, and a faster one", onNetworks("h", eno1, eno1, eno2), "ceph-cluster-absent h: copies share eno1 (10 Gb/s) with the clients, while eno2 is up at 25 Gb/s"},
		{"one for both, the faster one down", onNetworks("h", eno1, eno1, down), ""},
		{"one for both, a bridge beside", onNetworks("h", eno1, eno1, bridge), ""},
		{"a client that has no OSD", outside, ""},
		{"nothing is known", assay.Facts{Host: "h", Stack: &assay.StackFacts{}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := ""
			for _, n := range ceph.OddNetworks(c.f) {
				said += n.ID + " " + n.Text
			}
			if c.want == "" && said != "" || !strings.HasPrefix(said, c.want) {
				t.Errorf("says %q, want %q", said, c.want)
			}
		})
	}
}

func TestAnMTUThatDiffersBetweenHosts(t *testing.T) {
	public, jumbo, plain := link("eno1", 10, 1500), link("eno2", 25, 9000), link("ens2", 25, 1500)
	if notes := (ceph.Tier{}).Compare([]assay.Facts{onNetworks("a", public, jumbo), onNetworks("b", public, jumbo), {Host: "c"}}); len(notes) > 0 {
		t.Errorf("%+v", notes)
	}
	notes := ceph.Tier{}.Compare([]assay.Facts{onNetworks("a", public, jumbo), onNetworks("b", public, plain)})
	if len(notes) != 1 || !strings.HasPrefix(notes[0].Text, "the MTU on the cluster network differs: 9000 on a (eno2) and 1500 on b (ens2)") {
		t.Errorf("%+v", notes)
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
