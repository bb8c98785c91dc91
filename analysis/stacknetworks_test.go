package analysis

import (
	"fmt"
	"slices"
	"testing"

	"assay"
	"assay/limits"
)

// onNetworks returns a Ceph host with these interfaces on its networks.
func onNetworks(host string, public, cluster assay.NICFacts, others ...assay.NICFacts) assay.Facts {
	f := assay.Facts{Host: host, Stack: &assay.StackFacts{Kind: "ceph", PublicNIC: public.Name, ClusterNIC: cluster.Name}, NICs: append(others, public)}
	if public.Name != cluster.Name {
		f.NICs = append(f.NICs, cluster)
	}
	return f
}

func interfaceOf(name string, gbit float64, mtu int) assay.NICFacts {
	return assay.NICFacts{Name: name, State: "up", Speed: gbit * 1e9, MTU: mtu}
}

func misfitsOf(binds []TierBind, hosts ...assay.Facts) []NetworkMisfit {
	b := &builder{run: assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}}
	for _, f := range hosts {
		b.run.Inventory.Facts[f.Host] = f
	}
	return b.misfits(binds)
}

func TestNetworksThatDoNotSuitACeph(t *testing.T) {
	ten, jumbo := interfaceOf("eno1", 10, 1500), interfaceOf("eno2", 25, 9000)
	faster := interfaceOf("eno2", 25, 1500)
	down, bridge, outside := faster, interfaceOf("vmbr1", 25, 1500), onNetworks("client", ten, ten, faster)
	down.State, bridge.Virtual, outside.Stack.Outside = "down", true, true
	unknown := interfaceOf("eno3", 0, 1500)
	for _, c := range []struct {
		name  string
		hosts []assay.Facts
		want  string // misfit and hosts with values
	}{
		{"the faster link for the copies", []assay.Facts{onNetworks("h", ten, faster)}, "[]"},
		{"the slower one", []assay.Facts{onNetworks("h", faster, ten)}, "[copies have the slower link: h eno1 eno2]"},
		{"on two hosts", []assay.Facts{onNetworks("g", faster, ten), onNetworks("h", faster, ten)}, "[copies have the slower link: g eno1 eno2, h eno1 eno2]"},
		{"a speed that is not known", []assay.Facts{onNetworks("h", faster, unknown)}, "[]"},
		{"one for both, and a faster one", []assay.Facts{onNetworks("h", ten, ten, faster)}, "[copies share the link of the clients, and a faster one is idle: h eno1 eno2]"},
		{"one for both, the faster one down", []assay.Facts{onNetworks("h", ten, ten, down)}, "[]"},
		{"one for both, a bridge beside", []assay.Facts{onNetworks("h", ten, ten, bridge)}, "[]"},
		{"a client that has no OSD", []assay.Facts{outside}, "[]"},
		{"nothing is known", []assay.Facts{{Host: "h", Stack: &assay.StackFacts{Kind: "ceph"}}, {Host: "g"}}, "[]"},
		{"the MTU is the same", []assay.Facts{onNetworks("a", ten, jumbo), onNetworks("b", ten, jumbo), {Host: "c"}}, "[]"},
		{"it is not", []assay.Facts{onNetworks("a", ten, jumbo), onNetworks("b", ten, faster)}, "[the MTU differs: a eno2 , b eno2 ]"},
		{"nor on a network that is both", []assay.Facts{onNetworks("a", ten, ten), onNetworks("b", jumbo, jumbo)}, "[the MTU differs: a eno1 , b eno2 ]"},
		{"another storage", []assay.Facts{{Host: "h", Stack: &assay.StackFacts{Kind: "drbd", PublicNIC: "eno2", ClusterNIC: "eno1"}, NICs: []assay.NICFacts{faster, ten}}}, "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said []string
			for _, m := range misfitsOf(nil, c.hosts...) {
				text := string(m.Misfit) + ": "
				for i, l := range m.Links {
					if i > 0 {
						text += ", "
					}
					text += l.Host + " " + l.NIC.Name + " " + l.Other.Name
				}
				said = append(said, text)
			}
			if got := fmt.Sprint(said); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// An unsuitable network is wrong if it breaks something, a limit if writes came near it, and a
// note otherwise.
func TestWhatNetworksCost(t *testing.T) {
	slow := onNetworks("h", interfaceOf("eno2", 25, 1500), interfaceOf("eno1", 10, 1500))
	writes := func(speed float64) []TierBind {
		return []TierBind{
			{Metric: "pool.read.bandwidth", Value: 5e9, Limits: []TierLimit{{Name: limits.PoolNetwork, Value: 5e9}}},
			{Metric: "pool.write.bandwidth", Value: speed, Limits: []TierLimit{{Name: limits.PoolDrives, Value: speed}, {Name: limits.PoolCopies, Value: 1.8e9}}},
		}
	}
	unlike := []assay.Facts{onNetworks("a", interfaceOf("eno1", 10, 1500), interfaceOf("eno2", 25, 9000)), onNetworks("b", interfaceOf("eno1", 10, 1500), interfaceOf("eno2", 25, 1500))}
	for _, c := range []struct {
		name  string
		binds []TierBind
		hosts []assay.Facts
		tones [3]int // wrong, limits, rest
		share float64
	}{
		{"writes near it", writes(1.7e9), []assay.Facts{slow}, [3]int{0, 1, 0}, .944},
		{"writes far below", writes(.4e9), []assay.Facts{slow}, [3]int{0, 0, 1}, .222},
		{"nothing is known", nil, []assay.Facts{slow}, [3]int{0, 0, 1}, 0},
		{"packets are dropped", writes(1.7e9), unlike, [3]int{1, 0, 0}, 0},
	} {
		all := misfitsOf(c.binds, c.hosts...)
		wrong, limit, rest := Found{Tiers: &Tiers{Misfits: all}}.misfitPoints()
		if got := [3]int{len(wrong), len(limit), len(rest)}; got != c.tones || len(all) != 1 || all[0].Share < c.share-.001 || all[0].Share > c.share+.001 {
			t.Errorf("%s: %v, %+v", c.name, got, all)
		}
		points := slices.Concat(wrong, limit, rest)
		if tone := points[0].Tone; tone != [...]Tone{Bad, Limit, Note}[slices.Index(c.tones[:], 1)] {
			t.Errorf("%s: %s", c.name, tone)
		}
	}
}

// A pool with one client has no curve, but what binds it is still reported.
func TestWhatBindsAPoolOfOneClient(t *testing.T) {
	b, r := published("write", 1, 2000, .0316, .0074)
	b.run.Inventory.Tiers = []assay.Tier{{Name: "vms", Hosts: []string{"pve1"}}}
	r.Repeats[0].Measurements[0].Unit = assay.BytesPerSecond
	if got := b.bindsAlone(); len(got) != 1 || got[0].Column != "vms" || !got[0].Pool || len(got[0].Limits) < 3 {
		t.Errorf("%+v", got)
	}
	b.run.Inventory.Tiers[0].Hosts = []string{"pve1", "pve2"}
	if got := b.bindsAlone(); len(got) > 0 {
		t.Errorf("of several clients: %+v", got)
	}
}
