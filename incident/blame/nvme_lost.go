package blame

import (
	"fmt"
	"slices"
	"strings"

	"assay/incident"
)

// nvmeLost finds NVMe controllers that stopped answering. Bus, power-state and firmware
// faults look alike from here.
var nvmeLost = Rule{ID: "nvme-lost", Title: "An NVMe controller stopped answering", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeTimeout, incident.NVMeDown, incident.NVMeGone, incident.NVMeDead)
	for _, e := range c.of(incident.PowerStateErr) {
		if strings.Contains(e.Text, "nvme") {
			events = append(events, e)
		}
	}
	if len(events) == 0 || c.has(incident.NVMeOFConn, incident.NVMeFatal, incident.NVMeUnready) && !c.has(incident.NVMeGone) {
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
		{"check whether the link logged errors or runs below its best", "lspci -vv | grep -E 'LnkCap:|LnkSta:|CESta|UESta'"}}
	drive.Layer = incident.Drive
	drive.Says = "the drive or its firmware"
	drive.Why = "The controller stopped answering: a failing drive, its firmware or its heat does that too."
	drive.Next = []Step{{"look for critical warnings, heat and a newer firmware; try it in another slot", fmt.Sprintf("nvme smart-log %s; nvme fw-log %s", path(p.device), path(p.device))}}
	if c.hasOn(p.host, incident.IsGuest) {
		lent := base
		lent.Layer, lent.Says, lent.Why = incident.Hypervisor, "the hypervisor's storage", "This is a virtual machine: unless the drive is passed through to it, a hypervisor answers for it."
		lent.Next = []Step{{"check what the drive calls itself, and what the hypervisor logged in the same minute", "nvme list"}}
		if c.inCloud(p.host) {
			lent.How = Likely
			lent.Why = "This is a cloud VM: its NVMe disks are volumes that the cloud keeps elsewhere."
		}
		return []Cause{lent, bus, drive}
	}
	if says(events, "CSTS=0xffffffff, PCI_STATUS=0x10") && !c.has(incident.SMARTWarning, incident.SMARTMedia, incident.SMARTFailed, incident.TooHot) {
		bus.How = Likely
		bus.Why = "The controller's registers read as all ones while its PCI configuration could be read (PCI_STATUS=0x10): the drive is on the bus and lost its settings, as after a reset of the link, a power state that it does not leave, or a supply that sags."
	}
	if bus.How == Possible && says(events, "device inaccessible") && !c.has(incident.SMARTWarning, incident.SMARTMedia, incident.SMARTFailed, incident.SMARTWorn, incident.NVMeMedia, incident.NVMeInternal, incident.TooHot, incident.Warm) {
		bus.How = Likely
		bus.Why = "The kernel could not bring the device back from a power state: its configuration on the bus reads as all ones, and it reported no error of its medium or firmware before. A power state that it does not wake from (APST, ASPM, D3cold), a link that does not hold its speed, or a weak supply does that more often than a drive that dies."
	}
	return []Cause{bus, drive}
}}

// clouds are strings found only in cloud machines and kernels.
var clouds = []string{"Amazon EC2", "Google Compute Engine", "Alibaba Cloud", "-aws ", "-azure ", "-gcp ", "-gke ", "DigitalOcean", "OpenStack"}

// inCloud reports whether a host is a cloud VM.
func (c *Case) inCloud(host string) bool {
	return slices.ContainsFunc(c.of(incident.IsGuest), func(e incident.Event) bool {
		return e.Host == host && slices.ContainsFunc(clouds, func(word string) bool { return strings.Contains(e.Text, word) })
	})
}
