package blame

import (
	"slices"

	"assay/incident"
)

// operatorAct finds commands that took away what then was missed: a link, a path, a member, a
// disk.
var operatorAct = Rule{ID: "operator-act", Title: "A command took something away", Check: func(c Case) []Cause {
	acts := c.of(incident.CutOff, incident.Stopped)
	cut := with(overNetwork, incident.CephDown, incident.CephMonDown, incident.CephDegraded, incident.PathFailed, incident.PathsLost, incident.NVMeGone, incident.EngineError, incident.NodeNotReady, incident.NameFails, incident.PortalFails,
		incident.SlowSync, incident.PVMissing, incident.ISCSILogin, incident.FCDown, incident.ATALinkDown)
	missed := c.of(cut...)
	if len(acts) == 0 || !precedes(acts, missed) || !c.only(cut) {
		return nil
	}
	return []Cause{{
		Layer: incident.Operator, Host: acts[0].Host, Device: acts[0].Device, How: Likely, Says: "a command that took away what is missed",
		Why:      "The texts show a command that cuts something off, just before the first error, and all errors are those of something that is not reached any more.",
		Evidence: slices.Concat(quote(2, acts), quote(3, missed)),
		Next:     []Step{{"see who gave the command and what for, and take it back", "last; journalctl _COMM=sudo --since '1 hour ago'; history | tail -50"}},
		explains: with(cut, incident.CutOff, incident.Stopped), anywhere: true,
	}}
}}
