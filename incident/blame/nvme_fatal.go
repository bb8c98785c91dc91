package blame

import "assay/incident"

// nvmeFatal finds NVMe controllers whose registers are readable and report that the
// controller itself failed.
var nvmeFatal = Rule{ID: "nvme-fatal", Title: "An NVMe controller says that it failed", Check: func(c Case) []Cause {
	fatal, unready := c.of(incident.NVMeFatal), c.of(incident.NVMeUnready)
	events := append(fatal, unready...)
	if len(events) == 0 || c.has(incident.NVMeOFConn) {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	cause := Cause{
		Layer: incident.Drive, Host: events[0].Host, Device: name, How: VeryLikely, Says: "an NVMe drive whose controller failed", Evidence: quote(4, events, c.of(incident.NVMeTimeout, incident.NVMeDead)),
		Why:      "The drive's status register could be read over PCIe and has the bit for a fatal error of the controller (CFS): the drive itself gave up. Where the link or its power is lost, the register reads as all ones.",
		Next:     []Step{{"look for a newer firmware, and try it in another slot before replacing it", "nvme smart-log " + path(name) + "; nvme fw-log " + path(name)}},
		explains: with(consequences, incident.NVMeFatal, incident.NVMeUnready, incident.NVMeTimeout, incident.NVMeDown, incident.NVMeDead, incident.NVMeGone, incident.NVMePower, incident.ZFSChecksum),
	}
	if c.has(incident.NVMeGone, incident.AERFatal, incident.AERCorrected, incident.PCIeDown) || c.hasOn(cause.Host, incident.IsGuest) {
		cause.How = Possible // the path to it failed as well
		cause.explains = []incident.Kind{incident.NVMeFatal, incident.NVMeUnready}
	}
	if len(fatal) > 0 {
		return []Cause{cause}
	}
	// It may be waiting for memory that the host does not let it reach.
	way := cause
	cause.How, way.How = Possible, Possible
	cause.Says, cause.Why = "an NVMe drive that does not start", "The drive's status register could be read over PCIe, but the controller did not become ready in the time that it asked for."
	way.Layer, way.Says = incident.Controller, "the PCIe host, the slot or its power"
	way.Why = "A controller that can't reach the host's memory, or has too little power, does not become ready either."
	way.Next = []Step{{"try the drive in another machine, and another drive in this slot", "lspci -vv | grep -E 'LnkCap:|LnkSta:|UESta'"}}
	return []Cause{cause, way}
}}
