package blame

import "assay/incident"

// upsSilent finds UPSs whose daemon lost contact with them: it shuts down machines that
// were on battery then.
var upsSilent = Rule{ID: "ups-silent", Title: "A UPS does not answer its daemon", Check: func(c Case) []Cause {
	events := c.of(incident.UPSSilent)
	if len(events) == 0 || c.has(incident.PowerLost) {
		return nil
	}
	cause := Cause{Layer: incident.Power, Host: events[0].Host, How: Possible, Says: "a UPS that its daemon can't reach", Evidence: quote(3, events),
		Why:      "The daemon that watches the UPS lost it: its cable, its USB port, its driver or the UPS itself. Machines that were on battery at the time shut down at once.",
		Next:     []Step{{"check whether it is found again, and move its USB cable to another port", "upsc UPS; lsusb; journalctl -u 'nut*' -u apcupsd"}},
		explains: []incident.Kind{incident.UPSSilent, incident.Rebooted}}
	if c.excerpt() && c.only(with(cause.explains, incident.USBReset, incident.USBGone)) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
