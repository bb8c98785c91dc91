package blame

import "assay/incident"

var clusterNetwork = Rule{ID: "cluster-network", Title: "The cluster's own network", Check: func(c Case) []Cause {
	events := c.of(incident.ClusterNet)
	if len(events) == 0 {
		return c.membersLost()
	}
	return []Cause{{Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "the cluster network: members stopped hearing each other", Why: "Corosync lost tokens or links. Fencing and reboots follow from that.", Evidence: quote(4, events),
		Next: []Step{{"see which links are down, and give the cluster a network that storage does not fill", "corosync-cfgtool -s; ip -s link"}}, explains: append([]incident.Kind{incident.Rebooted}, overNetwork...), anywhere: true}}
}}

// membersLost are clusters that say that a member is gone, and not why.
func (c *Case) membersLost() []Cause {
	events := c.of(incident.MemberLost, incident.MemberLeft)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "the network between the members of a cluster", Evidence: quote(4, events),
		Why:      "Members stopped hearing each other, or this one is left without a majority. One that was switched off or crashed is lost in the same words; nothing in these texts says so of it.",
		Next:     []Step{{"see which links were down then, and whether the other members were up", "corosync-cfgtool -s; journalctl -u corosync --since '1 hour ago'; last -x reboot shutdown | head   (on each)"}},
		explains: append([]incident.Kind{incident.Rebooted}, overNetwork...), anywhere: true}
	if c.has(incident.MemberLost) && c.only(cause.explains) && !c.has(incident.Rebooted, incident.Booted) {
		cause.How = Likely
	}
	return []Cause{cause}
}
