package blame

import "assay/incident"

// nvmeDenied finds drives that reject reads because they are locked. The kernel calls that
// a medium error too.
var nvmeDenied = Rule{ID: "nvme-denied", Title: "An NVMe drive denies access", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeDenied)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	return []Cause{{
		Layer: incident.Operator, Host: events[0].Host, Device: name, How: VeryLikely, Says: "a locked drive: it denies access, and its medium is not at fault",
		Why:      "The drive answered \"access denied\" (sct 0x2 / sc 0x86). A self-encrypting drive does so while its range is locked.",
		Evidence: quote(4, events), Next: []Step{{"check whether it is locked, and unlock it with its key", "sedutil-cli --query " + path(name)}},
		explains: with(consequences, incident.NVMeMedia, incident.NVMeDenied),
	}}
}}
