package blame

import "assay/incident"

var multipath = Rule{ID: "multipath", Title: "A path of several failed", Check: func(c Case) []Cause {
	events := c.of(incident.PathFailed)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "a path to the storage, not a drive",
		Why:      "multipathd took a path out. Errors that stay within one path are of the path.",
		Evidence: quote(4, events), Next: []Step{{"see which paths failed and what they share", "multipath -ll"}},
		explains: remoteErrors,
	}}
}}
