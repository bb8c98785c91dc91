package blame

import "assay/incident"

// nameService finds machines and pods whose name lookups get no answer.
var nameService = Rule{ID: "name-service", Title: "Names are not resolved", Check: func(c Case) []Cause {
	events := c.of(incident.NameFails)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.NameFails, incident.NoRoute, incident.PodCrash, incident.MountFailed, incident.NFSDown}, anywhere: true}
	network, setup := base, base
	network.Layer, network.Says, network.Why = incident.Network, "the way to the name servers", "The name servers did not answer: they are unreachable or down."
	network.Next = []Step{{"ask each name server from here, and from the node if this is a pod", "cat /etc/resolv.conf; dig @SERVER example.org; kubectl -n kube-system get pods -o wide | grep dns"}}
	setup.Layer, setup.Says, setup.Why = incident.Operator, "a wrong name, or a misconfigured name server", "A name that does not exist, or a misconfigured resolver, fails with the same message."
	setup.Next = []Step{{"check whether the name is right and which server should know it", "getent hosts NAME; resolvectl status"}}
	switch {
	case says(events, "no such host") || says(events, "plugin/loop"):
		// The server answered.
	case says(events, "i/o timeout") || says(events, "no servers could be reached"):
		if c.only(base.explains) {
			network.How = Likely
		}
	}
	return []Cause{network, setup}
}}
