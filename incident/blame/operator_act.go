package blame

import (
	"slices"
	"strings"

	"assay/incident"
)

// operatorAct finds commands that removed what was missed afterwards: a link, a path, a
// member, a disk.
var operatorAct = Rule{ID: "operator-act", Title: "A command took something away", Check: func(c Case) []Cause {
	acts := c.of(incident.CutOff, incident.Stopped)
	cut := with(overNetwork, incident.CephDown, incident.CephMonDown, incident.CephDegraded, incident.PathFailed, incident.PathsLost, incident.NVMeGone, incident.EngineError, incident.NodeNotReady, incident.NameFails, incident.PortalFails,
		incident.SlowSync, incident.PVMissing, incident.ISCSILogin, incident.FCDown, incident.ATALinkDown)
	for _, e := range acts {
		cut = append(cut, lostBy(e.Text)...)
	}
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

// lostBy returns the kinds of things missed after a command that overwrites or removes data,
// or sets the clock.
func lostBy(command string) []incident.Kind {
	within := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(command, w) })
	}
	switch {
	case within("dd if=", "mkfs", "wipefs", "sgdisk", "lvremove", "vgremove", "vgchange", "pvremove", "zpool ", "zfs ", "mdadm", "labelclear", "lvm zap", "volume rm", "prune", "delete", "destroy", "uninstall", "imgdel"):
		return []incident.Kind{incident.PVMissing, incident.FSNoSuper, incident.FSDevice, incident.MountFailed, incident.BootMount, incident.RootMissing, incident.ZFSFaulted, incident.MDNoSuper, incident.MDInactive, incident.MDDegraded, incident.MDFailed, incident.LVInactive, incident.OSDStore, incident.AppIO, incident.PodCrash}
	case within("date -s", "date --set", "timedatectl"):
		return []incident.Kind{incident.ClockStepped, incident.ClockSkew, incident.ClockUnsynced, incident.ClockFree, incident.CertNotYet, incident.CertExpired, incident.CertTime}
	}
	return nil
}
