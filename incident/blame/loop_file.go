package blame

import "assay/incident"

// loopFile finds loop devices whose file is shorter than they claim.
var loopFile = Rule{ID: "loop-file", Title: "A loop device is longer than its file", Check: func(c Case) []Cause {
	events := c.of(incident.LoopShort)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{
		Layer: incident.FileSystem, Host: events[0].Host, Device: events[0].Device, How: Possible, Says: "the file under a loop device, which was cut short, not a drive",
		Why: "The device was set up when its file was longer. What lies past the end of the file is gone: reads there fail, or return zeros where the device goes through the page cache.", Cleared: c.noDriveErrors(),
		Next:     []Step{{"check which file it is, and restore it from a copy", "losetup --list " + path(events[0].Device)}},
		explains: with(consequences, incident.LoopShort),
	}
	var failed []incident.Event
	for _, e := range c.of(consequences...) {
		if e.Host == events[0].Host && incident.Whole(e.Device) == events[0].Device {
			failed = append(failed, e)
		}
	}
	switch {
	case len(failed) > 0:
		cause.How = Certain
	case c.onlyOn(cause.Host, cause.explains):
		cause.How = VeryLikely
	}
	cause.Evidence = quote(5, events, failed)
	return []Cause{cause}
}}
