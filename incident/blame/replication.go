package blame

import (
	"strings"

	"assay/incident"
)

var drbd = Rule{ID: "drbd", Title: "DRBD lost its peer, its disk or its agreement", Check: func(c Case) []Cause {
	split, alone, lost, disk := c.of(incident.DRBDSplit), c.of(incident.DRBDAlone), c.of(incident.DRBDNet, incident.DRBDQuorum), c.of(incident.DRBDDisk)
	all := with(consequences, incident.DRBDNet, incident.DRBDAlone, incident.DRBDSplit, incident.DRBDQuorum)
	var found []Cause
	status := Step{"see roles, connections and disk states", "drbdadm status"}
	if len(split) > 0 || len(alone) > 0 && len(lost) == 0 {
		events := append(split, alone...)
		found = append(found, Cause{Layer: incident.Engine, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "DRBD: both sides wrote while apart (split brain), or one refuses the other", Why: "After a partition both sides had changes. DRBD disconnects rather than choose.",
			Evidence: quote(5, split, alone, lost), Next: []Step{status, {"choose the side whose changes are given up, there", "drbdadm connect --discard-my-data RESOURCE"}}, explains: all, anywhere: true})
	} else if len(lost) > 0 {
		base := Cause{Host: lost[0].Host, Device: lost[0].Device, How: Possible, Evidence: quote(5, lost, alone), explains: all}
		network, peer := base, base
		network.Layer, network.Says, network.Why = incident.Network, "the replication network", "The peer's acknowledgements stopped coming."
		network.Next = []Step{{"look for flaps and errors of the port, and measure loss", "ip -s link; ping -f -c 1000 PEER"}}
		peer.Layer, peer.Says, peer.Why = incident.Engine, "the peer host: it crashed, was rebooted or is starved", "A peer that is down looks the same from here."
		peer.Next = []Step{{"see whether the peer was up then", "last -x reboot shutdown | head; journalctl --list-boots   (on the peer)"}}
		found = append(found, network, peer)
	}
	if len(disk) > 0 {
		found = append(found, Cause{Layer: incident.Drive, Host: disk[0].Host, Device: disk[0].Device, How: VeryLikely, Says: "the disk under DRBD on this host", Why: "DRBD detached its backing disk after an I/O error; the peer goes on serving.", Evidence: quote(4, disk),
			Next: []Step{status, {"look at the backing device's first error", "dmesg | grep -B5 -iE 'I/O error|Failed'"}}, explains: []incident.Kind{incident.DRBDDisk}})
	}
	return found
}}

var ceph = Rule{ID: "ceph", Title: "What Ceph says of itself", Check: func(c Case) []Cause {
	var found []Cause
	add := func(layer incident.Layer, how Sureness, says, why string, next Step, explains []incident.Kind, kinds ...incident.Kind) {
		if events := c.of(kinds...); len(events) > 0 {
			found = append(found, Cause{Layer: layer, Host: events[0].Host, Device: only(devices(events)), How: how, Says: says, Why: why, Evidence: quote(4, events), Next: []Step{next}, explains: append(explains, kinds...), anywhere: true})
		}
	}
	add(incident.Engine, VeryLikely, "Ceph is full or nearly full", "Ceph stops writes before an OSD is full.", Step{"see which OSDs are fullest, and rebalance or add", "ceph osd df tree"},
		with(consequences, incident.CephDegraded, incident.CephSlow), incident.CephFull)
	add(incident.Network, VeryLikely, "the network between OSDs", "OSDs do not hear each other while their processes run.", Step{"see which pairs are slow or silent, and what they share", "ceph daemon osd.ID dump_osd_network"},
		[]incident.Kind{incident.CephSlow, incident.CephDown, incident.CephDegraded, incident.CephSocket, incident.CephMonDown, incident.HungTask}, incident.CephNoReply, incident.CephSlowPing)
	if scrub := c.of(incident.CephScrub); len(scrub) > 0 {
		how := Possible
		if says(scrub, "read error") {
			how = VeryLikely
		}
		found = append(found, Cause{Layer: incident.Drive, Host: scrub[0].Host, Device: only(devices(scrub)), How: how, Says: "a drive under an OSD", Why: "Scrub found copies that differ or can't be read.", Evidence: quote(4, scrub),
			Next: []Step{{"see which OSD has the bad copy, then read its drive's SMART report", "rados list-inconsistent-obj PGID --format=json-pretty"}}, explains: []incident.Kind{incident.CephScrub, incident.CephDegraded}, anywhere: true})
	}
	slow := c.of(incident.CephSlow, incident.CephStalled)
	if len(slow) > 0 {
		named := devices(slow)
		drive := Cause{Layer: incident.Drive, Host: slow[0].Host, Device: only(named), How: Possible, Says: "a slow or failing drive under an OSD", Why: "An OSD waits for its disk.", Evidence: quote(4, slow),
			Next: []Step{{"see whether commit latency stands out on one OSD", "ceph osd perf"}}, explains: []incident.Kind{incident.CephSlow, incident.CephStalled, incident.CephDegraded}, anywhere: true}
		network := drive
		network.Layer, network.Says, network.Why = incident.Network, "the network between OSDs", "Slow ops of many OSDs at once are seldom their disks."
		network.Next = []Step{{"see whether heartbeats are slow as well", "ceph health detail | grep -i ping"}}
		if hasKind(slow, incident.CephStalled) && len(named) <= 1 {
			drive.How = VeryLikely
			found = append(found, drive)
		} else {
			found = append(found, drive, network)
		}
	}
	if down := c.of(incident.CephDown, incident.CephMonDown); len(down) > 0 {
		host := Cause{Layer: incident.Engine, Host: down[0].Host, Device: only(devices(down)), How: Possible, Says: "an OSD's or monitor's process or host went down", Why: "Ceph says that it is down, and not why.", Evidence: quote(4, down),
			Next: []Step{{"read the last lines of its log on its host", "journalctl -u 'ceph-osd@ID' -n 100"}}, explains: []incident.Kind{incident.CephDown, incident.CephMonDown, incident.CephDegraded, incident.CephSlow, incident.CephSocket}, anywhere: true}
		found = append(found, host)
	}
	return found
}}

// rbdClient finds clients of Ceph that lost it.
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
	cause := Cause{Layer: incident.Engine, Host: events[0].Host, Device: only(devices(rbd)), How: Possible, Says: "Ceph, or the way to it, not a drive of this machine", Why: "The disk is an image in Ceph: its errors are of the cluster, the network or this client's lock.", Evidence: quote(4, events),
		Next: []Step{{"see how the cluster is", "ceph health detail"}, {"see who holds the image, and whether this client is blocklisted", "rbd status POOL/IMAGE; ceph osd blocklist ls"}}, explains: with(consequences, incident.RBDBlocked, incident.CephSocket)}
	switch {
	case c.has(incident.RBDBlocked):
		cause.How, cause.Says = VeryLikely, "Ceph blocklisted this client: another host took its image"
	case len(rbd) > 0:
		cause.How = VeryLikely
	default:
		network := cause
		network.Layer, network.Says, network.Why = incident.Network, "the network between this client and the OSDs", "Connections to OSDs close when packets are lost or a firewall or MTU is in the way, and when the OSDs restart."
		network.Next = []Step{{"see whether every OSD can be reached from here, with large packets too", "ceph osd dump | grep ^osd; ping -M do -s 8972 OSD_HOST"}}
		return []Cause{cause, network}
	}
	return []Cause{cause}
}}

func only(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}
