package blame

import "assay/incident"

var clusterNetwork = Rule{ID: "cluster-network", Title: "The cluster's own network", Check: func(c Case) []Cause {
	events := c.of(incident.ClusterNet)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "the cluster network: members stopped hearing each other", Why: "Corosync lost tokens or links. Fencing and reboots follow from that.", Evidence: quote(4, events),
		Next: []Step{{"see which links are down, and give the cluster a network that storage does not fill", "corosync-cfgtool -s; ip -s link"}}, explains: append([]incident.Kind{incident.Rebooted}, overNetwork...), anywhere: true}}
}}
