package blame

import "assay/incident"

// appDamaged finds databases and backups that found their own files damaged, with
// nothing to show why.
var appDamaged = Rule{ID: "app-damaged", Title: "A program found its own data damaged", Check: func(c Case) []Cause {
	events := c.of(incident.AppDamaged)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events, c.of(incident.SuddenStop)), explains: []incident.Kind{incident.AppDamaged, incident.SuddenStop, incident.AppIO, incident.PodCrash}}
	as := func(layer incident.Layer, says, why, what, command string) Cause {
		x := base
		x.Layer, x.Says, x.Why, x.Next = layer, says, why, []Step{{what, command}}
		return x
	}
	const read = "What the program reads is not what it wrote, and no device reported an error. "
	return []Cause{
		as(incident.Power, "a machine that stopped while the program wrote", read+"Writes in flight or still in a drive's cache when the power failed are incomplete.", "check whether the last boots ended with a shutdown, then restore the data or have the program repair them", "last -x reboot shutdown | head; journalctl --list-boots"),
		as(incident.Drive, "a drive that returns wrong data or loses writes", read+"Drives rarely do that, but the program can't tell where the data was damaged.", "read the drive's report, and see whether the same file is wrong twice", "smartctl -x /dev/DEVICE; sha256sum FILE; sha256sum FILE"),
		as(incident.Memory, "memory that flips bits", read+"What was damaged in memory is written as it is.", "test the memory; look for corrected errors", "memtester 1G 3; ras-mc-ctl --summary"),
	}
}}
