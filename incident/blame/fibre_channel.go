package blame

import "assay/incident"

var fibreChannel = Rule{ID: "fibre-channel", Title: "A Fibre Channel port was lost", Check: func(c Case) []Cause {
	events := c.of(incident.FCDown)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "a Fibre Channel link or port, not a drive",
		Why:      "The adapter lost its link or a remote port: fibre, SFP, switch port, or the array's controller.",
		Evidence: quote(4, events),
		Next:     []Step{{"look at port states and error counters here, and of the switch port", "grep . /sys/class/fc_host/host*/port_state /sys/class/fc_host/host*/statistics/*err*"}},
		explains: remoteErrors,
	}}
}}
