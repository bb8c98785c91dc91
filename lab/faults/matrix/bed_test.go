package matrix

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
)

// TestBed plants a few kinds from different layers in one lab, checks what the kernel
// and the hosts then report, and removes them all.
func TestBed(t *testing.T) {
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	if found, _ := filepath.Glob("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"); len(found) == 0 {
		t.Skip("no control groups of version 1")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	b, err := Up(ctx, filepath.Join(t.TempDir(), "bed"), kinds(t), Case{Faults: []Placed{
		{Kind: "shaped-one-way", Host: "host1", Way: In},
		{Kind: "path-loss", Host: "host1", Peer: "host4", Way: Out},
		{Kind: "cpu-quota", Host: "host2"},
		{Kind: "disk-iops", Host: "host2"},
		{Kind: "memory-one-channel", Host: "host3"},
		{Kind: "fio-other-version", Host: "host3"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	down := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		if err := b.Down(ctx); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(down)
	for _, c := range []struct{ in, command, has string }{
		{"-switch", "tc qdisc show dev p1-1", "rate 200Mbit"},
		{"host1", "tc qdisc show dev eth1", "rate 2456Mbit"},
		{"host4", "nft list ruleset", "ip saddr " + b.Lab.Address("host1", hosts.Storage) + " numgen random mod 1000 < 30 drop"},
		{"host2", "cat /sys/fs/cgroup/cpu$(sed -n s/.*:cpu://p /proc/1/cgroup)/cpu.cfs_quota_us", "15000"},
		{"host2", "grep -c . /sys/fs/cgroup/blkio/blkio.throttle.read_iops_device; grep ' 300$' /sys/fs/cgroup/blkio/blkio.throttle.write_iops_device", " 300"},
		{"host2", "dmidecode -t 17 | grep -c 'CHANNEL B'", "2"},
		{"host3", "dmidecode -t 17 | grep -c 'CHANNEL A'", "4"},
		{"host3", "fio --version", "fio-3.19"},
		{"host4", "cat /sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance"},
	} {
		out, err := b.Lab.Run(ctx, c.in, "sh", "-c", c.command)
		if err != nil || !strings.Contains(out, c.has) {
			t.Errorf("%s: %s: %q, %v; want %q", c.in, c.command, out, err, c.has)
		}
	}
	down()
	if left, _ := filepath.Glob("/sys/fs/cgroup/*/" + b.group("*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
