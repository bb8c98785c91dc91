package blame

import "assay/incident"

// driveSMART takes a drive at its word.
var driveSMART = Rule{ID: "drive-smart", Title: "A drive reports errors or its end", Check: func(c Case) []Cause {
	places, of := byDevice(c.of(incident.SMARTFailed, incident.SMARTPending, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTMedia, incident.SMARTRealloc, incident.SMARTWorn, incident.SMARTWarning))
	var found []Cause
	for _, p := range places {
		events := of[p]
		cause := Cause{
			Layer: incident.Drive, Host: p.host, Device: p.device, Says: "a drive: its own report counts errors", How: VeryLikely,
			Why: "The drive counts sectors that it can't read, or reports that it fails.", Evidence: quote(5, events),
			Next:     []Step{{"read the report again in an hour: counters that grow mean that it goes on", "smartctl -x " + path(p.device)}},
			explains: with(consequences, incident.SMARTRealloc, incident.SMARTPending, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTMedia, incident.ATATimeout, incident.ATAReset, incident.ATADeviceFail, incident.SMARTCRC, incident.ZFSChecksum, incident.SMARTWarning, incident.SMARTWorn, incident.AbortedCommand, incident.CommandTimeout, incident.TaskAbort, incident.DeviceReset, incident.HBAInfo, incident.ATADead),
		}
		switch {
		case hasKind(events, incident.SMARTFailed):
			cause.Says = "a drive: its SMART status is FAILED"
			cause.How = Certain
			cause.Next = []Step{{"replace it; copy what is only there first", "ddrescue -n " + path(p.device) + " IMAGE MAP"}}
		case hasKind(events, incident.SMARTPending), hasKind(events, incident.SMARTSelfTest), hasKind(events, incident.SMARTErrorLog):
		case hasKind(events, incident.SMARTMedia):
			cause.How, cause.Says = Possible, "a drive that counted media errors at some time"
			cause.Why = "The drive counts media errors over its life. Whether they have to do with this depends on whether the count grew."
		default:
			cause.How, cause.Says = Possible, "a drive that shows wear or replaced sectors"
			cause.Why = "The drive shows wear or replaced sectors. That alone does not explain errors."
		}
		if cause.How == Possible && !c.has(incident.IOError, incident.ZFSIO, incident.ZFSChecksum, incident.ATATimeout, incident.FSError) && len(c.of(smartKinds...)) == 0 {
			cause.explains = nil
		}
		found = append(found, cause)
	}
	return merge(found)
}}
