package ceph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/prose"
)

// Address holds the IP addresses at which clients, and other OSDs, reach an OSD.
type Address struct {
	OSD             int
	Public, Cluster string
}

// ReadAddresses reads ceph osd dump --format json.
func ReadAddresses(text []byte) ([]Address, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, fmt.Errorf("ceph osd dump: %w", err)
	}
	var all []Address
	for _, o := range n.At("osds").List() {
		one := Address{Public: ip(o.At("public_addr").Text()), Cluster: ip(o.At("cluster_addr").Text())}
		if one.OSD, err = count(o, "osd"); err != nil {
			return nil, err
		}
		if one.Public != "" && one.Cluster != "" {
			all = append(all, one)
		}
	}
	return all, nil
}

// ip returns the host of an address such as 10.0.0.1:6801/1234 or
// [fd00::1]:6801/1234; "" for an OSD that is down.
func ip(text string) string {
	if i := strings.LastIndexByte(text, ':'); i > 0 && text[0] != ':' && text[0] != '-' {
		return text[:i]
	}
	return ""
}

// Cluster is what is known of a cluster and of the measured pool.
type Cluster struct {
	Pool      Pool
	Pools     []Pool
	Rule      Rule
	OSDs      []OSD
	Disks     map[int][]string // kernel names of the drives under each OSD, by OSD number
	Addresses []Address
}

// Thresholds for odd setups, from Ceph's own guides.
const (
	fewPGs      = 30  // per OSD, below which mon_pg_warn_min_per_osd once warned
	manyPGs     = 200 // the autoscaler aims at 100, and the old advice was 100 to 200
	unlikeSizes = 1.5 // largest weight over the smallest
)

// Odd returns how the cluster deviates from a sane setup, with the
// consequences.
func (c Cluster) Odd() []assay.Note {
	var all []assay.Note
	say := func(id, format string, args ...any) {
		all = append(all, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	if c.Pool.Profile == "" && c.Pool.Size < 3 {
		say("ceph-size", "pool %s keeps %s: if a second drive fails during a rebuild, data is lost", c.Pool.Name, copies(c.Pool.Size))
	}
	if c.Pool.Profile == "" && c.Pool.MinSize == 1 && c.Pool.Size > 1 {
		say("ceph-min-size", "pool %s takes writes with a single copy left (min_size 1): if that drive fails too, they are lost", c.Pool.Name)
	}
	if c.Rule.Domain == osdType && len(c.hosts()) > 1 {
		say("ceph-failure-domain", "rule %s spreads copies over OSDs and not over hosts: a single host can hold all copies", c.Rule.Name)
	}
	if hosts := c.hosts(); len(hosts) == 1 {
		say("ceph-failure-domain", "all OSDs of pool %s are on %s: if that host fails, all copies are gone; and no copy crosses a network", c.Pool.Name, hosts[0])
	}
	if classes := c.classes(); len(classes) > 1 && c.Rule.Name != "" {
		say("ceph-classes", "pool %s is on OSDs of the classes %s: its writes wait for the slower ones; choose one class in rule %s", c.Pool.Name, prose.And(classes), c.Rule.Name)
	}
	if least, most := c.weights(); most > unlikeSizes*least {
		say("ceph-weights", "the largest OSD of pool %s has %.1f times the weight of the smallest, and that share of the operations: it limits the others", c.Pool.Name, most/least)
	}
	if n := len(c.OSDs); n > 0 {
		groups := 0
		for _, p := range c.Pools {
			groups += p.PGs * p.Size
		}
		switch per := groups / n; {
		case per < fewPGs:
			say("ceph-pgs", "%d placement groups an OSD: data and load are spread unevenly below %d", per, fewPGs)
		case per > manyPGs:
			say("ceph-pgs", "%d placement groups an OSD: above %d they cost memory and make recovery slow", per, manyPGs)
		}
	}
	if len(c.Addresses) > 0 && c.oneNetwork() && len(c.hosts()) > 1 {
		say("ceph-networks", "OSDs copy on the network of the clients: each write crosses it once for each copy")
	}
	return all
}

func copies(n int) string {
	if n == 1 {
		return "one copy"
	}
	return prose.Number(n) + " copies"
}

// oneNetwork reports whether OSDs reach each other at their public addresses.
func (c Cluster) oneNetwork() bool {
	return !slices.ContainsFunc(c.Addresses, func(a Address) bool { return a.Public != a.Cluster })
}

// osds returns the OSDs that the pool's rule may put data on.
func (c Cluster) osds() []OSD {
	return slices.DeleteFunc(slices.Clone(c.OSDs), func(o OSD) bool { return !c.Rule.Uses(o) })
}

// hosts returns the hosts that have an OSD of the pool.
func (c Cluster) hosts() []string {
	return c.each(func(o OSD) string { return o.Host })
}

func (c Cluster) classes() []string {
	return c.each(func(o OSD) string { return o.Class })
}

func (c Cluster) each(of func(OSD) string) []string {
	var all []string
	for _, o := range c.osds() {
		if v := of(o); v != "" {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// weights returns the smallest and the largest weight of the pool's OSDs that hold data.
func (c Cluster) weights() (least, most float64) {
	for _, o := range c.osds() {
		if o.Weight <= 0 {
			continue
		}
		if least == 0 || o.Weight < least {
			least = o.Weight
		}
		most = max(most, o.Weight)
	}
	return least, most
}

// Stack returns the facts of the cluster and of the drives that the pool is on, as seen from a
// host that has any of these names.
func (c Cluster) Stack(version, health string, host ...string) *assay.StackFacts {
	s := &assay.StackFacts{Kind: "ceph", Version: version, Health: health, Nodes: len(c.hosts())}
	s.Outside = !slices.ContainsFunc(host, func(name string) bool { return slices.Contains(c.hosts(), name) })
	s.Apart = len(c.Addresses) > 0 && !c.oneNetwork()
	for _, o := range c.osds() {
		if o.Up {
			s.Drives++
			d := assay.StackDisk{Name: fmt.Sprintf("osd.%d", o.Number), Host: o.Host, Devices: c.Disks[o.Number]}
			if i := slices.IndexFunc(c.Addresses, func(a Address) bool { return a.OSD == o.Number }); i >= 0 {
				d.Copies, d.Serves = c.Addresses[i].Cluster, c.Addresses[i].Public
			}
			s.Disks = append(s.Disks, d)
		}
	}
	s.Settings = c.settings()
	if c.Pool.Profile == "" {
		s.Copies = c.Pool.Size
	}
	return s
}

// settings returns the pool's settings, named as in ceph osd pool get.
func (c Cluster) settings() map[string]string {
	p := c.Pool
	all := map[string]string{
		"size": strconv.Itoa(p.Size), "min_size": strconv.Itoa(p.MinSize), "pg_num": strconv.Itoa(p.PGs),
		"crush_rule": c.Rule.Name, "failure domain": c.Rule.Domain, "erasure_code_profile": p.Profile,
	}
	maps.Copy(all, p.Compression)
	maps.DeleteFunc(all, func(_, v string) bool { return v == "" })
	return all
}
