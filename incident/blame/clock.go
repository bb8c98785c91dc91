package blame

import "assay/incident"

// byClocks are what wrong clocks show, and what they break: leases and quorums.
var byClocks = with(overClocks, incident.PodCrash, incident.MountFailed, incident.NodeNotReady, incident.ClusterNet, incident.DRBDQuorum, incident.RBDBlocked, incident.NoRoute)

var overClocks = []incident.Kind{incident.ClockSkew, incident.CertNotYet, incident.ClockStepped, incident.ClockUnstable, incident.CephMonDown}

var clock = Rule{ID: "clock", Title: "Clocks", Check: func(c Case) []Cause {
	skew, early, own := c.of(incident.ClockSkew), c.of(incident.CertNotYet), c.of(incident.ClockStepped, incident.ClockUnstable)
	if len(skew)+len(early)+len(own) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Clock, How: Possible, Says: "the clock of this machine", Why: "The kernel or its time service found the clock wrong. Leases and quorums depend on it.", Evidence: quote(4, skew, early, own),
		Next: []Step{{"see offset and source of each host", "chronyc tracking; chronyc sources -v"}}, explains: overClocks, anywhere: true}
	if len(skew) == 0 && len(early) > 0 {
		cause.Says, cause.Why = "a clock that is behind", "A certificate is not valid yet: the clock here is behind, or the clock was ahead where and when the certificate was made."
	}
	if len(skew)+len(early) > 0 {
		if len(skew) > 0 {
			cause.Says = "clocks of hosts that differ"
		}
		// A clock makes no device fail: beside such errors it is a fault of its own.
		if c.only(byClocks) {
			cause.How = VeryLikely
		}
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}
