package blame

import (
	"cmp"
	"slices"

	"assay/incident"
	"assay/internal/order"
)

// Verdict is the result of Judge.
type Verdict struct {
	// Cause is the cause to blame, or nil.
	Cause *Cause `json:"cause,omitempty"`
	// Rivals are causes in other layers that a merely likely Cause leaves possible.
	Rivals []Cause `json:"rivals,omitempty"`
	// Open are layers that posted lines like these leave open if Cause is only likely.
	Open []incident.Layer `json:"open,omitempty"`
	// Between are causes that these texts cannot tell apart, or the only possible one;
	// empty if there is a Cause.
	Between []Cause `json:"between,omitempty"`
	// Others are weaker causes, or causes of something else that broke too.
	Others []Cause `json:"others,omitempty"`
	// Follows are causes that another one explains.
	Follows []Cause `json:"follows,omitempty"`
	// Leads are operator actions before the first error. They are not causes by
	// themselves.
	Leads []incident.Event `json:"leads,omitempty"`
	// Missing is what these texts lack for a decision.
	Missing []Step `json:"missing,omitempty"`
}

// Rule knows the signs of one cause.
type Rule struct {
	ID    string
	Title string
	// Check is pure and total.
	Check func(Case) []Cause
}

// Rules returns all rules.
func Rules() []Rule {
	return []Rule{
		replicatedVolume, longhornEngine, iscsiSession, nvmeOF, nfsServer, fibreChannel, multipath,
		driveMedia, failedSector, driveFault, driveSMART, driveSilent, driveLogged, driveLocked, raidDrive, nvmeFatal, nvmeInternal, nvmeMedia, nvmeDenied, nvmeLost, nvmePolled, pcie, iommu, interrupts, controllerGone, hba,
		sataLink, sasLink, ataTimeout, usb, mmc,
		zfsErrors, zfsPool, mdMembers, mapped, loopFile, thinPool, poolDamaged, snapshotFull, missingVolume, lvmMetadata, noSpace, fileSystem, noFileSystem,
		mountWrong, lockedVolume, rootMissing, refused, operatorAct, appDamaged,
		drbd, ceph, cephCrash, osdStore, replicaSet, engineError, rbdClient, networkBlock,
		nicDriver, suddenStops, upsSilent, raidCache, driveMode, repaired, oneProcessor, interruptBus, damagesBoth, activation,
		nic, networkPath, clusterNetwork, portal, nameService, noRoute, memory, crashes, outOfMemory, thermal, power, clock, certificate,
		guestDisk, hypervisorError, virtualNoise, stolenTime, podVolume, multiAttach, attach, nodeLost, kernelBug, waits, slowSync, stalls, unreachable, unexplained,
	}
}

// Judge weighs what the rules find in a log.
func Judge(log incident.Log) Verdict {
	c := Case{log}
	var all []Cause
	for _, r := range Rules() {
		for _, found := range r.Check(c) {
			found.Rule = r.ID
			all = append(all, found)
		}
	}
	var v Verdict
	var roots []Cause
	for i, cause := range all {
		if slices.ContainsFunc(all[:i], cause.followsFrom) || slices.ContainsFunc(all[i+1:], cause.followsFrom) {
			v.Follows = append(v.Follows, cause)
		} else {
			roots = append(roots, cause)
		}
	}
	order.Stable(roots, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.How, a.How), cmp.Compare(total(b.Evidence), total(a.Evidence)))
	})
	v.choose(roots)
	c.weigh(&v)
	v.Leads = c.leads(v)
	v.Missing = append(v.Missing, c.missing(v)...)
	return v
}

// choose picks the surest cause, unless one in another layer is as sure. One that is
// only possible is no verdict, even without a rival: the cause may be something that
// the texts do not show.
func (v *Verdict) choose(roots []Cause) {
	if len(roots) == 0 {
		return
	}
	top := roots[0]
	rivals := slices.DeleteFunc(slices.Clone(roots), func(c Cause) bool { return c.How != top.How })
	one := !slices.ContainsFunc(rivals, func(c Cause) bool { return c.Layer != top.Layer })
	if one && top.How > Possible {
		v.Cause, v.Others = &top, roots[1:]
		if top.How == Likely {
			v.Rivals, v.Others = rivalsOf(top, roots[1:])
		}
		return
	}
	v.Between, v.Others = rivals, roots[len(rivals):]
}

// rivalsOf separates the causes in other layers that share lines with top from the rest.
func rivalsOf(top Cause, roots []Cause) (rivals, rest []Cause) {
	for _, c := range roots {
		same := func(e incident.Event) bool {
			return slices.ContainsFunc(top.Evidence, func(o incident.Event) bool { return o.Source == e.Source && o.Kind == e.Kind })
		}
		if c.Layer != top.Layer && slices.ContainsFunc(c.Evidence, same) {
			rivals = append(rivals, c)
		} else {
			rest = append(rest, c)
		}
	}
	return rivals, rest
}

// followsFrom reports whether other explains all that c rests on, and c does not explain
// other.
func (c Cause) followsFrom(other Cause) bool {
	if len(other.explains) == 0 || other.How < c.How && !other.anywhere {
		return false
	}
	if other.Host != "" && c.Host != "" && other.Host != c.Host && !other.anywhere {
		return false
	}
	covered := func(of, by Cause) bool {
		return len(of.Evidence) > 0 && !slices.ContainsFunc(of.Evidence, func(e incident.Event) bool { return !slices.Contains(by.explains, e.Kind) })
	}
	if !covered(c, other) {
		return false
	}
	return !covered(other, c) || other.How > c.How && other.How > Likely // a likely cause keeps its rivals
}

// leads returns operator actions, boots and upgrades before the first error, except those
// that the verdict rests on.
func (c *Case) leads(v Verdict) []incident.Event {
	acts := c.of(incident.Rebooted, incident.Upgraded, incident.Drained, incident.Stopped, incident.CutOff)
	first := slices.IndexFunc(c.Events, func(e incident.Event) bool { return !slices.Contains(harmless, e.Kind) })
	if first < 0 {
		return nil
	}
	acts = slices.DeleteFunc(acts, func(e incident.Event) bool {
		return e.After(c.Events[first]) || v.Cause != nil && slices.Contains(v.Cause.Evidence, e)
	})
	return acts[max(0, len(acts)-3):]
}

// harmless are kinds that show no fault.
var harmless = []incident.Kind{incident.Rebooted, incident.Upgraded, incident.Drained, incident.Booted, incident.SMARTClean, incident.NICUp, incident.DriveIdentified, incident.ATAPlugged, incident.IsGuest, incident.LVInactive, incident.Stopped, incident.CutOff, incident.PathBack}

// missing returns what would decide or confirm, and is not there.
func (c *Case) missing(v Verdict) []Step {
	var steps []Step
	known := slices.ContainsFunc(c.Stack.All(), func(d incident.Device) bool { return d.Transport != "" })
	disk := slices.ContainsFunc(c.Events, func(e incident.Event) bool { return isBlock(e.Device) })
	lower := v.Cause == nil || !slices.Contains([]incident.Layer{incident.Network, incident.OutOfMemory, incident.Clock, incident.Memory, incident.Thermal, incident.Power}, v.Cause.Layer)
	if disk && !known && lower {
		steps = append(steps, Step{"block tree: no data; it shows what a disk is attached to", treeCommand})
	}
	if disk && !c.has(append([]incident.Kind{incident.SMARTClean}, smartKinds...)...) && (v.Cause == nil || v.Cause.Layer == incident.Drive || v.Cause.Layer == incident.Link) {
		steps = append(steps, Step{"SMART: no data; the drive's own counters and error log tell a bad drive from a bad cable", "smartctl -x " + path(c.firstDisk())})
	}
	return steps
}

// firstDisk returns the disk of the first event that names one.
func (c *Case) firstDisk() string {
	for _, e := range c.Events {
		if isBlock(e.Device) {
			return incident.Whole(e.Device)
		}
	}
	return ""
}
