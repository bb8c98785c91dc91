package blame

import "assay/incident"

// pcie finds links on the bus that lose packets.
var pcie = Rule{ID: "pcie", Title: "A PCIe link has errors", Check: func(c Case) []Cause {
	events := c.of(incident.AERFatal, incident.AERCorrected, incident.PCIeDown)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "a PCIe link: slot, riser or power state, rather than the drive's medium",
		Why:      "The bus itself counts errors: packets arrived damaged or not at all. Whatever is on the link fails with it.",
		Evidence: quote(4, events),
		Next: []Step{{"see which device and slot, and whether the link runs below its best", "lspci -tv; lspci -vv | grep -E 'LnkCap:|LnkSta:|CESta|UESta'"},
			{"reseat it, remove the riser, or set the slot one generation lower in the firmware; try without power saving", "pcie_aspm=off   (kernel command line)"}},
		explains: with(consequences, incident.NVMeTimeout, incident.NVMeDown, incident.NVMeGone, incident.NVMeDead, incident.NVMePower, incident.PowerStateErr, incident.AERCorrected, incident.PCIeNarrow, incident.HBAFault, incident.CommandTimeout, incident.ZFSChecksum, incident.NICHang, incident.PCIeDown, incident.AERFatal, incident.MCE, incident.MCELogged, incident.NICError),
	}}
}}
