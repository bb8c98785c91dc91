package blame

import "assay/incident"

// interrupts finds interrupts that no driver takes, which the kernel turns off for all
// devices that share them.
var interrupts = Rule{ID: "interrupts", Title: "An interrupt that nobody takes was turned off", Check: func(c Case) []Cause {
	events := c.of(incident.IRQUnclaimed)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, How: Likely, Says: "a device or its firmware: an interrupt that no driver takes",
		Why:      "The line was raised again and again, and no driver had anything to do. The kernel turned it off: every device on it is slow or stops from then on.",
		Evidence: quote(3, events), Next: []Step{{"see which devices share the line, and give them interrupts of their own (MSI)", "cat /proc/interrupts; lspci -vv | grep -E '^[0-9a-f]|Interrupt:|MSI'"}},
		explains: with(consequences, incident.IRQUnclaimed, incident.ATATimeout, incident.ATAReset, incident.ATADead, incident.NVMeTimeout, incident.NVMePolled, incident.NICHang, incident.USBReset, incident.USBDescriptor, incident.USBHost, incident.CommandTimeout),
	}}
}}
