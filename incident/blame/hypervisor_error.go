package blame

import "assay/incident"

// hypervisorError finds hypervisors that report failing to start, move or serve a guest.
var hypervisorError = Rule{ID: "hypervisor-error", Title: "A hypervisor reports an error", Check: func(c Case) []Cause {
	events := c.of(incident.HypervisorError)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Hypervisor, Host: events[0].Host, How: Possible, Says: "the hypervisor, which could not start, move or serve a guest",
		Why:      "The hypervisor says so itself, and these texts show nothing below it that failed.",
		Evidence: quote(4, events),
		Next:     []Step{{"read what the hypervisor logged of this guest just before, and how full and busy its storage is", "journalctl --since '1 hour ago' | grep -iE 'qemu|kvm|libvirt|xen|vm[kx]'; df -h; free -m"}},
		explains: with(consequences, incident.HypervisorError, incident.HostPaused, incident.GuestDisk, incident.GuestStall),
		anywhere: true,
	}
	if c.only(cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
