package blame

import "assay/incident"

// remoteErrors are what disks say whose way to their data is gone.
var remoteErrors = with(consequences, incident.MediumError, incident.TargetError, incident.TransportError, incident.DeviceOffline, incident.NoConnect, incident.CommandTimeout, incident.PathFailed)

var nvmeOF = Rule{ID: "nvme-of", Title: "An NVMe-oF connection was lost", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeOFConn)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Session, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "an NVMe-oF connection was lost, not a drive",
		Why:      "The host lost its NVMe-oF target: the network between them failed, or the target stopped answering.",
		Evidence: quote(5, events), Cleared: c.noDriveErrors(),
		Next:     []Step{{"see which paths are live, and compare with the target's log", "nvme list-subsys"}},
		explains: with(remoteErrors, incident.NVMeTimeout, incident.NVMeDead, incident.NVMeOFConn),
	}}
}}

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

var fibreChannel = Rule{ID: "fibre-channel", Title: "A Fibre Channel port was lost", Check: func(c Case) []Cause {
	events := c.of(incident.FCDown)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "a Fibre Channel link or port, not a drive",
		Why:      "The adapter lost its link or a remote port: fibre, SFP, switch port, or the array's controller.",
		Evidence: quote(4, events),
		Next:     []Step{{"look at port states and error counters here, and of the switch port", "grep . /sys/class/fc_host/host*/port_state /sys/class/fc_host/host*/statistics/*err*"}},
		explains: remoteErrors,
	}}
}}

var multipath = Rule{ID: "multipath", Title: "A path of several failed", Check: func(c Case) []Cause {
	events := c.of(incident.PathFailed)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "a path to the storage, not a drive",
		Why:      "multipathd took a path out. Errors that stay within one path are of the path.",
		Evidence: quote(4, events), Next: []Step{{"see which paths failed and what they share", "multipath -ll"}},
		explains: remoteErrors,
	}}
}}
