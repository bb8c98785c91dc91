package blame

import (
	"strings"

	"assay/incident"
)

// rbdClient finds Ceph clients that lost their cluster.
var rbdClient = Rule{ID: "rbd-client", Title: "A client of Ceph lost its cluster", Check: func(c Case) []Cause {
	var rbd []incident.Event
	for _, e := range c.of(incident.IOError) {
		if strings.HasPrefix(e.Device, "rbd") {
			rbd = append(rbd, e)
		}
	}
	events := append(rbd, c.of(incident.RBDBlocked, incident.CephSocket)...)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Engine, Host: events[0].Host, Device: only(devices(rbd)), How: Possible, Says: "Ceph, or the way to it, not a drive of this machine", Why: "The disk is an image in Ceph: its errors come from the cluster, the network or this client's lock.", Evidence: quote(4, events),
		Next: []Step{{"check the cluster's health", "ceph health detail"}, {"see who holds the image, and whether this client is blocklisted", "rbd status POOL/IMAGE; ceph osd blocklist ls"}}, explains: with(consequences, incident.RBDBlocked, incident.CephSocket)}
	switch {
	case c.has(incident.RBDBlocked):
		cause.How, cause.Says = VeryLikely, "Ceph blocklisted this client: another host took its image"
	case len(rbd) > 0:
		cause.How = VeryLikely
	default:
		network := cause
		network.Layer, network.Says, network.Why = incident.Network, "the network between this client and the OSDs", "Connections to OSDs close when packets are lost or a firewall or MTU is in the way, and when the OSDs restart."
		network.Next = []Step{{"check whether every OSD can be reached from here, with large packets too", "ceph osd dump | grep ^osd; ping -M do -s 8972 OSD_HOST"}}
		return []Cause{cause, network}
	}
	return []Cause{cause}
}}
