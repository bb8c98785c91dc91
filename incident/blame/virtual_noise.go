package blame

import "assay/incident"

// virtualNoise finds harmless errors of devices that a hypervisor emulates.
var virtualNoise = Rule{ID: "virtual-noise", Title: "A virtual device that lacks something", Check: func(c Case) []Cause {
	events := c.of(incident.VirtualNoise)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Hypervisor, Host: events[0].Host, How: Possible, Says: "an emulated device; nothing is broken",
		Why: "Virtual disks often have no identifier of their own, so multipathd can't tell them apart, and asks again and again. It needs no multipath for them.", Evidence: quote(3, events),
		Next:     []Step{{"have multipathd ignore the disk (blacklist in /etc/multipath.conf), or give it an identifier (VMware: disk.EnableUUID = TRUE)", "multipath -ll; lsblk -o NAME,MODEL,SERIAL,WWN"}},
		explains: []incident.Kind{incident.VirtualNoise},
	}
	if says(events, "fd0") || says(events, "floppy") {
		cause.Why = "The errors are of a floppy drive (fd0). Hardly a machine has one; virtual machines do, without a disk in it. Whatever looks at all disks, such as fdisk -l, gets an error from it."
		cause.Next = []Step{{"remove the floppy drive from the machine's settings, or keep the module from loading", "modprobe -r floppy; echo 'blacklist floppy' > /etc/modprobe.d/floppy.conf"}}
	}
	if c.only(cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
