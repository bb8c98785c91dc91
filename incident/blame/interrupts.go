package blame

import "assay/incident"

// interrupts finds interrupts that no driver handles, which the kernel disables for
// all devices sharing them.
var interrupts = Rule{ID: "interrupts", Title: "An unclaimed interrupt was disabled", Check: func(c Case) []Cause {
	events := c.of(incident.IRQUnclaimed)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, How: Likely, Says: "a device or its firmware: an interrupt that no driver claims",
		Why:      "The interrupt kept firing and no driver claimed it, so the kernel disabled the line: every device on it is slow or dead from then on.",
		Evidence: quote(3, events), Next: []Step{{"check which devices share the line, and give them interrupts of their own (MSI)", "cat /proc/interrupts; lspci -vv | grep -E '^[0-9a-f]|Interrupt:|MSI'"}},
		explains: with(consequences, incident.IRQUnclaimed, incident.ATATimeout, incident.ATAReset, incident.ATADead, incident.NVMeTimeout, incident.NVMePolled, incident.NICHang, incident.USBReset, incident.USBDescriptor, incident.USBHost, incident.CommandTimeout),
	}}
}}
