package blame

import "assay/incident"

var multipath = Rule{ID: "multipath", Title: "A path of several failed", Check: func(c Case) []Cause {
	if lost := c.of(incident.PathsLost); len(lost) > 0 {
		return c.allPaths(lost)
	}
	events := c.of(incident.PathFailed)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Network, Host: events[0].Host, How: Possible, Says: "a path to the storage, not a drive",
		Why:      "multipathd failed a path. Errors confined to one path come from that path.",
		Evidence: quote(4, events), Next: []Step{{"check which paths failed and what they share", "multipath -ll"}},
		explains: remoteErrors,
	}}
}}

// allPaths finds disks without any path left: paths that share nothing do not fail
// together by themselves, but they do share the target or LUN behind them.
func (c *Case) allPaths(lost []incident.Event) []Cause {
	base := Cause{Host: lost[0].Host, How: Possible, Evidence: quote(4, lost, c.of(incident.PathFailed)), explains: remoteErrors,
		Next: []Step{{"check which disk it is, and whether its target still offers it", "multipath -ll; iscsiadm -m session -P 3"}}}
	target, network := base, base
	target.Layer, target.Says, target.Why = incident.Session, "the target of a disk, or what it offers: all paths are gone", "All paths to the disk failed. What they have in common is the target, and the LUN on it: it was removed, is no longer allowed for this host, or its server stopped answering."
	network.Layer, network.Says, network.Why = incident.Network, "the network that all paths share", "Paths that lead through the same switch or port fail together too."
	if c.onlyOn(base.Host, remoteErrors) && len(c.of(incident.NICDown, incident.BondDown, incident.FCDown)) == 0 {
		target.How = Likely
	}
	return []Cause{target, network}
}
