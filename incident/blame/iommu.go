package blame

import "assay/incident"

var iommu = Rule{ID: "iommu", Title: "A device reached for memory that is not its own", Check: func(c Case) []Cause {
	events := c.of(incident.IOMMUFault)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Controller, Host: events[0].Host, How: Possible, Says: "a controller, its firmware or driver: IOMMU faults",
		Why: "The IOMMU stopped a device's access to memory. Firmware and driver bugs do that, as does a device that is passed through to a guest wrongly.", Evidence: quote(3, events),
		Next:     []Step{{"find the device by the address in the line", "lspci -nn"}, {"try pass-through mode for one boot", "iommu=pt   (kernel command line)"}},
		explains: with(consequences, incident.IOMMUFault, incident.NVMeTimeout, incident.NVMeDown, incident.ATATimeout, incident.ATAReset, incident.HBAFault, incident.NICHang, incident.ATADead, incident.NVMeDead),
	}
	if c.has(incident.NVMeTimeout, incident.NVMeDown, incident.NVMeDead, incident.ATATimeout, incident.ATADead, incident.HBAFault, incident.NICHang) {
		cause.How = VeryLikely
		cause.Why += " A device on this host also stopped responding, which happens when its memory accesses are blocked."
	}
	if cause.How == Possible && total(events) >= 3 && c.only(cause.explains) {
		cause.How = Likely // once at boot is normal if firmware left a device active
	}
	return []Cause{cause}
}}
