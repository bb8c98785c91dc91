package blame

import (
	"slices"

	"assay/incident"
)

// guestDisk finds errors of disks provided by a hypervisor.
var guestDisk = Rule{ID: "guest-disk", Title: "A virtual disk", Check: func(c Case) []Cause {
	events := c.of(incident.GuestDisk, incident.HostPaused)
	for _, e := range c.of(incident.IOError, incident.MediumError, incident.TargetError, incident.AbortedCommand) {
		if c.Stack.Find(e.Host, e.Device).Transport == incident.Virtual {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	if slices.ContainsFunc([]string{"migrat", "while loading state"}, func(word string) bool { return says(events, word) }) && !c.has(incident.GuestDisk, incident.IOError) {
		return []Cause{{Layer: incident.Hypervisor, Host: events[0].Host, How: VeryLikely, Says: "a hypervisor that could not move a guest", Why: "The guest could not be migrated live: QEMU on the other side did not accept its state, or the two lost contact. It runs where it was, or was restarted.", Evidence: quote(4, events),
			Next: []Step{{"compare the versions of QEMU and the guest's machine type on both sides, and read the other side's log for the same minute", "qemu-system-x86_64 --version; journalctl --since '1 hour ago' | grep -iE 'qemu|migrat'   (on both)"}}, explains: []incident.Kind{incident.HostPaused}}}
	}
	return []Cause{{Layer: incident.Hypervisor, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "the hypervisor's storage, not a drive of this guest", Why: "The disk is provided by a hypervisor, whose storage for the image failed, filled up or was cut off. The guest can't see which.", Evidence: quote(4, events),
		Next: []Step{{"on the hypervisor: see its kernel log for the same minute and how full the image's storage is", "journalctl -k --since '1 hour ago'; df -h; lvs"}}, explains: with(consequences, incident.MediumError, incident.TargetError, incident.GuestDisk, incident.HostPaused, incident.AbortedCommand)}}
}}
