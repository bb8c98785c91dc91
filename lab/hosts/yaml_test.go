package hosts

import (
	"testing"

	"assay/inventory/cluster"
)

// The lab's cluster.yaml describes the lab correctly to assay's own reader.
func TestClusterFile(t *testing.T) {
	for n := 1; n <= 4; n++ {
		l := &Lab{Dir: "/lab", state: state{Octet: 77, Hosts: Standard(n)}}
		c, err := cluster.Read(l.Cluster(), []byte(l.describe()))
		if err != nil {
			t.Fatalf("%d hosts: %v\n%s", n, err, l.describe())
		}
		if len(c.Hosts) != n {
			t.Fatalf("%d hosts, want %d", len(c.Hosts), n)
		}
		for i, h := range l.Hosts() {
			got := c.Hosts[i]
			if got.Name != h.Name || got.Address != l.Address(h.Name, Management) || got.User != User || got.Sudo != h.Sudo ||
				got.Labels["cooling"] != h.Labels["cooling"] || len(got.Measure.Directories) != 1 || got.Measure.Directories[0] != BenchDir ||
				c.ConfigFile(got, "") != l.Config() {
				t.Errorf("%s: %+v", h.Name, got)
			}
			for _, network := range c.Networks {
				if got := network.Address(h.Name).String(); got != l.Address(h.Name, network.Name) {
					t.Errorf("%s on %s: %s", h.Name, network.Name, got)
				}
			}
		}
		want := map[int]cluster.NetworkKind{2: cluster.PointToPoint, 3: cluster.Ring, 4: cluster.Ring}
		if n > 1 && (len(c.Networks) != 3 || c.Networks[2].Kind != want[n]) {
			t.Errorf("%d hosts: networks %+v", n, c.Networks)
		}
	}
}

func TestBoundsOfControlGroups2(t *testing.T) {
	for _, c := range []struct {
		disk Disk
		want string
	}{
		{Disk{Rate: 1000, IOPS: 20}, "7:3 rbps=1000 wbps=1000 riops=20 wiops=20"},
		{Disk{IOPS: 20}, "7:3 rbps=max wbps=max riops=20 wiops=20"},
	} {
		if got := ioMax("7:3", c.disk); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A full frame counts as 1514 B in the kernel and takes 1538 B on the wire.
func TestALinkCarriesNoMoreThanACable(t *testing.T) {
	const full = 1e9 * lineShare / 1514 * 1538
	if full > 1e9 || full < 0.99e9 {
		t.Errorf("a link of 1 Gb/s would carry %.4g bit/s", full)
	}
}
