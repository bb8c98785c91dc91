package analysis

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay"
)

// alikeRun returns a run of four hosts that are alike in figures and facts, except for
// what odd does to the facts of pve3.
func alikeRun(odd func(*assay.Facts)) assay.Run {
	yes := true
	dice := rand.New(rand.NewPCG(5, 6)) // #nosec G404 -- a simulation
	run := world{dice: dice, scatter: .01, hosts: .01, slow: func(_, _, _, _, _ string) float64 { return 1 }}.run()
	for host := range run.Inventory.Facts {
		f := assay.Facts{
			Host: host, OS: assay.OSFacts{Machine: "ACME Minibox", BIOS: "1.10", Kernel: "6.8.12"},
			CPU:          assay.CPUFacts{Model: "Xeon 6130", Threads: 32, Usable: 32, Mitigations: map[string]string{"spectre_v2": "Mitigation: Retpolines", "mds": "Not affected"}},
			Memory:       assay.MemoryFacts{Channels: 2},
			Synchronised: &yes,
			NICs:         []assay.NICFacts{{Name: "eth0", Speed: 1e10, MTU: 1500}, {Name: "eth1", Speed: 1e10, MTU: 1500}},
			Block:        []assay.BlockDevice{{Name: "sda", Kind: "disk", Model: "Alpha", WriteCache: "write back", Bytes: 1e12}},
			Dirs:         []assay.DirFacts{{Path: "/srv", Drives: []string{"sda"}, Bytes: 1e12, Free: 5e11}},
		}
		if host == "pve3" {
			odd(&f)
		}
		run.Inventory.Facts[host] = f
	}
	for i := range run.Results {
		s := run.Results[i].Trial.Subject
		device := map[string]string{"management": "eth0", "storage": "eth1"}[s.Network]
		for j := range run.Results[i].Repeats {
			for k := range run.Results[i].Repeats[j].Measurements {
				if m := &run.Results[i].Repeats[j].Measurements[k]; s.Kind == assay.KindLink {
					m.Labels = map[string]string{"interface": device, "peer_interface": device}
				}
			}
		}
	}
	return run
}

// A fact is reported even if no figure is slow for it: for the host that has it, and no
// other; then nothing is called good.
func TestFactsWithoutEffect(t *testing.T) {
	for _, c := range []struct {
		name, cause, trait string
		odd                func(*assay.Facts)
	}{
		{"nothing", "", "", func(*assay.Facts) {}},
		{"jumbo frames at one end, on the second network", "mtu-high", "", func(f *assay.Facts) { f.NICs[1].MTU = 9000 }},
		{"a smaller MTU", "mtu-low", "", func(f *assay.Facts) { f.NICs[0].MTU = 1280 }},
		{"a cpuset", "cpu-set", "", func(f *assay.Facts) { f.CPU.Usable = 8 }},
		{"a full disk", "disk-full", "", func(f *assay.Facts) { f.Dirs[0].Free = 0 }},
		{"one memory channel", "", "memory channels", func(f *assay.Facts) { f.Memory.Channels = 1 }},
		{"an older BIOS", "", "BIOS", func(f *assay.Facts) { f.OS.BIOS = "1.02" }},
		{"another kernel", "", "kernel", func(f *assay.Facts) { f.OS.Kernel = "5.10.0" }},
		{"a write cache that is off", "", "write cache of the measured drive", func(f *assay.Facts) { f.Block[0].WriteCache = "write through" }},
		{"NTP that reaches no server", "", "clock synchronisation", func(f *assay.Facts) { no := false; f.Synchronised = &no }},
		{"a flaw that nothing guards", "", "mitigation of spectre_v2", func(f *assay.Facts) {
			f.CPU.Mitigations = map[string]string{"spectre_v2": "Vulnerable", "mds": "Not affected"}
		}},
	} {
		f := Of(alikeRun(c.odd))
		var causes, odd []string
		for _, o := range f.Outliers {
			causes = append(causes, o.Host+" "+o.Why.ID)
		}
		for _, u := range f.Side.Unlike {
			for _, trait := range u.Traits {
				odd = append(odd, u.Host+" "+trait.Name)
			}
		}
		for what, said := range map[string][]string{c.cause: causes, c.trait: odd} {
			if what != "" && !slices.Contains(said, "pve3 "+what) {
				t.Errorf("%s: %q is not said: %v", c.name, what, said)
			}
		}
		if all := slices.Concat(causes, odd); slices.ContainsFunc(all, func(s string) bool { return !strings.HasPrefix(s, "pve3 ") }) || c.name == "nothing" && len(all) > 0 {
			t.Errorf("%s: %v", c.name, all)
		}
		good, named := false, 0
		for _, p := range f.Verdict {
			switch says := p.Says.(type) {
			case NoneStandsOut:
				good = good || p.Tone == Good
			case Unlike:
				named++
				if c.trait == "" || p.Tone != Doubt || f.mends[says.Host] == "" && !strings.HasPrefix(c.trait, "mitigation") && c.trait != "clock synchronisation" {
					t.Errorf("%s: %+v", c.name, p)
				}
			}
		}
		if good != (c.name == "nothing") || (named > 0) != (c.trait != "") {
			t.Errorf("%s: good is %v, named %d times", c.name, good, named)
		}
	}
}

// A single reading of one path between two hosts has no confirmation: it must be far
// off.
func TestOneReadingOfOneWay(t *testing.T) {
	for _, c := range []struct {
		slower float64
		want   bool
	}{{2.5, false}, {6, true}} {
		dice := rand.New(rand.NewPCG(7, 8)) // #nosec G404 -- a simulation
		run := world{dice: dice, scatter: .01, hosts: .01, slow: func(host, peer, _, _, network string) float64 {
			if host == "pve4" && peer == "pve1" && network == "storage" {
				return c.slower
			}
			return 1
		}}.run()
		for i := range run.Results {
			run.Results[i].Repeats = run.Results[i].Repeats[:1]
		}
		got := Of(run).Outliers
		if c.want != (len(got) == 1 && got[0].Host == "pve4" && got[0].Peer == "pve1") || !c.want && len(got) > 0 {
			t.Errorf("%v times slower: %+v", c.slower, got)
		}
	}
}

// A bond with a link down is reported even if no figure shows it, also under a bridge. One
// that was never cabled, on any host, is not.
func TestABondWithALinkDown(t *testing.T) {
	for _, c := range []struct {
		name      string
		carrier   string // that carried the traffic
		own, them int    // links down
		reserve   bool   // pve3 keeps a link in reserve
		unused    bool   // pve3 has a bond without cables
		want      string
	}{
		{"a bond", "bond0", 1, 0, false, false, "its bond has 1 link down"},
		{"under a bridge", "vmbr0", 1, 0, false, false, "its bond has 1 link down"},
		{"not in use", "eth1", 1, 0, false, false, ""},
		{"on all hosts", "bond0", 1, 1, false, false, ""},
		{"none", "bond0", 0, 0, false, false, ""},
		{"in reserve", "bond0", 0, 0, true, false, ""},
		{"without cables", "vmbr0", 0, 0, false, true, ""},
	} {
		run := alikeRun(func(*assay.Facts) {})
		for host, f := range run.Inventory.Facts {
			down := c.them
			if host == "pve3" {
				down = c.own
			}
			members := 2 - down
			if host == "pve3" && c.reserve {
				members = 1
			}
			f.NICs = append(f.NICs,
				assay.NICFacts{Name: "bond0", Speed: 1e10, MTU: 1500, State: "up", Virtual: true, Driver: assay.Bonding, Members: members, Down: down},
				assay.NICFacts{Name: "vmbr0", Speed: 1e10 * float64(members), MTU: 1500, State: "up", Virtual: true})
			if host == "pve3" && c.unused {
				f.NICs = append(f.NICs, assay.NICFacts{Name: "bond1", State: "down", Virtual: true, Driver: assay.Bonding, Down: 2})
			}
			run.Inventory.Facts[host] = f
		}
		for _, r := range run.Results {
			for _, rep := range r.Repeats {
				for _, m := range rep.Measurements {
					if m.Labels["interface"] == "eth1" {
						m.Labels["interface"], m.Labels["peer_interface"] = c.carrier, c.carrier
					}
				}
			}
		}
		said := ""
		for _, o := range Of(run).Outliers {
			if said += strings.Join(o.Why.Evidence, "; "); o.Host != "pve3" || o.Why.ID != "link-bond" || o.tone() != Bad {
				t.Errorf("%s: %s of %s is %s", c.name, o.Why.ID, o.Host, o.tone())
			}
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// A bond that is slow because of a link that is down is not built to be; one of which only
// one link ever sends is.
func TestASlowBond(t *testing.T) {
	for _, c := range []struct {
		name          string
		members, down int
		slow          float64
		want          string
		tone          Tone
	}{
		{"a link down", 1, 1, 2, "link-bond", Bad},
		{"a link down, the sum not divided", 0, 1, 2, "link-bond", Bad},
		{"a backup", 1, 0, 2, "link-slow", Limit},
		{"a backup, with one flow", 1, 0, 1, "", ""},
	} {
		w := world{dice: rand.New(rand.NewPCG(5, 6)), scatter: .01, hosts: .01, slow: func(host, peer, metric, _, network string) float64 { // #nosec G404 -- a simulation
			if metric == "net.tcp.throughput" && network == "storage" && (host == "pve3" || peer == "pve3") {
				return c.slow
			}
			return 1
		}}
		run := w.run()
		for host := range run.Inventory.Facts {
			bond := assay.NICFacts{Name: "bond0", Speed: 1e10, MTU: 1500, State: "up", Virtual: true, Driver: assay.Bonding, Members: 2}
			if host == "pve3" {
				bond.Members, bond.Down = c.members, c.down
			}
			run.Inventory.Facts[host] = assay.Facts{Host: host, NICs: []assay.NICFacts{bond}}
		}
		for _, r := range run.Results {
			for _, rep := range r.Repeats {
				for k := range rep.Measurements {
					rep.Measurements[k].Labels = map[string]string{"interface": "bond0", "peer_interface": "bond0"}
				}
			}
		}
		said, tone := "", Tone("")
		for _, o := range Of(run).Outliers {
			said, tone = said+o.Why.ID, o.tone()
		}
		if said != c.want || tone != c.tone {
			t.Errorf("%s: %q %s, want %q %s", c.name, said, tone, c.want, c.tone)
		}
	}
}
