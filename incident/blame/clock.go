package blame

import "assay/incident"

var clock = Rule{ID: "clock", Title: "Clocks", Check: func(c Case) []Cause {
	skew, own := c.of(incident.ClockSkew), c.of(incident.ClockStepped, incident.ClockUnstable)
	if len(skew)+len(own) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Clock, How: Possible, Says: "the clock of this machine", Why: "The kernel or its time service found the clock wrong. Leases and quorums depend on it.", Evidence: quote(4, skew, own),
		Next: []Step{{"see offset and source of each host", "chronyc tracking; chronyc sources -v"}}, explains: []incident.Kind{incident.ClockSkew, incident.ClockStepped, incident.ClockUnstable, incident.CephMonDown}, anywhere: true}
	if len(skew) > 0 {
		cause.How, cause.Says = VeryLikely, "clocks of hosts that differ"
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}
