package blame

import "assay/incident"

// nvmePolled finds commands that the drive completed without the host getting the
// interrupt.
var nvmePolled = Rule{ID: "nvme-polled", Title: "Interrupts of an NVMe drive are lost", Check: func(c Case) []Cause {
	events := c.of(incident.NVMePolled)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, Device: name, How: VeryLikely, Says: "lost interrupts: the PCIe host or its driver, not the drive",
		Why:      "The drive had completed the command; the driver found that only when it looked after a timeout. The interrupt was lost on the way.",
		Evidence: quote(4, events), Next: []Step{{"check whether interrupts of all its queues arrive, and try another kernel or MSI-X setting", "grep " + name + " /proc/interrupts"}},
		explains: with(consequences, incident.NVMePolled, incident.NVMeTimeout),
	}}
}}
