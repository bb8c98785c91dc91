package blame

import "assay/incident"

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
		if several := only(devices(lost)) == "" && len(devices(lost)) > 1; several && says(lost, "shut down by peer") && !c.has(incident.HungTask, incident.CPUStall, incident.OOM, incident.OOMHost) {
			network.How = VeryLikely
			network.Why = "Several resources lost their connections together, and the peer's kernel closed them without a clean shutdown (NetworkFailure, not TearDown): it was up and dropped the connections itself. What they share is the network."
			network.Cleared = []string{"a crashed peer closes no connection, and one that is shut down announces it first"}
		}
		network.Next = []Step{{"look for flaps and errors of the port, and measure loss", "ip -s link; ping -f -c 1000 PEER"}}
		peer.Layer, peer.Says, peer.Why = incident.Engine, "the peer host: it crashed, was rebooted or is starved", "A peer that is down looks the same from here."
		peer.Next = []Step{{"check whether the peer was up then", "last -x reboot shutdown | head; journalctl --list-boots   (on the peer)"}}
		found = append(found, network, peer)
	}
	if refused := c.of(incident.DRBDRefused); len(refused) > 0 && len(found) == 0 && len(disk) == 0 {
		found = append(found, Cause{Layer: incident.Engine, Host: refused[0].Host, Device: refused[0].Device, How: Likely, Says: "DRBD: no side that it may use has the data, or another one is primary", Why: "DRBD refuses to be made primary without data that are known to be up to date, and while another side is.", Evidence: quote(4, refused),
			Next: []Step{status, {"check which side has the newest data, and connect it", "drbdadm status --verbose; drbdadm connect RESOURCE"}}, explains: with(consequences, incident.DRBDRefused), anywhere: true})
	}
	if damaged := c.of(incident.DRBDDamaged); len(damaged) > 0 {
		found = append(found, c.damagedOnTheWay(damaged)...)
	}
	if len(disk) > 0 {
		found = append(found, Cause{Layer: incident.Drive, Host: disk[0].Host, Device: disk[0].Device, How: VeryLikely, Says: "the disk under DRBD on this host", Why: "DRBD detached its backing disk after an I/O error; the peer goes on serving.", Evidence: quote(4, disk),
			Next: []Step{status, {"look at the backing device's first error", "dmesg | grep -B5 -iE 'I/O error|Failed'"}}, explains: []incident.Kind{incident.DRBDDisk}})
	}
	return found
}}

// damagedOnTheWay finds blocks that reached the peer with a wrong checksum.
func (c *Case) damagedOnTheWay(events []incident.Event) []Cause {
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.DRBDDamaged, incident.DRBDNet}, anywhere: true}
	network, mem := base, base
	network.Layer, network.Says, network.Why = incident.Network, "a network card or its offloads", "A block arrived with a different checksum, and TCP did not notice: cards that offload checksums may compute them over damaged data. A program that changes a block while it is being written looks the same."
	network.Next = []Step{{"turn offloads off as a test", "ethtool -K INTERFACE rx off tx off tso off gso off"}}
	mem.Layer, mem.Says, mem.Why = incident.Memory, "memory that flips bits", "Memory that flips bits, at either end, does the same."
	mem.Next = []Step{{"test the memory of both hosts", "memtester 1G 3; ras-mc-ctl --summary"}}
	return []Cause{network, mem}
}
