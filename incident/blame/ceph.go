package blame

import (
	"cmp"
	"slices"

	"assay/incident"
	"assay/internal/lazyregexp"
)

var ceph = Rule{ID: "ceph", Title: "What Ceph says of itself", Check: func(c Case) []Cause {
	var found []Cause
	add := func(layer incident.Layer, how Sureness, says, why string, next Step, explains []incident.Kind, kinds ...incident.Kind) {
		if events := c.of(kinds...); len(events) > 0 {
			found = append(found, Cause{Layer: layer, Host: events[0].Host, Device: only(devices(events)), How: how, Says: says, Why: why, Evidence: quote(4, events), Next: []Step{next}, explains: append(explains, kinds...), anywhere: true})
		}
	}
	add(incident.Engine, VeryLikely, "Ceph is full or nearly full", "Ceph stops writes before an OSD is full.", Step{"check which OSDs are fullest, and rebalance or add", "ceph osd df tree"},
		with(consequences, incident.CephDegraded, incident.CephSlow), incident.CephFull)
	add(incident.Network, VeryLikely, "the network between OSDs", "OSDs do not hear each other while their processes run.", Step{"check which pairs are slow or silent, and what they share", "ceph daemon osd.ID dump_osd_network"},
		[]incident.Kind{incident.CephSlow, incident.CephDown, incident.CephDegraded, incident.CephSocket, incident.CephMonDown, incident.HungTask}, incident.CephNoReply, incident.CephSlowPing)
	add(incident.Drive, VeryLikely, "a drive under an OSD, which can't be read", "The OSD got I/O errors from its disk, or had to repair what it read again and again.", Step{"look at its node for the drive's first error, then replace the drive", "ceph device ls-by-daemon osd.ID; smartctl -x /dev/DEVICE"},
		[]incident.Kind{incident.CephScrub, incident.CephDegraded, incident.CephDown, incident.CephSlow, incident.CephStalled, incident.OSDStore, incident.PodCrash, incident.IOError}, incident.CephIO)
	if scrub := c.of(incident.CephScrub); len(scrub) > 0 {
		how := Possible
		switch {
		case says(scrub, "read error"):
			how = VeryLikely
		case c.only([]incident.Kind{incident.CephScrub, incident.CephDegraded, incident.CephSlow}) && !says(scrub, "stat mismatch") && !says(scrub, "omap"):
			how = Likely
		}
		found = append(found, Cause{Layer: incident.Drive, Host: scrub[0].Host, Device: only(devices(scrub)), How: how, Says: "a drive under an OSD", Why: "Scrub found copies that differ or can't be read.", Evidence: quote(4, scrub),
			Next: []Step{{"check which OSD has the bad copy, then read its drive's SMART report", "rados list-inconsistent-obj PGID --format=json-pretty"}}, explains: []incident.Kind{incident.CephScrub, incident.CephDegraded}, anywhere: true})
	}
	if marked := c.of(incident.CephMarked); len(marked) > 0 {
		cause := Cause{Layer: incident.Network, Host: marked[0].Host, Device: only(devices(marked)), How: Possible, Says: "the network between OSDs", Why: "An OSD was marked down while it ran: others had not heard it. A network that loses packets does that, and an OSD or host that is starved.", Evidence: quote(4, marked),
			Next: []Step{{"check which pairs are slow or silent, and what they share", "ceph daemon osd.ID dump_osd_network"}}, explains: []incident.Kind{incident.CephMarked, incident.CephDegraded, incident.CephSlow}, anywhere: true}
		starved := cause
		starved.Layer, starved.Says = incident.Engine, "an OSD that was too busy to answer"
		starved.Next = []Step{{"check whether it was starved of CPU or memory, or waited for its disk", "ceph osd perf; journalctl -u 'ceph-osd@ID' -n 100"}}
		found = append(found, cause, starved)
	}
	slow := c.of(incident.CephSlow, incident.CephStalled)
	if len(slow) > 0 {
		named := devices(slow)
		drive := Cause{Layer: incident.Drive, Host: slow[0].Host, Device: only(named), How: Possible, Says: "a slow or failing drive under an OSD", Why: "An OSD waits for its disk.", Evidence: quote(4, slow),
			Next: []Step{{"check whether commit latency stands out on one OSD", "ceph osd perf"}}, explains: []incident.Kind{incident.CephSlow, incident.CephStalled, incident.CephDegraded}, anywhere: true}
		network := drive
		network.Layer, network.Says, network.Why = incident.Network, "the network between OSDs", "Slow ops of many OSDs at once are seldom their disks."
		network.Next = []Step{{"check whether heartbeats are slow as well", "ceph health detail | grep -i ping"}}
		if hasKind(slow, incident.CephStalled) && len(named) <= 1 && !slices.ContainsFunc(slow, manyOSDs) {
			drive.How = VeryLikely
			found = append(found, drive)
		} else {
			found = append(found, drive, network)
		}
	}
	if down := c.of(incident.CephDown, incident.CephMonDown, incident.CephDegraded); len(down) > 0 {
		host := Cause{Layer: incident.Engine, Host: cmp.Or(bucketOf(down), down[0].Host), Device: only(devices(down)), How: Possible, Says: "an OSD's or monitor's process or host went down", Why: "Ceph says that it is down, and not why.", Evidence: quote(4, down),
			Next: []Step{{"read the last lines of its log on its host", "journalctl -u 'ceph-osd@ID' -n 100"}}, explains: []incident.Kind{incident.CephDown, incident.CephMonDown, incident.CephDegraded, incident.CephSlow, incident.CephSocket}, anywhere: true}
		if stopped := c.of(incident.Stopped); precedes(stopped, down) && !c.has(incident.CephIO, incident.CephNoReply, incident.CephCrash) {
			by := host
			by.Layer, by.How, by.Says, by.Why = incident.Operator, Likely, "a machine or daemon of the cluster that was stopped by a command", "The texts show the command that stopped it, just before Ceph says that daemons are down."
			by.Evidence = quote(4, stopped, down)
			by.explains = append([]incident.Kind{incident.Stopped}, host.explains...)
			found = append(found, by)
		}
		found = append(found, host)
	}
	return found
}}

// countedOSDs captures the number in "9 OSD(s) experiencing slow operations in BlueStore",
// which names none.
var countedOSDs = lazyregexp.New(`\b(\d+) OSD\(s\)`)

// manyOSDs reports whether a line of Ceph's health is about more than one OSD.
func manyOSDs(e incident.Event) bool {
	m := countedOSDs.FindStringSubmatch(e.Text)
	return m != nil && m[1] != "1"
}

// crushHost captures the host in "osd.1 (root=default,host=pve2) is down".
var crushHost = lazyregexp.New(`\(root=[^)]*\bhost=([A-Za-z0-9][A-Za-z0-9._-]*)\) is down`)

// bucketOf returns the host of the OSDs that Ceph reports down: every client of the
// cluster reports them, whichever host it is on. "" if Ceph names none, or several.
func bucketOf(events []incident.Event) (host string) {
	for _, e := range events {
		m := crushHost.FindStringSubmatch(e.Text)
		switch {
		case m == nil:
		case host != "" && host != m[1]:
			return ""
		default:
			host = m[1]
		}
	}
	return host
}
