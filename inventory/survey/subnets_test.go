package survey

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/inventory/cluster"
)

// with returns a host with addresses given as in "eno1 10.0.0.1/24".
func with(name string, addresses ...string) Answer {
	a := Answer{Host: cluster.Host{Name: name}}
	for _, word := range addresses {
		nic, prefix, _ := strings.Cut(word, " ")
		a.Addresses = append(a.Addresses, Address{nic, netip.MustParsePrefix(prefix)})
		if NIC(a.Facts, nic) == nil {
			a.Facts.NICs = append(a.Facts.NICs, assay.NICFacts{Name: nic, Speed: 1e10, MTU: 9000})
		}
	}
	return a
}

func TestNetworks(t *testing.T) {
	odd := with("c", "eno1 10.0.0.3/24")
	odd.Facts.NICs[0].Speed, odd.Facts.NICs[0].MTU = 1e9, 1500
	blind := with("b", "eno1 10.0.0.2/24")
	blind.Facts.NICs = nil
	for name, c := range map[string]struct {
		answers []Answer
		want    []string
	}{
		"none": {nil, nil},
		"one host alone": {
			[]Answer{with("a", "eno1 10.0.0.1/24"), with("b", "eno1 10.0.1.1/24")}, nil,
		},
		"management and storage": {
			[]Answer{with("a", "vmbr0 10.0.0.1/24", "eno2 10.0.1.1/24"), with("b", "vmbr0 10.0.0.2/24", "eno2 10.0.1.2/24")},
			[]string{"management switch 10.0.0.0/24 10G 9000: a 10.0.0.1, b 10.0.0.2", "eno2 switch 10.0.1.0/24 10G 9000: a 10.0.1.1, b 10.0.1.2"},
		},
		"interfaces of several names": {
			[]Answer{with("a", "eno1 10.1.0.1/24", "eno2 10.2.0.1/24"), with("b", "enp1 10.1.0.2/24", "enp2 10.2.0.2/24")},
			[]string{"network switch 10.1.0.0/24 10G 9000: a 10.1.0.1, b 10.1.0.2", "network-2 switch 10.2.0.0/24 10G 9000: a 10.2.0.1, b 10.2.0.2"},
		},
		"links of a ring": {
			[]Answer{with("a", "x 10.1.0.1/30", "y 10.1.0.9/31"), with("b", "x 10.1.0.2/30", "y 10.1.0.5/30"), with("c", "x 10.1.0.6/30", "y 10.1.0.8/31")},
			[]string{
				"a-b point-to-point 10.1.0.0/30 10G 9000: a 10.1.0.1, b 10.1.0.2",
				"b-c point-to-point 10.1.0.4/30 10G 9000: b 10.1.0.5, c 10.1.0.6",
				"a-c point-to-point 10.1.0.8/31 10G 9000: a 10.1.0.9, c 10.1.0.8",
			},
		},
		"what all containers' hosts have is no network": {
			[]Answer{with("a", "docker0 172.17.0.1/16", "eno1 10.0.0.1/24"), with("b", "docker0 172.17.0.1/16", "eno1 10.0.0.2/24")},
			[]string{"management switch 10.0.0.0/24 10G 9000: a 10.0.0.1, b 10.0.0.2"},
		},
		"nor is what is routed": {
			[]Answer{with("a", "lo 10.9.0.1/32"), with("b", "lo 10.9.0.2/32")}, nil,
		},
		"both protocols on one wire": {
			[]Answer{with("a", "eno1 fd00::1/64", "eno1 10.0.0.1/24", "eno2 fd01::1/64"), with("b", "eno1 fd00::2/64", "eno1 10.0.0.2/24", "eno2 fd01::2/64")},
			[]string{"management switch 10.0.0.0/24 10G 9000: a 10.0.0.1, b 10.0.0.2", "eno2 switch fd01::/64 10G 9000: a fd01::1, b fd01::2"},
		},
		"two addresses of one host": {
			[]Answer{with("a", "eno1 10.0.0.1/24", "eno1 10.0.0.100/24"), with("b", "eno1 10.0.0.2/24")},
			[]string{"management switch 10.0.0.0/24 10G 9000: a 10.0.0.1, b 10.0.0.2"},
		},
		"one slower than the others": {
			[]Answer{with("a", "eno1 10.0.0.1/24"), with("b", "eno1 10.0.0.2/24"), odd},
			[]string{"management switch 10.0.0.0/24  0: a 10.0.0.1, b 10.0.0.2, c 10.0.0.3"},
		},
		"one that does not say": {
			[]Answer{with("a", "eno1 10.0.0.1/24"), blind},
			[]string{"management switch 10.0.0.0/24  0: a 10.0.0.1, b 10.0.0.2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, n := range Networks(c.answers, func(host string) string { return map[string]string{"a": "10.0.0.1", "b": "b.lan"}[host] }) {
				var ends []string
				for _, e := range n.Hosts {
					ends = append(ends, e.Host+" "+e.Address.String())
				}
				got = append(got, fmt.Sprintf("%s %s %s %s %d: %s", n.Name, n.Kind, n.Subnet, cluster.FormatRate(n.Rate), n.MTU, strings.Join(ends, ", ")))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Bridges and veths have speeds that no line has.
func TestSpeed(t *testing.T) {
	f := assay.Facts{NICs: []assay.NICFacts{
		{Name: "eno1", Speed: 1e9},
		{Name: "eno1.20", Speed: 1e9, Virtual: true},
		{Name: "vmbr0", Speed: 1e10, Virtual: true},
		{Name: "vmbr0.30", Speed: 1e10, Virtual: true},
		{Name: "veth101i0", Speed: 1e10, Virtual: true},
		{Name: "bond0", Speed: 2e10, Virtual: true, Driver: "bonding"},
		{Name: "bond0.40", Speed: 2e10, Virtual: true},
	}}
	for name, want := range map[string]float64{
		"eno1": 1e9, "eno1.20": 1e9, "vmbr0": 0, "vmbr0.30": 0, "veth101i0": 0, "bond0": 2e10, "bond0.40": 2e10, "eno2": 0, "eno2.20": 0, "": 0,
	} {
		if got := Speed(f, name); got != want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
}

// A guest's veth on a bridge makes it 10 Gb/s on a port of 1 Gb/s.
func TestABridgeHasNoRate(t *testing.T) {
	a, b := with("a", "vmbr0 10.0.0.1/24"), with("b", "vmbr0 10.0.0.2/24")
	a.Facts.NICs[0].Virtual, b.Facts.NICs[0].Virtual = true, true
	found := Networks([]Answer{a, b}, func(string) string { return "" })
	if len(found) != 1 || found[0].Rate != 0 || found[0].MTU != 9000 {
		t.Errorf("%+v", found)
	}
}
