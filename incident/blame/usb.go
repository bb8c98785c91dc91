package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// usb finds USB storage that is reset or lost.
var usb = Rule{ID: "usb", Title: "A USB link", Check: func(c Case) []Cause {
	all := with(consequences, incident.USBReset, incident.USBAbort, incident.USBDescriptor, incident.USBGone, incident.USBCurrent, incident.USBHost, incident.NoConnect, incident.TransportError, incident.DeviceOffline, incident.CommandTimeout, incident.HardwareError, incident.DeviceReset, incident.AbortedCommand)
	if events := c.of(incident.USBHost); len(events) > 0 {
		return []Cause{{Layer: incident.Controller, Host: events[0].Host, How: VeryLikely, Says: "the USB host controller died", Why: "The controller stopped answering; every device on it is lost with it.", Evidence: quote(4, events),
			Next: []Step{{"check which devices are attached to it, and update firmware; a reset of the controller brings them back", "lsusb -t"}}, explains: all}}
	}
	if answers := c.of(incident.USBDescriptor); len(answers) > 0 && !c.has(incident.USBReset, incident.USBAbort, incident.USBCurrent, incident.USBPower) && !c.has(consequences...) {
		return unanswered(answers, all)
	}
	events := c.of(incident.USBReset, incident.USBAbort, incident.USBDescriptor, incident.USBCurrent)
	failed := c.of(incident.IOError, incident.NoConnect, incident.DeviceOffline, incident.FSError, incident.FSAbort, incident.TransportError, incident.ZFSSuspended, incident.ZFSIO, incident.MDFailed)
	lost := slices.ContainsFunc(c.of(incident.USBGone), func(gone incident.Event) bool {
		return slices.ContainsFunc(failed, func(e incident.Event) bool { return inUse(e) && sameHost(e.Host, gone.Host) && !c.elsewhere(e) })
	})
	if len(events) == 0 && !lost {
		return nil
	}
	cause := Cause{Layer: incident.Link, Host: firstHost(append(events, c.of(incident.USBGone)...)), How: VeryLikely, Says: "the USB link: cable, port, bridge or its power, not the drive's medium", Why: "The device was reset or lost on the bus. Errors of the storage on it follow from that.",
		Evidence: quote(5, events, c.of(incident.USBGone)), Cleared: c.noMediaErrors(),
		Next: []Step{{"try another port and cable, without a hub; where the driver is uas, try usb-storage with a quirk", "lsusb -t"}}, explains: all}
	if !lost && !c.has(incident.USBAbort, incident.USBDescriptor, incident.USBCurrent) && !c.perhapsOnUSB(events, with(consequences, incident.NoConnect, incident.TransportError, incident.DeviceOffline)) {
		cause.How, cause.Why = Possible, "A USB device was reset. If it is a disk, errors of the storage on it follow from that; no line says so."
		if !c.perhapsOnUSB(events, all) {
			cause.explains = []incident.Kind{incident.USBReset, incident.USBGone}
		}
	}
	if c.has(incident.USBCurrent) {
		cause.Layer, cause.Says = incident.Power, "power on the USB port: over-current"
	}
	return []Cause{cause}
}}

// unanswered returns the causes where a device does not identify itself and nothing
// else is wrong. "Maybe the USB cable is bad?" is the kernel's guess in every case.
func unanswered(events []incident.Event, explains []incident.Kind) []Cause {
	base := Cause{Host: firstHost(events), How: Possible, Evidence: quote(4, events), explains: explains}
	link, controller, power := base, base, base
	link.Layer, link.Says, link.Why = incident.Link, "the USB device's cable or port", "The device does not answer when the kernel asks what it is."
	link.Next = []Step{{"try it with another cable, on another port without a hub, and on another machine", "lsusb -t"}}
	controller.Layer, controller.Says, controller.Why = incident.Controller, "the USB controller, its driver or settings", "Where a driver does not set up its port, clock or mode, no device answers on any cable."
	controller.Next = []Step{{"check whether other devices work on that port, and whether it came with a new kernel or firmware", "journalctl -k -b | grep -iE 'xhci|ehci|usb.*(fail|error)'"}}
	power.Layer, power.Says, power.Why = incident.Power, "too little power on the USB port", "A device that draws more than the port gives resets before it answers."
	power.Next = []Step{{"try it on a hub with a supply of its own", "lsusb -v 2>/dev/null | grep -E '^Bus|MaxPower'"}}
	return []Cause{link, controller, power}
}

// inUse reports whether a line is about a disk that was in use. The kernel also tries to
// flush the cache of an idle disk that was pulled.
func inUse(e incident.Event) bool { return !strings.Contains(e.Text, "Synchronize Cache") }

// perhapsOnUSB reports whether something of these kinds befell a disk that may be attached
// to USB, on a host where devices were reset.
func (c *Case) perhapsOnUSB(resets []incident.Event, kinds []incident.Kind) bool {
	return slices.ContainsFunc(c.of(kinds...), func(e incident.Event) bool {
		return strings.HasPrefix(e.Device, "sd") && !c.elsewhere(e) && slices.ContainsFunc(resets, func(r incident.Event) bool { return sameHost(r.Host, e.Host) })
	})
}

// elsewhere reports whether an event's disk is known not to be attached to USB.
func (c *Case) elsewhere(e incident.Event) bool {
	switch c.Stack.Find(e.Host, incident.Whole(e.Device)).Transport {
	case "", incident.USB, incident.Mapped:
		return strings.HasPrefix(e.Device, "nvme")
	}
	return true
}
