package blame

import (
	"fmt"

	"assay/incident"
)

// suddenStops finds drives that lost power repeatedly.
var suddenStops = Rule{ID: "sudden-stops", Title: "A drive that is cut off again and again", Check: func(c Case) []Cause {
	events := c.of(incident.SMARTUnsafe)
	if len(events) == 0 || !c.has(incident.SuddenStop) && !c.has(consequences...) {
		return nil // a count over years alone is no sign of a current fault
	}
	cause := Cause{Layer: incident.Power, Host: events[0].Host, Device: events[0].Device, How: Possible, Says: "the power of a drive, or of the bridge that it is on",
		Why:      fmt.Sprintf("The drive has counted %.0f unsafe shutdowns. Cutting the power now and then does not add up to that; a power supply, plug or USB bridge that drops out briefly does.", events[0].Value),
		Evidence: quote(4, events, c.of(incident.SuddenStop)),
		Next:     []Step{{"read the count again tomorrow; give the drive another supply, cable or bridge, and see whether it stands still", "smartctl -A " + path(events[0].Device)}},
		explains: with(consequences, incident.SMARTUnsafe, incident.SuddenStop, incident.SMARTLogged)}
	if c.only(with(cause.explains, incident.SMARTClean)) {
		cause.How = Likely
		cause.Why += " The file systems were left as they are when the power goes, too."
	}
	return []Cause{cause}
}}
