package blame

import (
	"slices"
	"time"

	"assay/incident"
)

const (
	// plugging is how long libata takes at most to bring up the link of a new drive: its
	// resets may take 10, 10, 35 and 5 s (ata_eh_reset_timeouts).
	plugging = time.Minute
	// mostPlugs is how often somebody plugs a drive in, all told, within minutes: one that
	// comes more often hangs on a bad plug.
	mostPlugs = 2
	// resetsEach is how many lines of resets one may have.
	resetsEach = 4
)

// withoutPlugs leaves out what a link shows when a drive is plugged in, and is not used yet.
func (c *Case) withoutPlugs(events []incident.Event) []incident.Event {
	plugs := c.of(incident.ATAPlugged)
	return slices.DeleteFunc(events, func(e incident.Event) bool {
		return (e.Kind == incident.ATAReset || e.Kind == incident.ATALinkError) && slices.ContainsFunc(plugs, func(plug incident.Event) bool { return partOf(plug, e) })
	})
}

// partOf reports whether a link shows no more than a drive that is plugged in.
func partOf(plug, e incident.Event) bool {
	if plug.Host != e.Host || plug.Device != e.Device || plug.Count > mostPlugs || e.Count > resetsEach*plug.Count {
		return false
	}
	if before, ok := plug.First.Since(e.First); ok {
		after, _ := e.Last.Since(plug.Last)
		return before >= 0 && before <= plugging && after <= plugging
	}
	return plug.Source.File == e.Source.File && e.Source.Line < plug.Source.Line && e.Until <= plug.Until
}
