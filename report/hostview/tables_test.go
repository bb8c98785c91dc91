package hostview

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

func answer(name, kernel string) survey.Answer {
	return survey.Answer{
		Host: cluster.Host{Name: name, Address: name},
		Facts: assay.Facts{
			OS:     assay.OSFacts{Kernel: kernel},
			CPU:    assay.CPUFacts{Model: "i5-8500T", Threads: 6, Governor: "performance"},
			Memory: assay.MemoryFacts{Total: 32 << 30},
			Block:  []assay.BlockDevice{{Name: "sda", Kind: "disk", Bytes: 1 << 40, Model: "870 EVO", Bus: assay.BusSATA}, {Name: "sda1", Kind: "part", Bytes: 1}},
			NICs:   []assay.NICFacts{{Name: "eno1", State: "up", Speed: 1e9, MTU: 1500}, {Name: "vmbr0", Virtual: true, MTU: 1500}, {Name: "tap1", Virtual: true}},
		},
		Addresses: []survey.Address{{NIC: "vmbr0", Prefix: netip.MustParsePrefix("10.0.0.1/24")}},
	}
}

func TestTables(t *testing.T) {
	down := survey.Answer{Host: cluster.Host{Name: "pve3", Address: "10.0.0.3"}, Err: assay.WithHint("start sshd", "host pve3: connection refused")}
	yes, first := true, answer("pve1", "6.8")
	first.Facts.Dirs = []assay.DirFacts{{Path: "/srv", FileSystem: "ext4", Bytes: 1 << 40, Free: 1 << 38, Inodes: 1000, FreeInodes: 990}, {Path: "/new"}}
	first.Facts.Clock, first.Facts.Synchronised = &assay.ClockFacts{Offset: -1.2345, Within: .0021}, &yes
	first.Facts.Limits = &assay.LimitFacts{CPU: .5}
	v := Build(cluster.Cluster{}, []survey.Answer{first, answer("pve2", ""), down})
	var got []string
	for _, table := range v.Tables() {
		got = append(got, strings.Join(table.Header, " | "))
		for _, r := range table.Rows {
			if len(r) != len(table.Header) {
				t.Errorf("%q under %q", r, table.Header)
			}
			got = append(got, strings.Join(r, " | "))
		}
	}
	want := []string{
		"host | CPU | RAM | governor | kernel",
		"pve1 | 6 × i5-8500T | 32.0 GiB | performance | 6.8",
		"pve2 | 6 × i5-8500T | 32.0 GiB | performance | unknown",
		"pve3 | failed: connection refused |  |  | ",
		"host | machine | BIOS | system",
		"pve1 | unknown | unknown | unknown",
		"pve2 | unknown | unknown | unknown",
		"host | drive | model | size | bus | firmware",
		"pve1 | sda | 870 EVO | 1.00 TiB | sata | unknown",
		"pve2 | sda | 870 EVO | 1.00 TiB | sata | unknown",
		"host | directory | file system | size | free | inodes free",
		"pve1 | /srv | ext4 | 1.00 TiB | 256 GiB (25 %) | 99 %",
		"pve1 | /new | unknown | unknown | unknown | unknown",
		"host | interface | state | speed | MTU | addresses",
		"pve1 | eno1 | up | 1.00 Gbit/s | 1500 | ",
		"pve1 | vmbr0 | unknown | unknown | 1500 | 10.0.0.1/24",
		"pve2 | eno1 | up | 1.00 Gbit/s | 1500 | ",
		"pve2 | vmbr0 | unknown | unknown | 1500 | 10.0.0.1/24",
		"host | clock offset | synchronised | CPU quota | memory limit | I/O limit",
		"pve1 | -1.234 s ± 0.002 s | yes | 50 % of one CPU | none | none",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if v.Answered() != 2 || v.Hosts[2].Hint != "start sshd" || len(v.DifferenceTable().Rows) != 0 {
		t.Errorf("%+v", v)
	}
}

func TestDifferenceTable(t *testing.T) {
	all := []survey.Answer{answer("a", "6.8"), answer("b", "6.8"), answer("c", "6.5"), answer("d", "")}
	all[0].Facts.CPU.Governor, all[1].Facts.CPU.Governor = "powersave", "powersave"
	c := cluster.Cluster{Networks: []cluster.Network{{Name: "lan", MTU: 9000, Hosts: []cluster.End{{Host: "a", Address: netip.MustParseAddr("10.0.0.1")}}}}}
	want := [][]string{
		{"kernel", "6.8 (2 hosts)", "c: 6.5; d: unknown"},
		{"governor", "none", "a, b: powersave; c, d: performance"},
		{"MTU on lan", "9000 (declared)", "a: 1500"},
		{"address 10.0.0.1 on lan", "none", "b: has the address of a on vmbr0; c: has the address of a on vmbr0; d: has the address of a on vmbr0"},
	}
	if d := cmp.Diff(want, Build(c, all).DifferenceTable().Rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// JSON has empty lists, not null, for programs that count.
func TestNothing(t *testing.T) {
	v := Build(cluster.Cluster{}, nil)
	if v.Hosts == nil || v.Differences == nil || v.Tables() != nil {
		t.Errorf("%+v", v)
	}
	v = Build(cluster.Cluster{}, []survey.Answer{{Err: errors.New("no")}})
	if v.Answered() != 0 || v.Hosts[0].Facts != nil {
		t.Errorf("%+v", v)
	}
}
