package blame

import "assay/incident"

// replicaSet finds volumes of Gluster and stores like MinIO that lost too many copies.
var replicaSet = Rule{ID: "replica-set", Title: "A distributed store lost its copies", Check: func(c Case) []Cause {
	if split := c.of(incident.ReplicaSplit); len(split) > 0 {
		return []Cause{{Layer: incident.Engine, Host: split[0].Host, How: VeryLikely, Says: "a distributed store whose copies differ (split brain)", Why: "Copies were written while they were apart, and the store does not choose one.", Evidence: quote(4, split),
			Next: []Step{{"check which files they are, and choose the copy to keep", "gluster volume heal VOLUME info split-brain"}}, explains: with(consequences, incident.ReplicaSplit, incident.GlusterDown, incident.QuorumLost), anywhere: true}}
	}
	events := c.of(incident.GlusterDown, incident.QuorumLost)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.GlusterDown, incident.QuorumLost), anywhere: true}
	store, network := base, base
	store.Layer, store.Says, store.Why = incident.Engine, "the processes that serve the copies, or their hosts", "Fewer copies answer than the store needs."
	store.Next = []Step{{"check which are up", "gluster volume status; gluster peer status   (mc admin info ALIAS)"}}
	network.Layer, network.Says, network.Why = incident.Network, "the network to them", "Copies that can't be reached look the same."
	network.Next = []Step{{"check whether their hosts answer", "ping -c 3 HOST; ss -tn state syn-sent"}}
	return []Cause{store, network}
}}
