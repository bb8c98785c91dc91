package audit

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"assay"
)

// linked is a flow from h to b on a link, over the interfaces that the result
// itself names.
func linked(bits float64, device, peer string, nics ...assay.NICFacts) func(*world) {
	return func(w *world) {
		wire(bits, "from", "h", "to", "b", "from_address", "10.0.0.1", "to_address", "10.0.0.2", "interface", device, "peer_interface", peer)(w)
		w.facts.NICs = nics
		w.results[0].Trial.Subject = assay.Subject{ID: "h/link/storage:b", Kind: assay.KindLink, Host: "h", Peer: "b", Network: "storage"}
	}
}

func ether(name string, speed float64) assay.NICFacts {
	return assay.NICFacts{Name: name, State: "up", Speed: speed, MTU: 1500}
}

func TestTheResultNamesItsInterface(t *testing.T) {
	slow, fast := ether("eno1", 1e9), ether("enp1s0", 10e9)
	bridge := assay.NICFacts{Name: "vmbr0", State: "up", Virtual: true, Speed: 10e9, MTU: 1500}
	tagged := assay.NICFacts{Name: "enp1s0.20", State: "up", Virtual: true, MTU: 9000}
	veth := assay.NICFacts{Name: "eth0", State: "up", Virtual: true, Speed: 10e9, MTU: 1500}
	const id = "nic-ceiling"
	check(t, []one{
		{id, "over the fast one of two", linked(9.40e9, "enp1s0", "", slow, fast), "", ""},
		{id, "over the slow one of two", linked(9.40e9, "eno1", "", slow, fast), "E", "9.40 Gb/s against 1.00 Gb/s x 1,448/1,538 = 941 Mb/s"},
		{id, "nobody says which of two", linked(9.40e9, "", "", slow, fast), "-", "which interface carried it"},
		{id, "a name that the facts do not know, of two", linked(9.40e9, "wg0", "", slow, fast), "-", "which interface carried it"},
		{id, "a name that the facts do not know, of one", linked(9.40e9, "wg0", "", slow), "E", "1.00 Gb/s"},
		{id, "a bridge over one port", linked(9.40e9, "vmbr0", "", slow, bridge), "E", "1.00 Gb/s"},
		{id, "a bridge over one of two ports", linked(9.40e9, "vmbr0", "", slow, fast, bridge), "-", "which port of vmbr0 carried it"},
		{id, "the speed of a veth is made up", linked(40e9, "eth0", "", veth), "-", "which port of eth0 carried it"},
		{id, "a VLAN has its own MTU, and a tag", linked(9.95e9, "enp1s0.20", "", slow, fast, tagged), "E", "10.0 Gb/s x 8,948/9,042 = 9.90 Gb/s"},
		{id, "a dot in a name is no VLAN", linked(9.40e9, "enp1s0.main", "", slow, fast, assay.NICFacts{Name: "enp1s0.main", State: "up", Virtual: true}), "-", "which port of enp1s0.main"},
		{id, "nothing left the host", both(linked(40e9, "lo", "", slow), label("wire", "route", "local")), "", ""},
	})
}

func TestTheOtherEndNamesItsInterfaceToo(t *testing.T) {
	w := good()
	linked(9.4e9, "enp1s0", "eno1", ether("enp1s0", 10e9), ether("eno2", 1e9))(w)
	e := w.evidence()
	e.Inventory.Facts["b"] = assay.Facts{Host: "b", NICs: []assay.NICFacts{ether("eno1", 1e9), ether("enp1s0", 10e9)}}
	found := nicCeiling.Check(e)
	if len(found) != 1 || !strings.Contains(found[0].Arithmetic, "against 1.00 Gb/s") {
		t.Fatalf("%v", found)
	}
	if want := "iperf3 -c 10.0.0.2 -B 10.0.0.1 -t 30"; !strings.Contains(found[0].Advice, want) || strings.Contains(found[0].Advice, "ADDRESS") {
		t.Errorf("the advice does not bind to the address that was used, %q: %s", want, found[0].Advice)
	}
}

// A bidirectional test has two flows: each may fill the line, and each is
// judged.
func TestBothWaysAreTwoFlows(t *testing.T) {
	bidir := func(there, back float64) Evidence {
		w := good()
		linked(there, "enp1s0", "", ether("eno1", 1e9), ether("enp1s0", 10e9))(w)
		rep := &w.results[0].Repeats[0]
		for _, m := range rep.Measurements {
			m.Labels["bidir"] = "1"
			m.Labels["direction"] = "forward"
			other := m
			other.Labels = with(maps.Clone(m.Labels), "direction", "reverse", "from", "b", "to", "h", "peer_interface", "enp1s0", "interface", "")
			if m.Metric == "net.tcp.throughput" {
				other.Value, other.Samples = back/8, nil
			}
			rep.Measurements = append(rep.Measurements, other)
		}
		return w.evidence()
	}
	for _, k := range []struct {
		there, back float64
		want        []string
	}{
		{9.40e9, 9.40e9, nil},
		{9.40e9, 4.00e9, []string{"b to h: 4.00 Gb/s"}},
		{4.00e9, 9.40e9, []string{"h to b: 4.00 Gb/s"}},
		{4.00e9, 3.00e9, []string{"h to b: 4.00 Gb/s", "b to h: 3.00 Gb/s"}},
	} {
		t.Run(fmt.Sprintf("%.2g and %.2g", k.there, k.back), func(t *testing.T) {
			found := nicUnderuse.Check(bidir(k.there, k.back))
			if len(found) != len(k.want) {
				t.Fatalf("%d findings, want %d: %v", len(found), len(k.want), found)
			}
			for i, f := range found {
				if f.Severity != assay.Warns || !strings.HasPrefix(f.Arithmetic, k.want[i]) {
					t.Errorf("%s %q, want %q", f.Severity, f.Arithmetic, k.want[i])
				}
			}
		})
	}
}
