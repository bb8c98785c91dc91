package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// engineError finds replication engines that report an error of their own volumes, copies or
// processes, if no other rule knows what it means.
var engineError = Rule{ID: "engine-error", Title: "A replication engine reports an error of its own", Check: func(c Case) []Cause {
	events := c.of(incident.EngineError)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Engine, Host: events[0].Host, Device: only(devices(events)), How: Possible, Says: "the replication engine, which reports an error of its own",
		Why:      "The engine reports an error of one of its volumes, copies or processes. What uses the volume fails because of that.",
		Evidence: quote(4, events), Cleared: c.noDriveErrors(), Next: []Step{stateOf(events)},
		explains: with(consequences, incident.EngineError, incident.MediumError, incident.TargetError, incident.ISCSIConn, incident.ISCSIDead, incident.NVMeOFConn, incident.NoConnect, incident.DeviceOffline, incident.NodeNotReady),
		anywhere: true,
	}
	if says(events, "Timing out cmd") {
		cause.Says = "Ceph, which answers its iSCSI gateway too late"
		cause.Why = "The gateway (tcmu-runner) waited for Ceph in vain, and took its targets away until it could reach it again. Initiators lose their sessions because of that."
		cause.explains = append(cause.explains, incident.ISCSILogin, incident.Refused)
	}
	broke := slices.ContainsFunc(events, func(e incident.Event) bool { return !strings.Contains(e.Text, "level=error") }) || slices.ContainsFunc(consequences, func(k incident.Kind) bool { return k != incident.EngineError && c.has(k) })
	if c.only(cause.explains) && broke && !says(c.of(incident.IOError), "bdev_aio") { // engines log errors they recover from, and those of their own disks
		cause.How = Likely
	}
	return []Cause{cause}
}}

// stateOf returns the step that shows the state of the engine that printed these
// lines.
func stateOf(events []incident.Event) Step {
	for _, engine := range []struct{ word, command string }{
		{"longhorn", "kubectl -n longhorn-system get volumes.longhorn.io,engines.longhorn.io,replicas.longhorn.io -o wide"},
		{"mayastor", "kubectl mayastor get volumes; kubectl mayastor get nodes"}, {"io_engine", "kubectl mayastor get volumes; kubectl mayastor get nodes"},
		{"replica", "kubectl get volumes,replicas -A; kubectl get pods -A -o wide | grep -iE 'replica|ctrl|engine'"},
		{"drbd", "drbdadm status; linstor resource list"}, {"linstor", "linstor node list; linstor resource list; linstor error-reports list"},
		{"msgid", "gluster volume status; gluster volume heal VOLUME info"}, {"gluster", "gluster volume status; gluster volume heal VOLUME info"},
		{"tcmu", "ceph health detail; ceph osd perf"}, {"mds", "ceph health detail; ceph fs status"}, {"osd", "ceph health detail; ceph osd tree"}, {"module '", "ceph health detail; ceph mgr module ls"}, {"px ", "pxctl status"},
	} {
		for _, e := range events {
			if strings.Contains(strings.ToLower(e.Text), engine.word) {
				return Step{"check the state of the volume, of its copies and of the engine's processes", engine.command}
			}
		}
	}
	return Step{"check the state of the volume, of its copies and of the engine's processes, and read their logs for the same minute", "kubectl get pods -A -o wide; journalctl --since '1 hour ago' -p err"}
}
