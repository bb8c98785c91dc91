package blame

import (
	"strings"

	"assay/incident"
)

// podVolume finds pods that report storage failures where no log of their node shows
// why. The kind of volume determines which layers may be to blame.
var podVolume = Rule{ID: "pod-volume", Title: "A pod says that its volume fails", Check: func(c Case) []Cause {
	var found []Cause
	for _, e := range c.of(incident.AppIO, incident.AppReadOnly) {
		volume, is := c.podsVolume(e)
		if !is || len(found) > 0 && found[0].Device == e.Device {
			continue
		}
		found = append(found, c.underPod(e, volume)...)
	}
	return merge(found)
}}

// podsVolume returns the storage of the pod that printed a line. A pod is named
// with its namespace, and is in the device list if Kubernetes was queried for it.
func (c *Case) podsVolume(e incident.Event) (incident.Device, bool) {
	if !strings.Contains(e.Device, "/") {
		return incident.Device{}, false
	}
	for _, d := range c.Stack.All() {
		if d.Host == e.Host && d.Name == e.Device {
			return d, d.Volume != ""
		}
	}
	return incident.Device{}, false
}

// underPod returns the layers that may be to blame for a failing volume.
func (c *Case) underPod(e incident.Event, volume incident.Device) []Cause {
	own := func(k incident.Kind) []incident.Event {
		var all []incident.Event
		for _, x := range c.of(k) {
			if x.Device == e.Device {
				all = append(all, x)
			}
		}
		return all
	}
	base := Cause{Host: e.Host, Device: e.Device, How: Possible, Evidence: quote(4, []incident.Event{e}, own(incident.PodCrash)),
		explains: []incident.Kind{incident.AppIO, incident.AppReadOnly, incident.PodCrash}}
	look := Step{"read the log of its node in the same minute: give the node as a host, or look there", "assay diagnose -i cluster.yaml   (with the node under hosts:), or on the node: sudo assay diagnose"}
	as := func(layer incident.Layer, says, why string, next ...Step) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why+" Its storage is "+volume.Volume+".", append([]Step{look}, next...)
		return x
	}
	readOnly := e.Kind == incident.AppReadOnly
	fs := as(incident.FileSystem, "the file system of the pod's volume, which is damaged", "A file system that is damaged fails reads of what is damaged.")
	if readOnly {
		fs = as(incident.FileSystem, "the file system of the pod's volume, which is read-only", "A file system goes read-only after an error below or within it, or was mounted so.", Step{"check whether it was mounted so, or went read-only", "grep ' ro[, ]' /proc/mounts; journalctl -k | grep -i 'read-only'   (on the node)"})
	}
	switch {
	case volume.Transport == incident.ISCSI && strings.Contains(volume.Volume, "longhorn"), volume.Transport == incident.DRBD, volume.Transport == incident.RBD, volume.Transport == incident.NVMeOF:
		return []Cause{as(incident.Engine, "the replicated volume under the pod", "What answers for the volume is an engine, and it fails reads and writes when it has lost its copies."), fs}
	case volume.Transport.Remote(), strings.Contains(volume.Volume, "NFS "):
		return []Cause{as(incident.Session, "the session to the remote volume under the pod", "Another machine answers for the volume."), fs}
	case strings.Contains(volume.Volume, "CSI "):
		return []Cause{as(incident.Engine, "what the CSI driver provides under the pod", "The volume comes from a CSI driver that assay doesn't know."), fs}
	}
	if readOnly {
		return []Cause{fs, as(incident.Drive, "the disk of the node under the pod's volume", "The volume lies on a disk of its node, whose errors make its file system read-only.")}
	}
	return []Cause{as(incident.Drive, "the disk of the node under the pod's volume", "The volume lies on a disk of its node, which fails reads or writes."), fs}
}
