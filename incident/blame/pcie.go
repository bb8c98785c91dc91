package blame

import (
	"slices"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// pcie finds PCIe links that lose packets.
var pcie = Rule{ID: "pcie", Title: "A PCIe link has errors", Check: func(c Case) []Cause {
	events := c.of(incident.AERFatal, incident.AERCorrected, incident.PCIeDown)
	if len(events) == 0 {
		return nil
	}
	link := Cause{
		Layer: incident.Controller, Host: events[0].Host, Device: events[0].Device, How: VeryLikely, Says: "a PCIe link: slot, riser or power state, rather than the drive's medium",
		Why:      "The bus itself counts errors: packets arrived damaged or not at all. Whatever is on the link fails with it.",
		Evidence: quote(4, events),
		Next: []Step{{"check which device and slot, and whether the link runs below its best", "lspci -tv; lspci -vv | grep -E 'LnkCap:|LnkSta:|CESta|UESta'"},
			{"reseat it, remove the riser, or set the slot one generation lower in the firmware; try without power saving", "pcie_aspm=off   (kernel command line)"}},
		explains: with(consequences, incident.NVMeTimeout, incident.NVMeDown, incident.NVMeGone, incident.NVMeDead, incident.NVMePower, incident.PowerStateErr, incident.AERCorrected, incident.PCIeNarrow, incident.HBAFault, incident.CommandTimeout, incident.ZFSChecksum, incident.NICHang, incident.PCIeDown, incident.AERFatal, incident.MCE, incident.MCELogged, incident.NICError),
	}
	if c.refusedOnBus() {
		link.How, link.Says = Possible, "a PCIe device that rejects requests, or its driver"
		link.Why = "The errors are rejected requests (UnsupReq, CmpltAbrt). Those arrived intact, so the cause is a driver, firmware or a removed device, not a cable, slot or riser."
		link.Next = []Step{{"check what was loaded, removed or reset right before, and try another kernel or firmware", "journalctl -k | grep -B30 -m1 'PCIe Bus Error'; lspci -vv | grep -E 'UESta|CESta'"}}
	}
	return []Cause{link}
}}

// errorBit matches a line in which AER names a status register bit: "[20] UnsupReq  (First)".
var errorBit = lazyregexp.New(`\[ ?\d+\] ([A-Z][A-Za-z]+)`)

// refusals are the bits for packets that arrived intact and were rejected (PCI
// Express Base Specification, 6.2.3.2: Unsupported Request, Completer Abort, ACS
// Violation).
var refusals = []string{"UnsupReq", "CmpltAbrt", "ACSViol"}

// refusedOnBus reports whether all AER bits in an excerpt are refusals.
func (c *Case) refusedOnBus() bool {
	if !c.Excerpt() {
		return false
	}
	named := false
	for _, l := range c.Head {
		m := errorBit.FindStringSubmatch(l.Text)
		if m == nil {
			continue
		}
		if !slices.Contains(refusals, m[1]) {
			return false
		}
		named = true
	}
	return named
}
