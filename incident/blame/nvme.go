package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

// nvmeMedia finds NVMe drives that say they can't read or write their medium.
var nvmeMedia = Rule{ID: "nvme-media", Title: "An NVMe drive can't read its medium", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeMedia)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, Device: name, Says: "a drive: NVMe media errors", How: VeryLikely,
		Why:      "The drive answered and said that its medium failed. A bad slot or power state shows as timeouts or a controller that is gone.",
		Evidence: quote(4, events, c.of(incident.SMARTMedia, incident.SMARTWarning, incident.SMARTFailed)),
		Next:     []Step{{"see whether the media errors grew and what is logged", fmt.Sprintf("nvme smart-log %s; nvme error-log %s", path(name), path(name))}},
		explains: with(consequences, incident.SMARTMedia, incident.SMARTWarning, incident.SMARTFailed, incident.NVMeInternal, incident.MediumError, incident.ZFSChecksum, incident.SMARTWorn),
	}}
}}

// nvmeLost finds NVMe controllers that stopped answering. The bus, the power state and the
// drive's firmware look alike from here.
var nvmeLost = Rule{ID: "nvme-lost", Title: "An NVMe controller stopped answering", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeTimeout, incident.NVMeDown, incident.NVMeGone, incident.NVMeDead)
	for _, e := range c.of(incident.PowerStateErr) {
		if strings.Contains(e.Text, "nvme") {
			events = append(events, e)
		}
	}
	if len(events) == 0 || c.has(incident.NVMeOFConn) {
		return nil
	}
	if polled := c.of(incident.NVMePolled); len(polled) > 0 && total(polled) >= total(events) {
		return nil
	}
	p := place{events[0].Host, incident.ControllerOf(events[0].Device)}
	base := Cause{
		Host: p.host, Device: p.device, How: Possible, Evidence: quote(5, events),
		explains: with(consequences, incident.NVMeTimeout, incident.NVMeDown, incident.NVMeGone, incident.NVMeDead, incident.ZFSChecksum, incident.NVMePower),
	}
	bus, drive := base, base
	bus.Layer = incident.Controller
	bus.Says = "the drive's slot, link or power state"
	bus.Why = "The controller stopped answering without a media error. A deep power state (APST, ASPM), a marginal slot or riser, or a weak supply does that."
	bus.Next = []Step{{"turn off deep power states for one boot: if it stays away, that was it", "nvme_core.default_ps_max_latency_us=0 pcie_aspm=off   (kernel command line)"},
		{"see whether the link logged errors or runs below its best", "lspci -vv | grep -E 'LnkCap:|LnkSta:|CESta|UESta'"}}
	drive.Layer = incident.Drive
	drive.Says = "the drive or its firmware"
	drive.Why = "The controller stopped answering: a failing drive, its firmware or its heat does that too."
	drive.Next = []Step{{"look for critical warnings, heat and a newer firmware; try it in another slot", fmt.Sprintf("nvme smart-log %s; nvme fw-log %s", path(p.device), path(p.device))}}
	return []Cause{bus, drive}
}}

// nvmePolled finds commands that the drive had completed, of which the host was not told.
var nvmePolled = Rule{ID: "nvme-polled", Title: "Interrupts of an NVMe drive are lost", Check: func(c Case) []Cause {
	events := c.of(incident.NVMePolled)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	return []Cause{{
		Layer: incident.Controller, Host: events[0].Host, Device: name, How: VeryLikely, Says: "lost interrupts: the PCIe host or its driver, not the drive",
		Why:      "The drive had completed the command; the driver found that only when it looked after a timeout. The interrupt was lost on the way.",
		Evidence: quote(4, events), Next: []Step{{"see whether interrupts of all its queues arrive, and try another kernel or MSI-X setting", "grep " + name + " /proc/interrupts"}},
		explains: with(consequences, incident.NVMePolled, incident.NVMeTimeout),
	}}
}}
