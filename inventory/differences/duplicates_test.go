package differences

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// A host's address on another host's interface is reported; addresses of container
// bridges, which all hosts have, are not.
func TestDuplicateAddresses(t *testing.T) {
	host := func(name string, addresses ...string) survey.Answer {
		a := survey.Answer{Host: cluster.Host{Name: name}}
		for _, prefix := range append(addresses, "172.17.0.1/16") {
			a.Addresses = append(a.Addresses, survey.Address{NIC: "eth0", Prefix: netip.MustParsePrefix(prefix)})
		}
		return a
	}
	network := cluster.Network{Name: "storage", Hosts: []cluster.End{
		{Host: "pve1", Address: netip.MustParseAddr("10.0.0.1")}, {Host: "pve2", Address: netip.MustParseAddr("10.0.0.2")},
	}}
	alike := []survey.Answer{host("pve1", "10.0.0.1/24"), host("pve2", "10.0.0.2/24"), host("pve3", "10.0.0.3/24")}
	if got := Find([]cluster.Network{network}, alike); len(got) > 0 {
		t.Errorf("no address is on two hosts, and it says %+v", got)
	}
	twice := []survey.Answer{alike[0], host("pve2", "10.0.0.2/24", "10.0.0.1/24"), alike[2]}
	want := []Difference{{
		What: "address 10.0.0.1 on storage", Odd: []string{"pve2"},
		Values: []Value{{Text: "has the address of pve1 on eth0", Hosts: []string{"pve2"}}},
	}}
	if diff := cmp.Diff(want, Find([]cluster.Network{network}, twice)); diff != "" {
		t.Error(diff)
	}
}
