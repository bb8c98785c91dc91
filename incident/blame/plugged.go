package blame

import (
	"slices"
	"time"

	"assay/incident"
)

const (
	// plugging is the longest that libata takes to bring up the link of a new drive: its
	// resets may take 10, 10, 35 and 5 s (ata_eh_reset_timeouts).
	plugging = time.Minute
	// mostPlugs is how often a drive is plugged in by hand within minutes: more than that
	// points to a bad connector.
	mostPlugs = 2
	// resetsEach is the number of reset lines allowed per plug-in.
	resetsEach = 4
)

// withoutPlugs drops the link events of a drive that is being plugged in and not in use yet.
func (c *Case) withoutPlugs(events []incident.Event) []incident.Event {
	plugs := c.of(incident.ATAPlugged)
	return slices.DeleteFunc(events, func(e incident.Event) bool {
		return (e.Kind == incident.ATAReset || e.Kind == incident.ATALinkError) && slices.ContainsFunc(plugs, func(plug incident.Event) bool { return partOf(plug, e) })
	})
}

// partOf reports whether a link event is merely part of plugging in a drive.
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
