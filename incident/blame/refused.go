package blame

import "assay/incident"

// refused finds requests rejected because of how something is configured. Such a line is
// meaningful only where nothing else went wrong.
var refused = Rule{ID: "refused", Title: "A request was refused for how something is set up", Check: func(c Case) []Cause {
	events := c.of(incident.Refused)
	if len(events) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Operator, Host: events[0].Host, How: Possible, Says: "how it was set up or asked for, nothing that broke", Evidence: quote(4, events),
		Why:      "The program says what it does not accept: a setting, a name, a right, or something else that holds the device. No line speaks of hardware, of the network or of lost data.",
		Next:     []Step{{"compare what it was asked for with what is there", "journalctl -b -p warning; lsblk -f; findmnt --verify"}},
		explains: []incident.Kind{incident.Refused, incident.MountFailed, incident.PodCrash, incident.FSNoSuper, incident.AppIO, incident.NodeNotReady, incident.VirtualNoise, incident.HypervisorError, incident.EngineError}}
	if c.only(cause.explains) && !c.has(incident.FSNoSuper, incident.AppIO) {
		cause.How = Likely
	}
	return []Cause{cause}
}}
