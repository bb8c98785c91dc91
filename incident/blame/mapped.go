package blame

import "assay/incident"

// mapped finds mapped devices whose own table makes them fail, delay or suspend.
var mapped = Rule{ID: "mapped", Title: "A mapped device fails by its own table", Check: func(c Case) []Cause {
	fails, delays, suspended := c.of(incident.MapFails), c.of(incident.MapDelays), c.of(incident.MapSuspended)
	events := append(append(append([]incident.Event{}, fails...), suspended...), delays...)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.Volumes, Host: events[0].Host, Device: events[0].Device, How: Possible, Cleared: c.noDriveErrors(),
		Next:     []Step{{"check its table, and whether a physical volume is missing", "dmsetup table; dmsetup info -c; pvs; lsblk -s " + path(events[0].Device)}},
		explains: with(consequences, incident.MapFails, incident.MapSuspended, incident.MapDelays),
	}
	var felt []incident.Event
	switch {
	case len(fails) > 0:
		felt = c.of(consequences...)
		cause.Says, cause.Why = "a mapped device that returns errors by its own table, not a drive", "Its device-mapper table has a target that answers with errors, whatever the disks under it do: LVM puts one where a physical volume is missing; tests put one on purpose."
	case len(suspended) > 0:
		felt = c.of(incident.HungTask)
		cause.Says, cause.Why = "a mapped device that was left suspended, not a drive", "A suspended device holds all requests back until it is resumed. A command that changes its table (lvresize, pvmove, a snapshot) and was killed leaves it so."
		cause.Next = append(cause.Next, Step{"let it go on, once no such command is at work on it", "dmsetup resume " + path(events[0].Device)})
	default:
		cause.Says, cause.Why = "a mapped device that delays requests by its own table, not a drive", "Its device-mapper table has the target delay, which waits before each request: tests put one on purpose."
	}
	// Other failures may have removed a physical volume.
	if c.onlyOn(cause.Host, cause.explains) {
		cause.How = VeryLikely
	}
	cause.Evidence = quote(5, events, felt)
	return []Cause{cause}
}}
