package blame

import "assay/incident"

// iscsiSession finds disks that went away with the session to their target.
var iscsiSession = Rule{ID: "iscsi-session", Title: "An iSCSI session was lost", Check: func(c Case) []Cause {
	events := c.of(incident.ISCSIConn, incident.ISCSIDead, incident.ISCSILogin)
	if len(events) == 0 || says(c.of(incident.EngineError), "Timing out cmd") { // the target itself waits for what it serves
		return nil
	}
	cause := Cause{
		Layer: incident.Session, Host: events[0].Host, How: VeryLikely, Says: "an iSCSI session was lost, not a drive",
		Why:      "The initiator lost its target: the network between them failed, or the target stopped answering. The errors of the disks on this session follow from it.",
		Evidence: quote(5, events), Cleared: c.noDriveErrors(),
		Next: []Step{{"look at sessions, and at the target's log for the same minute: a restart, or nothing at all (then the network)", "iscsiadm -m session -P 3"},
			{"look for errors and flaps of the port that leads to the target", "ip -s link; ethtool -S INTERFACE | grep -iE 'err|drop|crc'"}},
		explains: with(consequences, incident.MediumError, incident.TargetError, incident.WriteReadError, incident.TransportError, incident.DeviceReset, incident.DeviceOffline, incident.NoConnect, incident.CommandTimeout, incident.NoRoute),
	}
	if c.longhorn() {
		cause.Layer = incident.Engine
		cause.Says = "a replicated volume (iSCSI of Longhorn) whose engine stopped answering, not a drive"
		cause.Why = "The iSCSI target of a Longhorn volume is its engine on the same node, so no network lies between: the engine was stopped, restarted or starved."
		cause.Next = []Step{{"check whether the engine's process was restarted, and why", "kubectl -n longhorn-system get pods -o wide; kubectl -n longhorn-system get volumes.longhorn.io"},
			{"check what killed or starved it", "journalctl -k | grep -iE 'oom|blocked for more'"}}
	}
	if c.has(incident.PathFailed) && c.has(incident.PathBack) && !c.has(incident.PathsLost) {
		way := cause
		cause.How, way.How = Possible, Likely
		way.Layer, way.Says = incident.Network, "one of several ways to the target, not the target"
		way.Why = "One path was lost and came back by itself, and no line says that the others failed. A target that stops loses all of them. What one path has of its own is a port, a cable, a switch, or the address that the target listens on."
		way.Evidence = quote(5, events, c.of(incident.PathFailed), c.of(incident.PathBack))
		way.Next = []Step{{"check which port of either side the path uses, and what happened to it then", "multipath -ll; iscsiadm -m session -P 1; journalctl -k | grep -iE 'link is|carrier'"}}
		way.explains = with(cause.explains, incident.ISCSIConn, incident.ISCSIDead, incident.PathFailed)
		return []Cause{way, cause}
	}
	if !c.has(incident.ISCSIConn, incident.ISCSIDead) && (says(events, "uthoriz") || says(events, "uthentic")) {
		setup := cause
		cause.How, setup.How = Possible, Possible
		setup.Layer, setup.Says, setup.Why = incident.Operator, "the names or passwords of initiator and target, which do not match", "The target could be reached, and refused the login: its access list or its password (CHAP) does not match this initiator."
		setup.Next = []Step{{"compare the initiator's name and password with what the target allows", "cat /etc/iscsi/initiatorname.iscsi; iscsiadm -m node -o show | grep -i auth"}}
		return []Cause{setup, cause}
	}
	return []Cause{cause}
}}
