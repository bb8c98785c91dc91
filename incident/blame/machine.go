package blame

import "assay/incident"

var memory = Rule{ID: "memory", Title: "Memory or CPU errors", Check: func(c Case) []Cause {
	fatal, corrected, mce, bad := c.of(incident.EDACFatal), c.of(incident.EDACCorrected), c.of(incident.MCE), c.of(incident.BadPage)
	all := with(consequences, incident.EDACFatal, incident.EDACCorrected, incident.MCE, incident.BadPage, incident.ZFSChecksum, incident.CPUStall)
	cause := Cause{Layer: incident.Memory, Next: []Step{{"see which DIMM, and how often", "ras-mc-ctl --summary; ras-mc-ctl --errors | tail"}}, explains: all}
	var events []incident.Event
	switch {
	case len(fatal) > 0:
		events, cause.How, cause.Says, cause.Why = fatal, Certain, "a memory module: errors that could not be corrected", "The memory controller says so. Anything read from there may be wrong."
	case len(corrected) > 0:
		events, cause.How, cause.Says, cause.Why = corrected, VeryLikely, "a memory module: corrected errors", "The memory controller corrects errors. Bursts of them come before errors that it can't correct."
	case len(mce) > 0:
		events, cause.How, cause.Says, cause.Why = mce, VeryLikely, "CPU or memory: machine checks", "The CPU reports hardware errors of its own."
	case len(bad) > 0:
		events, cause.How, cause.Says, cause.Why = bad, Possible, "memory, or a kernel bug", "The kernel found its own memory damaged."
		cause.Next = []Step{{"test the memory over night", "memtester 1G 3   (better: memtest86+ from the boot menu)"}}
	default:
		return nil
	}
	cause.Host, cause.Evidence = events[0].Host, quote(4, events)
	return []Cause{cause}
}}

var outOfMemory = Rule{ID: "out-of-memory", Title: "Out of memory", Check: func(c Case) []Cause {
	within, host := c.of(incident.OOMCgroup), c.of(incident.OOM)
	if len(within)+len(host) == 0 {
		return nil
	}
	events := append(within, host...)
	cause := Cause{Layer: incident.OutOfMemory, Host: events[0].Host, How: VeryLikely, Says: "the host ran out of memory, not a disk fault", Why: "The kernel killed processes to free memory.", Evidence: quote(4, events),
		Next:     []Step{{"see what used the memory when it happened", "journalctl -k | grep -A40 'invoked oom-killer' | less"}},
		explains: []incident.Kind{incident.OOM, incident.OOMCgroup, incident.PodCrash, incident.NodeNotReady, incident.HungTask, incident.CPUStall, incident.ReplicaError, incident.EngineFault, incident.CephDown, incident.ISCSIConn, incident.ISCSIDead, incident.NoRoute, incident.MountFailed}}
	if len(within) > 0 {
		cause.Says, cause.Why = "a pod or service hit its memory limit, not a disk fault", "The kernel killed a process of a group that reached its own limit; the host had memory left."
		cause.Next = []Step{{"see which pod, and raise its limit or find its leak", "kubectl get pods -A -o json | jq -r '.items[] | select(.status.containerStatuses[]?.lastState.terminated.reason == \"OOMKilled\") | .metadata.name'"}}
	}
	return []Cause{cause}
}}

var thermal = Rule{ID: "thermal", Title: "Heat", Check: func(c Case) []Cause {
	hot, throttled := c.of(incident.TooHot), c.of(incident.Throttled)
	if len(hot)+len(throttled) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Thermal, How: Possible, Says: "heat: the CPU is throttled", Why: "The CPU slows itself down. That makes things slow and breaks nothing by itself.", Evidence: quote(4, hot, throttled),
		Next: []Step{{"see temperatures and fans under load", "sensors"}}, explains: []incident.Kind{incident.Throttled, incident.TooHot, incident.MCE}}
	if len(hot) > 0 {
		cause.How, cause.Says, cause.Why = VeryLikely, "heat: a critical temperature was reached", "The machine protects itself by shutting down or resetting."
		cause.explains = append(cause.explains, incident.Rebooted, incident.NVMeDown, incident.NVMeTimeout)
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}

var power = Rule{ID: "power", Title: "Power", Check: func(c Case) []Cause {
	events := c.of(incident.UnderVoltage, incident.PowerLost)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Power, Host: events[0].Host, How: VeryLikely, Says: "the power supply", Why: "The machine measured that its supply sags or is gone.", Evidence: quote(4, events),
		Next:     []Step{{"use a stronger supply and a shorter cable; power disks by themselves", "vcgencmd get_throttled   (ipmitool sel list on a server)"}},
		explains: with(consequences, incident.UnderVoltage, incident.USBReset, incident.USBAbort, incident.USBDescriptor, incident.USBGone, incident.USBCurrent, incident.MMCError, incident.ATATimeout, incident.ATAReset, incident.ATALinkDown, incident.NoConnect, incident.DeviceOffline, incident.Rebooted)}}
}}

var clock = Rule{ID: "clock", Title: "Clocks", Check: func(c Case) []Cause {
	skew, own := c.of(incident.ClockSkew), c.of(incident.ClockStepped, incident.ClockUnstable)
	if len(skew)+len(own) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Clock, How: Possible, Says: "the clock of this machine", Why: "The kernel or its time service found the clock wrong. Leases and quorums depend on it.", Evidence: quote(4, skew, own),
		Next: []Step{{"see offset and source of each host", "chronyc tracking; chronyc sources -v"}}, explains: []incident.Kind{incident.ClockSkew, incident.ClockStepped, incident.ClockUnstable, incident.CephMonDown}, anywhere: true}
	if len(skew) > 0 {
		cause.How, cause.Says = VeryLikely, "clocks of hosts that differ"
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}
