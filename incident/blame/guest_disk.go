package blame

import "assay/incident"

// guestDisk finds errors of disks that a hypervisor lends.
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
	return []Cause{{Layer: incident.Hypervisor, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "the hypervisor's storage, not a drive of this guest", Why: "The disk is provided by a hypervisor, whose storage for the image failed, filled up or was cut off. The guest can't see which.", Evidence: quote(4, events),
		Next: []Step{{"on the hypervisor: see its kernel log for the same minute and how full the image's storage is", "journalctl -k --since '1 hour ago'; df -h; lvs"}}, explains: with(consequences, incident.MediumError, incident.TargetError, incident.GuestDisk, incident.HostPaused, incident.AbortedCommand)}}
}}
