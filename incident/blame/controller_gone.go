package blame

import "assay/incident"

// controllerGone finds controllers whose registers all read as ones: nothing answers on the
// bus.
var controllerGone = Rule{ID: "controller-gone", Title: "A storage controller is gone from the bus", Check: func(c Case) []Cause {
	events := c.of(incident.ControllerGone)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, Device: only(devices(events)), How: VeryLikely, Says: "a storage controller that is gone from the bus, not the drives on it",
		Why:      "The controller's registers read as all ones, or the host froze its slot: nothing answers there. Its drives can't be reached then, whatever their state.",
		Evidence: quote(4, events, c.of(incident.AERFatal, incident.AERCorrected)), Cleared: c.noMediaErrors(),
		Next: []Step{{"check whether the controller is there, and what the link to it logged", "lspci -vv | grep -A40 -iE 'sata|sas|raid' | grep -E 'LnkSta:|UESta|CESta|^[0-9a-f]'"},
			{"try another slot, a lower PCIe generation, and no power saving", "pcie_aspm=off   (kernel command line)"}},
		explains: with(consequences, incident.ControllerGone, incident.AERFatal, incident.AERCorrected, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown, incident.ATADead, incident.ATASlowed, incident.ATADeviceFail,
			incident.HBAFault, incident.NoConnect, incident.DeviceOffline, incident.CommandTimeout, incident.TransportError, incident.ZFSChecksum, incident.PCIeDown),
	}}
}}
