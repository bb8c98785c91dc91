package alerts

import (
	"slices"
	"strings"

	"assay"
	"assay/inventory/cluster"
)

// Rule is one alert.
type Rule struct {
	Exporter string // where its metrics come from
	Alert    string
	Expr     string
	For      string // how long it must hold
	Severity string // critical: data or service is at stake now; warning: look today
	Summary  string // may use {{ $labels.NAME }} but no other Prometheus templates
	Reason   string // why this threshold
	Next     string // the command to run next
	// Fires are series on which it fires, with these labels; Quiet are series on which it
	// does not.
	Fires  []Series
	Labels map[string]string
	Quiet  []Series
}

// Series is a time series of a unit test, with one sample per minute.
type Series struct {
	Series string
	Values string // in promtool's notation: 0+60x60
}

// Cluster describes the cluster that the rules are for.
type Cluster struct {
	Hosts      []Host
	Ceph       bool
	Longhorn   bool
	DRBD       bool
	Kubernetes bool
	Run        *assay.Run // the baseline, or nil
}

// Host is a machine and its known facts.
type Host struct {
	Name, Address string
	Facts         *assay.Facts // nil: not in any run
}

// Of returns the known properties of a cluster. run may be nil.
func Of(c cluster.Cluster, run *assay.Run) Cluster {
	k := Cluster{Kubernetes: c.Kubernetes != nil, Run: run}
	for _, h := range c.Hosts {
		k.Hosts = append(k.Hosts, Host{Name: h.Name, Address: h.Address})
	}
	for _, t := range c.Tiers {
		k.learn(t.Kind.Word)
	}
	if run == nil {
		return k
	}
	for name, f := range run.Inventory.Facts {
		i := slices.IndexFunc(k.Hosts, func(h Host) bool { return h.Name == name })
		if i >= 0 {
			k.Hosts[i].Facts = &f
		}
		if f.Stack != nil {
			k.learn(f.Stack.Kind)
		}
		if f.Claim != nil {
			k.learn(f.Claim.Driver + " " + f.Claim.Provisioner)
		}
		for _, b := range f.Block {
			if strings.HasPrefix(b.Name, "drbd") {
				k.DRBD = true
			}
		}
	}
	return k
}

// learn notes what the name of a kind of storage, a stack or a driver implies.
func (c *Cluster) learn(word string) {
	for needle, has := range map[string]*bool{
		"ceph": &c.Ceph, "rbd": &c.Ceph, "rados": &c.Ceph, "longhorn": &c.Longhorn, "drbd": &c.DRBD, "linstor": &c.DRBD,
	} {
		if strings.Contains(word, needle) && (needle != "rbd" || !strings.Contains(word, "drbd")) {
			*has = true
		}
	}
}

// Rules returns the rules for a cluster, grouped by exporter.
func (c Cluster) Rules() (all []Rule) {
	for _, of := range []func() []Rule{c.node, c.raid, c.smartctl, c.ceph, c.longhorn, c.drbd, c.kubernetes, c.watch} {
		all = append(all, of()...)
	}
	return all
}

// any reports whether is holds for a host with known facts.
func (c Cluster) any(is func(assay.Facts) bool) bool {
	return slices.ContainsFunc(c.Hosts, func(h Host) bool { return h.Facts != nil && is(*h.Facts) })
}

// constant returns a series that does not change; rising one that grows by that
// much per minute.
func constant(series, value string) Series { return Series{series, value + "+0x60"} }
func rising(series, by string) Series      { return Series{series, "0+" + by + "x60"} }
