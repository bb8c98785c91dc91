package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

// replicatedVolume finds disk errors of a disk that is not a real one: another process
// or machine serves it, and returns "medium error" for any failure.
var replicatedVolume = Rule{ID: "replicated-volume", Title: "Errors of a disk that is a volume over iSCSI", Check: func(c Case) []Cause {
	var found []Cause
	places, of := byDevice(c.of(incident.MediumError, incident.TargetError, incident.IOError, incident.WriteReadError, incident.SpaceError))
	for _, p := range places {
		if !strings.HasPrefix(p.device, "sd") {
			continue
		}
		d := c.Stack.Find(p.host, p.device)
		switch {
		case c.lostSessionAlone(of[p]):
		case d.Transport == incident.ISCSI:
			found = append(found, c.overISCSI(p, d, of[p]))
		case d.Transport == "" && hasKind(of[p], incident.WriteReadError) && !behindHBA(d):
			cause := c.overISCSI(p, d, of[p])
			cause.Why = "Writes were answered with a read error. A drive answers a failed write with a write error; a software iSCSI target (tgt, as Longhorn uses it) has one answer for every failure. " + cause.Why
			found = append(found, cause)
		case d.Transport == "" && c.podsOn(p):
			cause := c.overISCSI(p, d, of[p])
			cause.Why = fmt.Sprintf("The file system is on the whole of %s, without a partition, as a CSI driver makes it, and pods of Kubernetes fail with it. ", p.named()) + cause.Why
			found = append(found, cause)
		}
	}
	return merge(found)
}}

// behindHBA reports whether a SCSI address has a target other than the first: an adapter
// with several disks gives each its own. An iSCSI session has only target 0.
func behindHBA(d incident.Device) bool {
	parts := strings.Split(d.Address, ":")
	return len(parts) == 4 && parts[2] != "0"
}

// overISCSI returns the cause for a disk that is an iSCSI volume.
func (c *Case) overISCSI(p place, d incident.Device, events []incident.Event) Cause {
	cause := Cause{
		Layer: incident.Engine, Host: p.host, Device: p.device, How: VeryLikely,
		Says: "a replicated volume (iSCSI), not a drive",
		Why: fmt.Sprintf("What answers for %s is a target in software: it says \"medium error\" when it can't reach its data, because a replica was lost, "+
			"the disk under a replica is full or read-only, or the engine was restarted.", p.named()),
		Evidence: quote(4, events), Cleared: c.noDriveErrors(),
		explains: with(consequences, incident.MediumError, incident.TargetError, incident.WriteReadError, incident.TransportError, incident.DeviceReset, incident.SpaceError, incident.DeviceOffline, incident.NoConnect, incident.NoSpace),
	}
	if d.Line != "" {
		cause.Evidence = append(cause.Evidence, incident.Event{Kind: incident.DriveIdentified, Device: p.device, Text: d.Line, Source: d.Source, Count: 1})
	}
	if d.Transport == "" {
		cause.Next = append(cause.Next, Step{"confirm that the disk is a volume (TRAN iscsi, vendor IET or LIO-ORG)", "lsblk -o NAME,TRAN,VENDOR,MODEL " + path(p.device)})
	}
	switch volume := d.Volume; {
	case c.longhorn() || containsFold(volume, "longhorn") || c.has(incident.PodCrash, incident.AppIO, incident.ReplicaError):
		cause.Next = append(cause.Next, Step{"look at the state of the volume and its replicas, and what happened on the nodes of those that failed", "kubectl -n longhorn-system get volumes.longhorn.io,replicas.longhorn.io -o wide"})
	default:
		cause.Next = append(cause.Next, Step{"look at the session and its target, then at the target's own log", "iscsiadm -m session -P 3"})
	}
	return cause
}

// lostSessionAlone reports whether an iSCSI session was lost and no target reported the
// errors: they are requests that the initiator gave up.
func (c *Case) lostSessionAlone(events []incident.Event) bool {
	if c.longhorn() || !c.has(incident.ISCSIConn, incident.ISCSIDead) {
		return false
	}
	for _, e := range events {
		if e.Kind != incident.IOError {
			return false
		}
	}
	return true
}

// podsOn reports whether the texts show pods failing on a file system on a whole disk,
// with no sign of a drive.
func (c *Case) podsOn(p place) bool {
	if !c.has(incident.PodCrash, incident.AppIO) || c.has(driveKinds...) || c.has(incident.ATATimeout, incident.ATAReset, incident.HBAInfo) {
		return false
	}
	for _, e := range c.of(incident.FSError, incident.FSAbort, incident.FSReadOnly) {
		if e.Device == p.device {
			return true
		}
	}
	return false
}

func hasKind(events []incident.Event, kind incident.Kind) bool {
	for _, e := range events {
		if e.Kind == kind {
			return true
		}
	}
	return false
}

// merge combines causes that have the same wording for several devices.
func merge(all []Cause) []Cause {
	var merged []Cause
	for _, c := range all {
		same := -1
		for i, m := range merged {
			if m.Layer == c.Layer && m.Says == c.Says && m.Host == c.Host && m.How == c.How {
				same = i
			}
		}
		if same < 0 {
			merged = append(merged, c)
			continue
		}
		m := &merged[same]
		m.Evidence = append(m.Evidence, c.Evidence...)
		if m.Device != c.Device && m.Device != "" && !strings.Contains(m.Device, ", …") {
			m.Device += ", …"
		}
	}
	for i, m := range merged {
		merged[i].Evidence = quote(8, m.Evidence)
	}
	return merged
}
