package report

import (
	"fmt"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// mostLinks is the most hosts that a sentence on networks names.
const mostLinks = 4

// misfitWords says which networks do not suit the replicated storage above them, and whether
// writes wait for that.
func misfitWords(m analysis.NetworkMisfit) string {
	var hosts []string
	for _, l := range m.Links {
		hosts = append(hosts, linkWords(m.Misfit, l))
	}
	on := prose.Enumerate(hosts, mostLinks)
	switch m.Misfit {
	case analysis.UnlikeMTU:
		return fmt.Sprintf("The MTU on Ceph's %s network differs (%s): large packets to a host with the smaller one are dropped, and OSDs flap or hang. Set the same on all hosts and the switch.", m.Network, on)
	case analysis.ReplicasSlower:
		return fmt.Sprintf("Replicas of %s are written over network %s, while all of their hosts are also on %s, which is faster. A write waits for its replicas: give them their addresses there.", m.Storage, betweenWords(m.Used), betweenWords(m.Better))
	case analysis.CopiesSlower:
		return fmt.Sprintf("Ceph's cluster network has a slower link than the public one: %s. A write waits for its copies%s; give them the faster link.", on, reached(m))
	}
	return fmt.Sprintf("Ceph's copies share the clients' link while a faster one is idle: %s. A write waits for its copies%s; set cluster_network to the faster link's network, or move Ceph there.", on, reached(m))
}

// slowOSDWords names an OSD that holds up writes, with its drive if known.
func slowOSDWords(o analysis.SlowOSD) string {
	name := o.Name
	if o.Host != "" {
		name += " on " + o.Host
	}
	if len(o.Devices) > 0 {
		name += " (" + strings.Join(o.Devices, ", ") + ")"
	}
	return fmt.Sprintf("%s takes %s to commit a write, the other OSDs %s (ceph osd perf, in %d of %d looks). A write waits for its slowest copy: check that drive.",
		name, quantity.Time(o.Commit), quantity.Time(o.Others), o.Stood, o.Looks)
}

func betweenWords(w analysis.NetworkWay) string {
	var facts []string
	if w.Rate > 0 {
		facts = append(facts, quantity.Rate(w.Rate))
	}
	if w.RTT > 0 {
		facts = append(facts, "round trip "+quantity.Time(w.RTT))
	}
	if w.MTU > 0 {
		facts = append(facts, fmt.Sprintf("MTU %d", w.MTU))
	}
	if len(facts) == 0 {
		return w.Name
	}
	return w.Name + " (" + strings.Join(facts, ", ") + ")"
}

func linkWords(how analysis.Misfit, l analysis.MisfitLink) string {
	switch how {
	case analysis.UnlikeMTU:
		return fmt.Sprintf("%d on %s's %s", l.NIC.MTU, l.Host, l.NIC.Name)
	case analysis.CopiesSlower:
		return fmt.Sprintf("%s (%s has %s, %s has %s)", l.Host, l.NIC.Name, quantity.Rate(l.NIC.Rate()), l.Other.Name, quantity.Rate(l.Other.Rate()))
	}
	return fmt.Sprintf("%s (both on %s with %s; %s has %s)", l.Host, l.NIC.Name, quantity.Rate(l.NIC.Rate()), l.Other.Name, quantity.Rate(l.Other.Rate()))
}

// reached says how close writes came to what the networks allow, or "" if unknown.
func reached(m analysis.NetworkMisfit) string {
	if m.Limit == nil {
		return ""
	}
	said := fmt.Sprintf(", and writes reached %.0f %% of what these links allow (%s)", 100*m.Share, quantity.Amount(m.Limit.Value, assay.BytesPerSecond))
	if m.Binds() {
		return said + ": that limits them"
	}
	return said + ", so that is not the limit yet"
}
