package differences

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/limits"
)

// alike returns n identical hosts, named from pve1.
func alike(n int) []survey.Answer {
	yes, no := true, false
	var all []survey.Answer
	for i := range n {
		name := fmt.Sprintf("pve%d", i+1)
		all = append(all, survey.Answer{
			Host: cluster.Host{Name: name},
			Facts: assay.Facts{
				Host: name,
				OS:   assay.OSFacts{Kernel: "6.8.12-4-pve", Distribution: "Debian 12", Machine: "Dell R640", BIOS: "Dell 2.19"},
				CPU: assay.CPUFacts{
					Model: "Xeon 6130", Threads: 32, Governor: "performance", Driver: "intel_pstate", Turbo: &yes, Virtual: &no,
					Mitigations: map[string]string{"meltdown": "Mitigation: PTI", "srbds": "Not affected"},
				},
				// What the kernel leaves differs between machines.
				Memory: assay.MemoryFacts{Total: 67_300_000_000 - int64(i)*50_000_000},
				Block: []assay.BlockDevice{
					{Name: "nvme0n1", Kind: "disk", Bytes: 960_197_124_096 + int64(i)*512, Model: "PM983", Firmware: "EDA5", WriteCache: "write through", Link: limits.PCIe(8, 4)},
					{Name: "nvme0n1p1", Kind: "part", Bytes: 1 << 30},
				},
				NICs:  []assay.NICFacts{{Name: "eno1", Speed: 1e10, MTU: 9000}, {Name: "eno2", MTU: 1500 + i}},
				Tools: []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "3.33"}, {Name: "iperf3"}},
			},
			Addresses: []survey.Address{{NIC: "eno1", Prefix: netip.MustParsePrefix(fmt.Sprintf("10.0.1.%d/24", i+1))}},
		})
	}
	return all
}

func storage(n int) []cluster.Network {
	network := cluster.Network{Name: "storage", Kind: cluster.Switch}
	for i := range n {
		network.Hosts = append(network.Hosts, cluster.End{Host: fmt.Sprintf("pve%d", i+1), Address: netip.MustParseAddr(fmt.Sprintf("10.0.1.%d", i+1))})
	}
	return []cluster.Network{network}
}

// line formats a difference on one line.
func line(d Difference) string {
	var values []string
	for _, v := range d.Values {
		values = append(values, v.Text+" on "+strings.Join(v.Hosts, " "))
	}
	text := d.What
	if d.Among != "" {
		text += " of " + d.Among
	}
	text += ": " + strings.Join(values, "; ")
	if len(d.Odd) > 0 {
		text += " -> " + strings.Join(d.Odd, " ")
	}
	if d.Declared {
		text += ", declared " + d.Usual
	}
	if len(d.Silent) > 0 {
		text += ", silent " + strings.Join(d.Silent, " ")
	}
	return text
}

func TestFind(t *testing.T) {
	off, yes := false, true
	for name, c := range map[string]struct {
		change func(all []survey.Answer, storage *cluster.Network)
		want   []string
	}{
		"nothing": {func([]survey.Answer, *cluster.Network) {}, nil},
		"an old kernel": {
			func(all []survey.Answer, _ *cluster.Network) { all[3].Facts.OS.Kernel = "6.5.13-1-pve" },
			[]string{"kernel: 6.8.12-4-pve on pve1 pve2 pve3; 6.5.13-1-pve on pve4 -> pve4"},
		},
		"two and two have no odd one": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[0].Facts.CPU.Governor = "powersave"
				all[1].Facts.CPU.Governor = "powersave"
			},
			[]string{"governor of intel_pstate: powersave on pve1 pve2; performance on pve3 pve4"},
		},
		"a majority of those that say it": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[0].Facts.OS.Kernel = ""
				all[1].Facts.OS.Kernel = "6.1"
			},
			[]string{"kernel: 6.8.12-4-pve on pve3 pve4; 6.1 on pve2 -> pve2, silent pve1"},
		},
		"what only some say is no difference": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[0].Facts.OS.BIOS, all[1].Facts.CPU.Turbo, all[2].Addresses = "", nil, nil
				all[3].Facts.Memory.Channels = 6
			},
			nil,
		},
		"a host that did not answer": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[2] = survey.Answer{Host: all[2].Host, Err: errors.New("connection refused")}
			},
			nil,
		},
		"another machine has its own BIOS and its own mitigations": {
			func(all []survey.Answer, _ *cluster.Network) {
				f := &all[3].Facts
				f.OS.Machine, f.OS.BIOS, f.CPU.Model, f.CPU.Threads = "Lenovo M920q", "Lenovo M1U", "i5-8500T", 6
			},
			[]string{
				"machine: Dell R640 on pve1 pve2 pve3; Lenovo M920q on pve4 -> pve4",
				"CPU: Xeon 6130 on pve1 pve2 pve3; i5-8500T on pve4 -> pve4",
			},
		},
		"a BIOS among the same machines": {
			func(all []survey.Answer, _ *cluster.Network) { all[1].Facts.OS.BIOS = "Dell 2.10" },
			[]string{"BIOS of Dell R640: Dell 2.19 on pve1 pve3 pve4; Dell 2.10 on pve2 -> pve2"},
		},
		"threads and turbo, switched off": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[0].Facts.CPU.Threads = 16
				all[0].Facts.CPU.Turbo = &off
			},
			[]string{
				"CPU threads of Xeon 6130: 32 on pve2 pve3 pve4; 16 on pve1 -> pve1",
				"turbo of Xeon 6130: on on pve2 pve3 pve4; off on pve1 -> pve1",
			},
		},
		"a module that is not seen": {
			func(all []survey.Answer, _ *cluster.Network) { all[2].Facts.Memory.Total = 33_500_000_000 },
			[]string{"RAM: 64 GiB on pve1 pve2 pve4; 32 GiB on pve3 -> pve3"},
		},
		"slow modules": {
			func(all []survey.Answer, _ *cluster.Network) {
				for i := range all {
					all[i].Facts.Memory.DIMMs = []assay.DIMM{{Bytes: 32 << 30, MTs: 2666}, {Bytes: 32 << 30, MTs: 2666}}
				}
				all[3].Facts.Memory.DIMMs[1].MTs = 2400
			},
			[]string{"memory speed: 2666 MT/s on pve1 pve2 pve3; 2400 MT/s on pve4 -> pve4"},
		},
		"mitigations": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[1].Facts.CPU.Mitigations = map[string]string{"meltdown": "Vulnerable"}
				all[2].Facts.CPU.Mitigations = map[string]string{"meltdown": "Not affected"}
			},
			[]string{"mitigation of meltdown: Mitigation: PTI on pve1 pve4; Vulnerable on pve2 -> pve2"},
		},
		"firmware, link and cache of a drive": {
			func(all []survey.Answer, _ *cluster.Network) {
				b := &all[0].Facts.Block[0]
				b.Firmware, b.WriteCache, b.Link = "EDA1", "write back", limits.PCIe(8, 2)
			},
			[]string{
				"firmware of PM983: EDA5 on pve2 pve3 pve4; EDA1 on pve1 -> pve1",
				"link of PM983: pcie Gen3 x4 on pve2 pve3 pve4; pcie Gen3 x2 on pve1 -> pve1",
				"write cache of PM983: write through on pve2 pve3 pve4; write back on pve1 -> pve1",
			},
		},
		"another drive has no firmware to compare": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[0].Facts.Block[0].Model, all[0].Facts.Block[0].Firmware = "870 EVO", "SVT02"
			},
			[]string{"drives: 1 × PM983 (960 GB) on pve2 pve3 pve4; 1 × 870 EVO (960 GB) on pve1 -> pve1"},
		},
		"MTU and speed by network, not by name": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[3].Facts.NICs = []assay.NICFacts{{Name: "enp3s0", Speed: 1e9, MTU: 1500}}
				all[3].Addresses[0].NIC = "enp3s0"
			},
			[]string{"MTU on storage: 9000 on pve1 pve2 pve3; 1500 on pve4 -> pve4", "speed on storage: 10G on pve1 pve2 pve3; 1G on pve4 -> pve4"},
		},
		"a bridge is as fast as its fastest guest's port": {
			func(all []survey.Answer, n *cluster.Network) {
				n.Rate = 1e9
				for i := range all {
					all[i].Facts.NICs[0].Virtual = true
				}
				all[2].Facts.NICs[0].Speed = 1e9 // without guests
			},
			nil,
		},
		"all as one another, none as declared": {
			func(_ []survey.Answer, n *cluster.Network) { n.MTU, n.Rate = 1500, 25e9 },
			[]string{
				"MTU on storage: 9000 on pve1 pve2 pve3 pve4 -> pve1 pve2 pve3 pve4, declared 1500",
				"speed on storage: 10G on pve1 pve2 pve3 pve4 -> pve1 pve2 pve3 pve4, declared 25G",
			},
		},
		"the majority is not as declared": {
			func(all []survey.Answer, n *cluster.Network) {
				n.MTU = 1500
				all[2].Facts.NICs[0].MTU = 1500
			},
			[]string{"MTU on storage: 9000 on pve1 pve2 pve4; 1500 on pve3 -> pve1 pve2 pve4, declared 1500"},
		},
		"a routed ring has an address on two interfaces": {
			func(all []survey.Answer, _ *cluster.Network) {
				for i := range all {
					all[i].Addresses = append([]survey.Address{{NIC: "ring", Prefix: all[i].Addresses[0].Prefix}}, all[i].Addresses...)
					all[i].Facts.NICs = append(all[i].Facts.NICs, assay.NICFacts{Name: "ring", Speed: 1e10, MTU: 9000})
				}
				all[0].Facts.NICs[2].Speed = 1e9 // towards pve2, both of whose links are slow
				all[1].Facts.NICs[0].Speed, all[1].Facts.NICs[2].Speed = 1e9, 1e9
				all[3].Facts.NICs[2].MTU = 1500
			},
			[]string{
				"MTU on storage: 9000 on pve1 pve2 pve3; 1500 and 9000 on pve4 -> pve4",
				"speed on storage: 10G on pve1 pve3 pve4; 1G on pve2 -> pve2",
			},
		},
		"an address that the host does not have": {
			func(_ []survey.Answer, n *cluster.Network) { n.Hosts[1].Address = netip.MustParseAddr("10.0.1.99") },
			[]string{"address on storage: on an interface on pve1 pve3 pve4; on no interface on pve2 -> pve2, declared on an interface"},
		},
		"a host that is not on the network": {
			func(all []survey.Answer, n *cluster.Network) {
				n.Hosts = n.Hosts[:3]
				all[3].Facts.NICs[0].MTU = 1500
			},
			nil,
		},
		"versions of tools, where they are": {
			func(all []survey.Answer, _ *cluster.Network) {
				all[1].Facts.Tools = []assay.ToolFacts{{Name: "fio", Path: "/opt/fio", Version: "3.1"}, {Name: "iperf3", Path: "/x", Version: "3.12"}}
				all[2].Facts.Tools = nil
			},
			[]string{"version of fio: 3.33 on pve1 pve4; 3.1 on pve2 -> pve2"},
		},
		"a virtual machine among bare metal": {
			func(all []survey.Answer, _ *cluster.Network) { all[0].Facts.CPU.Virtual = &yes },
			[]string{"virtualisation: bare metal on pve2 pve3 pve4; a virtual machine on pve1 -> pve1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			hosts, networks := alike(4), storage(4)
			c.change(hosts, &networks[0])
			var got []string
			for _, d := range Find(networks, hosts) {
				got = append(got, line(d))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestOneHostOrNoneDiffersFromNothing(t *testing.T) {
	for n := range 2 {
		if got := Find(nil, alike(n)); got != nil {
			t.Errorf("%d hosts: %v", n, got)
		}
	}
}
