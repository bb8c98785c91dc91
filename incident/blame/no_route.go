package blame

import "assay/incident"

// noRoute finds hosts that could not be reached where nothing shows why.
var noRoute = Rule{ID: "no-route", Title: "A host could not be reached", Check: func(c Case) []Cause {
	events := c.of(incident.NoRoute)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "the network to a host, or its firewall", Why: "There was no way to the host: it did not answer on its own network, a router does not know it, or a firewall refuses. One that is switched off looks the same.", Evidence: quote(3, events),
		Next: []Step{{"check whether the host is up and answers", "ip route get ADDRESS; ping -c 3 ADDRESS; ip neigh"}}, explains: []incident.Kind{incident.NoRoute}}}
}}
