package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

var clusterNetwork = Rule{ID: "cluster-network", Title: "The cluster's own network", Check: func(c Case) []Cause {
	events := c.of(incident.ClusterNet)
	if len(events) == 0 {
		return c.membersLost()
	}
	return []Cause{{Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "the cluster network: members stopped hearing each other", Why: "Corosync lost tokens or links. Fencing and reboots follow from that.", Evidence: quote(4, events),
		Next: []Step{{"check which links are down, and give the cluster a network that storage does not fill", "corosync-cfgtool -s; ip -s link"}}, explains: append([]incident.Kind{incident.Rebooted}, overNetwork...), anywhere: true}}
}}

// membersLost finds clusters that report a member gone without saying why.
func (c *Case) membersLost() []Cause {
	events := c.of(incident.MemberLost, incident.MemberLeft)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "the network between the members of a cluster", Evidence: quote(4, events),
		Why:      "Members stopped hearing each other, or this one is left without a majority. A member that was switched off or crashed is reported the same way, but nothing in these texts shows that.",
		Next:     []Step{{"check which links were down then, and whether the other members were up", "corosync-cfgtool -s; journalctl -u corosync --since '1 hour ago'; last -x reboot shutdown | head   (on each)"}},
		explains: append([]incident.Kind{incident.Rebooted}, overNetwork...), anywhere: true}
	if c.has(incident.MemberLost) && c.only(cause.explains) && !c.has(incident.Rebooted, incident.Booted) {
		cause.How = Likely
	}
	if !slices.ContainsFunc(events, func(e incident.Event) bool { return !ownWatchdog(e) }) {
		act := cause
		cause.How, act.How = Possible, Possible
		act.Layer, act.Says = incident.Operator, "this node, which was cut off or stopped by a command, a firewall rule or a test"
		act.Why = "The node's watchdog or agent gave up because quorum was lost. It logs the same when somebody blocks the cluster's ports or stops its services."
		act.Next = []Step{{"check what was done on the node just before, and whether its firewall lets the cluster's ports pass", "journalctl _COMM=sudo --since '1 hour ago'; iptables-save | grep -E '54(0[4-9]|1[0-2])'; pve-firewall status"}}
		return []Cause{cause, act}
	}
	return []Cause{cause}
}

// ownWatchdog reports whether a line says only that this node's watchdog or agent lost the
// majority, and nothing about the others or the links to them.
func ownWatchdog(e incident.Event) bool {
	return strings.Contains(e.Text, "client watchdog expired") || strings.Contains(e.Text, "lost_agent_lock") || strings.Contains(e.Text, "=> wait_for_quorum")
}
