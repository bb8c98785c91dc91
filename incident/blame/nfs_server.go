package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

var nfsServer = Rule{ID: "nfs-server", Title: "An NFS server did not answer", Check: func(c Case) []Cause {
	events := c.of(incident.NFSDown)
	if len(events) == 0 {
		return c.staleFiles()
	}
	server := Cause{
		Layer: incident.Session, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "the file server (NFS or SMB) or the way to it, not this machine's drives",
		Why:      "The client waits for its file server. Tasks that use the mount block until it answers.",
		Evidence: quote(4, events),
		Next:     []Step{{"check whether the server is up and answers", "rpcinfo -t " + events[0].Device + " nfs"}, {"look for lost packets on the way", "nfsstat -rc; ip -s link"}},
		explains: []incident.Kind{incident.HungTask, incident.AppIO, incident.MountFailed, incident.PodCrash, incident.NFSDown, incident.NFSStale},
	}
	if slices.ContainsFunc(events, func(e incident.Event) bool { return !neverMounted(e.Text) }) {
		return []Cause{server}
	}
	server.How = Possible
	way := server
	way.Layer, way.Says = incident.Network, "a firewall on the way to the file server, or the route to it"
	way.Why = "The mount never worked here: nothing was answered from the first packet on. A server that runs and is blocked looks like one that does not run."
	way.Next = []Step{{"check whether its ports answer: 2049, and for NFSv3 also 111 and mountd's", "nc -vz -w 3 SERVER 2049; rpcinfo -p SERVER"}}
	return []Cause{server, way}
}}

// neverMounted reports whether a line is about a mount that got no answer, not about one in
// use.
func neverMounted(text string) bool {
	return strings.Contains(text, "mount.nfs") && strings.Contains(text, "timed out")
}

// staleFiles finds clients that hold files that their server no longer knows.
func (c *Case) staleFiles() []Cause {
	events := c.of(incident.NFSStale)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Session, Host: events[0].Host, How: VeryLikely, Says: "an NFS mount that its server no longer knows, not this machine's drives",
		Why:      "The server replied that the client's open file handle is stale: its export was recreated, its file system was replaced or is not mounted there, or the file was removed.",
		Evidence: quote(4, events),
		Next:     []Step{{"check on the server whether the export's file system is mounted, then mount it again here", "cat /proc/fs/nfsd/exports; findmnt   (on the server); umount -l MOUNTPOINT && mount MOUNTPOINT"}},
		explains: []incident.Kind{incident.NFSStale, incident.AppIO, incident.MountFailed, incident.PodCrash},
	}}
}
