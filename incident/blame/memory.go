package blame

import "assay/incident"

var memory = Rule{ID: "memory", Title: "Memory or CPU errors", Check: func(c Case) []Cause {
	failed := c.of(incident.MemoryTest)
	fatal, corrected, mce, bad := c.of(incident.EDACFatal), c.of(incident.EDACCorrected), c.of(incident.MCE, incident.MCELogged), c.of(incident.BadPage)
	all := with(consequences, incident.EDACFatal, incident.EDACCorrected, incident.MCE, incident.MCELogged, incident.BadPage, incident.MemoryTest, incident.ZFSChecksum, incident.CPUStall)
	cause := Cause{Layer: incident.Memory, Next: []Step{{"check which DIMM, and how often", "ras-mc-ctl --summary; ras-mc-ctl --errors | tail"}}, explains: all}
	var events []incident.Event
	switch {
	case len(fatal) > 0:
		events, cause.How, cause.Says, cause.Why = fatal, Certain, "a memory module: errors that could not be corrected", "The memory controller says so. Anything read from there may be wrong."
	case len(failed) > 0:
		events, cause.How, cause.Says, cause.Why = failed, VeryLikely, "memory or CPU: a test of it failed", "The test read back or computed wrong values. No disk is involved."
		cause.Next = []Step{{"test again without overclocking, and with one module at a time", "memtester 1G 3   # memtest86+ from the boot menu tests all of it"}}
	case len(corrected) > 0:
		events, cause.How, cause.Says, cause.Why = corrected, VeryLikely, "a memory module: corrected errors", "The memory controller corrects errors. Bursts of them come before errors that it can't correct."
	case len(mce) > 0:
		events, cause.How, cause.Says, cause.Why = mce, VeryLikely, "CPU or memory: machine checks", "The CPU reports hardware errors of its own."
		if !hasKind(mce, incident.MCE) && c.hasOn(mce[0].Host, incident.Throttled) {
			cause.How = Possible // CPU overheating is logged as one too
		}
		if c.has(incident.NVMeGone, incident.NVMeDead, incident.NVMeFatal, incident.NVMeDown, incident.PowerStateErr, incident.ControllerGone, incident.HBAFault) || says(mce, "Bus") && says(mce, "I/O") {
			cause.How = Possible
			cause.Why += " A PCI Express device that stops responding can raise machine checks, too."
		}
	case len(bad) > 0:
		events, cause.How, cause.Says, cause.Why = bad, Possible, "memory, or a kernel bug", "The kernel found its own memory damaged."
		if c.only(all) {
			cause.How = Likely
			cause.Why += " Nothing else is wrong in these texts. That points to bad memory, rarely to a bug."
		}
		cause.Next = []Step{{"test the memory overnight", "memtester 1G 3   # memtest86+ from the boot menu tests all of it"}}
	default:
		return nil
	}
	cause.Host, cause.Evidence = events[0].Host, quote(4, events)
	return []Cause{cause}
}}
