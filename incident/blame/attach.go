package blame

import (
	"strings"

	"assay/incident"
)

// attach finds volumes that a CSI driver could not attach or mount, if nothing else says
// why.
var attach = Rule{ID: "attach", Title: "A CSI driver could not attach or mount a volume", Check: func(c Case) []Cause {
	var events []incident.Event
	for _, e := range c.of(incident.MountFailed) {
		if strings.Contains(e.Text, "rpc error: code = ") || strings.Contains(e.Text, "DeadlineExceeded") || strings.Contains(e.Text, "csi.") {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.MountFailed}}
	engine, network := base, base
	engine.Layer, engine.Says, engine.Why = incident.Engine, "what provides the volume: its engine or CSI driver", "Kubernetes asked the driver to attach or mount a volume, and it answered with an error or too late."
	engine.Next = []Step{{"read what the driver and its engine logged in the same minute", "kubectl get volumeattachments; kubectl get pods -A | grep -iE 'csi|longhorn|ceph|linstor'; kubectl logs -n NAMESPACE POD -c CONTAINER --since=1h"}}
	network.Layer, network.Says, network.Why = incident.Network, "the network to where the volume lies", "A driver that can't reach its cluster fails or waits too."
	network.Next = []Step{{"check whether this node reaches the hosts of the storage", "ping -c 3 HOST; kubectl get nodes -o wide"}}
	return []Cause{engine, network}
}}
