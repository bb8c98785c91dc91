package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// waits finds hung tasks whose stack shows what they wait for.
var waits = Rule{ID: "waits", Title: "A task hangs, and its stack shows for what", Check: func(c Case) []Cause {
	hung := c.of(incident.HungTask)
	rpc, ceph := c.of(incident.WaitsForRPC), c.of(incident.WaitsForCeph)
	if len(hung) == 0 || len(rpc)+len(ceph) == 0 {
		return c.waitsForEngine(hung)
	}
	cause := Cause{Host: hung[0].Host, How: VeryLikely, explains: with([]incident.Kind{incident.HungTask, incident.WaitsForRPC, incident.WaitsForCeph}, incident.AppIO, incident.MountFailed, incident.PodCrash)}
	if len(rpc) > 0 {
		cause.Layer, cause.Says = incident.Session, "an NFS server that does not answer, or the way to it"
		cause.Why = "The task hangs in a call to a file server (RPC), not in a disk of this machine."
		cause.Evidence = quote(4, hung, rpc)
		cause.Next = []Step{{"check which server it is, and whether it answers", "nfsstat -m; rpcinfo -t SERVER nfs"}}
	} else {
		cause.Layer, cause.Says = incident.Engine, "Ceph, or the way to it, not a drive of this machine"
		cause.Why = "The task hangs in a request to Ceph."
		cause.Evidence = quote(4, hung, ceph)
		cause.Next = []Step{{"check the cluster's health, and which of this client's requests are in flight", "ceph health detail; cat /sys/kernel/debug/ceph/*/osdc /sys/kernel/debug/ceph/*/mdsc"}}
	}
	return []Cause{cause}
}}

// waitsForEngine finds tasks that hang on a disk served by a storage engine, as shown by
// their name (jbd2/drbd0-8) or stack.
func (c *Case) waitsForEngine(hung []incident.Event) []Cause {
	own := slices.DeleteFunc(slices.Clone(hung), func(e incident.Event) bool {
		return !slices.ContainsFunc([]string{"/rbd", "/drbd", "/nbd", "task drbd"}, func(disk string) bool { return strings.Contains(e.Text, disk) })
	})
	if len(hung) > 0 {
		own = append(own, c.of(incident.WaitsForDRBD)...)
	}
	if len(own) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Engine, Host: own[0].Host, How: Possible, Says: "a replicated volume that does not answer", Why: "The task that hangs waits for a disk for which an engine answers (DRBD, Ceph or a network block device): it has lost its peers or its quorum, or waits for them.", Evidence: quote(4, own, hung),
		Next: []Step{{"check the state of the volume", "drbdadm status; ceph health detail; lsblk -o NAME,TYPE,MOUNTPOINTS"}}, explains: []incident.Kind{incident.HungTask, incident.WaitsForDRBD, incident.WaitsForDisk, incident.AppIO, incident.PodCrash}}
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}
