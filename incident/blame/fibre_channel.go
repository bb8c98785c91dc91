package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

var fibreChannel = Rule{ID: "fibre-channel", Title: "A Fibre Channel port was lost", Check: func(c Case) []Cause {
	events := c.of(incident.FCDown)
	if len(events) == 0 {
		return nil
	}
	link := Cause{
		Layer: incident.Network, Host: events[0].Host, How: VeryLikely, Says: "a Fibre Channel link or port, not a drive",
		Why:      "The adapter lost its link or a remote port: fibre, SFP, switch port, or the array's controller.",
		Evidence: quote(4, events),
		Next:     []Step{{"look at port states and error counters here, and of the switch port", "grep . /sys/class/fc_host/host*/port_state /sys/class/fc_host/host*/statistics/*err*"}},
		explains: remoteErrors,
	}
	if slices.ContainsFunc(events, func(e incident.Event) bool { return !remotePortGone(e.Text) }) {
		return []Cause{link}
	}
	link.How = Possible
	array := link
	array.Layer, array.Says = incident.Session, "the array, which took its port or volume away, or the driver that did not find it again"
	array.Why = "The log says only that a remote port stayed away. From here, an array that rebooted or unmapped its volumes looks the same as a broken path."
	array.Next = []Step{{"check on the array whether its port is up and still maps the volume to this host's WWPN", "cat /sys/class/fc_host/host*/port_name /sys/class/fc_remote_ports/rport-*/port_state"}}
	return []Cause{link, array}
}}

// remotePortGone reports whether a line is only about the other end, not about this adapter's
// link.
func remotePortGone(text string) bool {
	return strings.Contains(text, "rport-") || strings.Contains(text, "FCPort ")
}
