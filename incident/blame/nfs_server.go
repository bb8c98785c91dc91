package blame

import "assay/incident"

var nfsServer = Rule{ID: "nfs-server", Title: "An NFS server did not answer", Check: func(c Case) []Cause {
	events := c.of(incident.NFSDown)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Session, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "the NFS server or the way to it, not this machine's drives",
		Why:      "The client waits for its NFS server. Tasks that use the mount block until it answers.",
		Evidence: quote(4, events),
		Next:     []Step{{"see whether the server is up and answers", "rpcinfo -t " + events[0].Device + " nfs"}, {"look for lost packets on the way", "nfsstat -rc; ip -s link"}},
		explains: []incident.Kind{incident.HungTask, incident.AppIO, incident.MountFailed, incident.PodCrash, incident.NFSDown},
	}}
}}
