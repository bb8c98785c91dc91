package ceph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/captured"
	"assay/stacks/ceph"
)

// sane is the cluster of lab/ceph with the right number of placement groups.
func sane(t *testing.T) ceph.Cluster {
	t.Helper()
	var c ceph.Cluster
	var err error
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	c.OSDs, err = ceph.ReadTree(captured.Bytes(t, "pacific-osd-tree.json"))
	must(err)
	c.Addresses, err = ceph.ReadAddresses(captured.Bytes(t, "pacific-osd-dump.json"))
	must(err)
	c.Pools, err = ceph.ReadPools(captured.Bytes(t, "pacific-osd-pool-ls-detail.json"))
	must(err)
	rules, err := ceph.ReadRules(captured.Bytes(t, "pacific-osd-crush-rule-dump.json"))
	must(err)
	c.Pool, c.Rule = c.Pools[1], rules[0]
	return c
}

func TestASaneClusterIsNotOdd(t *testing.T) {
	c := sane(t)
	if notes := c.Odd(); len(notes) > 0 {
		t.Errorf("%+v", notes)
	}
	if len(c.Addresses) != 3 || c.Addresses[0].Public == c.Addresses[0].Cluster {
		t.Errorf("%+v", c.Addresses)
	}
	version, err := ceph.ReadVersion(captured.Bytes(t, "pacific-version.json"))
	s := c.Stack(version, "HEALTH_OK", "host2")
	if err != nil || s.Kind != "ceph" || s.Version != "16.2.15" || s.Nodes != 3 || s.Drives != 3 || s.Copies != 3 || s.Outside {
		t.Errorf("%+v, %v", s, err)
	}
	if !c.Stack(version, "HEALTH_OK", "laptop", "host2.example").Outside {
		t.Error("a host without an OSD is not on the nodes")
	}
	c.Pool.Profile = "k2m1"
	if c.Stack(version, "", "host2").Copies != 0 {
		t.Error("erasure coding keeps no copies")
	}
	if notes := (ceph.Cluster{}).Odd(); len(notes) > 1 {
		t.Errorf("of nothing it says %+v", notes)
	}
}

// On a cluster of large spinning disks and small SSDs, a pool with a rule for one class is
// on its drives alone.
func TestAPoolIsOnTheDrivesOfItsClass(t *testing.T) {
	c := sane(t)
	c.OSDs = slices.Clone(c.OSDs)
	for _, o := range c.OSDs {
		o.Number, o.Class, o.Weight, o.Host = o.Number+3, "hdd", 16*o.Weight, "store"+o.Host
		c.OSDs = append(c.OSDs, o)
	}
	for i := range c.Pools {
		c.Pools[i].PGs *= 2
	}
	c.Disks = map[int][]string{0: {"nvme0n1"}, 3: {"sda"}}
	c.Rule.Takes = []string{"default~ssd"}
	if notes := c.Odd(); len(notes) > 0 {
		t.Errorf("%+v", notes)
	}
	s := c.Stack("18.2.4", "HEALTH_OK", "storehost1")
	if s.Drives != 3 || s.Nodes != 3 || !s.Outside || len(s.Disks) != 3 || !slices.Equal(s.Disks[0].Devices, []string{"nvme0n1"}) {
		t.Errorf("%+v", s)
	}
	c.Rule.Takes = []string{"default"}
	notes := c.Odd()
	if len(notes) != 2 || notes[0].ID != "ceph-classes" || notes[1].ID != "ceph-weights" || c.Stack("", "").Drives != 6 {
		t.Errorf("both classes: %+v", notes)
	}
}

func TestWhatIsOdd(t *testing.T) {
	for id, c := range map[string]struct {
		change func(*ceph.Cluster)
		says   string
	}{
		"ceph-size":           {func(c *ceph.Cluster) { c.Pool.Size = 2 }, "pool vms keeps two copies"},
		"ceph-min-size":       {func(c *ceph.Cluster) { c.Pool.MinSize = 1 }, "min_size 1"},
		"ceph-failure-domain": {func(c *ceph.Cluster) { c.Rule.Domain = "osd" }, "a single host can hold all copies"},
		"ceph-classes":        {func(c *ceph.Cluster) { c.OSDs[1].Class = "hdd" }, "hdd and ssd"},
		"ceph-weights":        {func(c *ceph.Cluster) { c.OSDs[1].Weight *= 4 }, "4.0 times"},
		"ceph-pgs":            {func(c *ceph.Cluster) { c.Pools[1].PGs = 8 }, "9 placement groups an OSD"},
		"ceph-networks": {func(c *ceph.Cluster) {
			for i := range c.Addresses {
				c.Addresses[i].Cluster = c.Addresses[i].Public
			}
		}, "on the network of the clients"},
	} {
		cluster := sane(t)
		cluster.OSDs, cluster.Pools, cluster.Addresses = slices.Clone(cluster.OSDs), slices.Clone(cluster.Pools), slices.Clone(cluster.Addresses)
		c.change(&cluster)
		if notes := cluster.Odd(); len(notes) != 1 || notes[0].ID != id || !strings.Contains(notes[0].Text, c.says) {
			t.Errorf("%s: %s", id, fmt.Sprint(notes))
		}
	}
	one := sane(t)
	for i := range one.OSDs {
		one.OSDs[i].Host = "host1"
	}
	if notes := one.Odd(); len(notes) != 1 || !strings.Contains(notes[0].Text, "all OSDs of pool vms are on host1") {
		t.Errorf("%+v", notes)
	}
	many := sane(t)
	many.Pools[1].PGs = 512
	if notes := many.Odd(); len(notes) != 1 || !strings.Contains(notes[0].Text, "make recovery slow") {
		t.Errorf("%+v", notes)
	}
}
