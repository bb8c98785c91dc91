package blame

import "assay/incident"

// portal finds unreachable iSCSI portals where no session was lost.
var portal = Rule{ID: "portal", Title: "An iSCSI portal was not reached", Check: func(c Case) []Cause {
	events := c.of(incident.PortalFails)
	if len(events) == 0 || c.has(incident.ISCSIDead, incident.ISCSILogin) {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events, c.of(incident.ISCSIConn)), explains: with(consequences, incident.PortalFails, incident.ISCSIConn, incident.NoRoute)}
	network, target := base, base
	network.Layer, network.Says, network.Why = incident.Network, "the network to the portal, or the firewall in between", "The initiator got no answer from the address of the portal. The address of a service of Kubernetes must be reached from the node itself, too."
	network.Next = []Step{{"check whether the port answers from this machine", "nc -vz ADDRESS 3260; ip route get ADDRESS"}}
	target.Layer, target.Says, target.Why = incident.Session, "the target, which does not listen", "A target that does not run looks the same."
	target.Next = []Step{{"check on its host whether it is listening", "ss -tlnp | grep 3260"}}
	return []Cause{network, target}
}}
