package read

import (
	"slices"

	"assay/incident"
)

// managerSignatures returns signatures for messages of systemd, cluster and address managers,
// Proxmox VE, NUT and package managers.
func managerSignatures() []signature {
	return slices.Concat(
		said(incident.HungTask, "Syncing filesystems and block devices - timed out"),
		said(incident.BootMount, "You are in emergency mode", "Welcome to emergency mode", "Entering emergency mode", "Reached target Emergency Mode", "Dependency failed for File System Check on "),
		said(incident.SuddenStop, "File corruption detected at /var/log/journal/", "is truncated, ignoring file"), // the journal
		said(incident.Rebooted, "reboot: Power down"),
		said(incident.Stopped, "Power key pressed", "Suspend key pressed"),
		said(incident.NoConnect, "does not exist or is unreachable", "directory is expected to be a mount point but is not mounted"), // Proxmox VE, about a storage
		said(incident.ClusterNet, "TOTEM ] The network interface is down"),
		said(incident.MemberLost, "partition WITHOUT quorum", "UNCLEAN (offline)", "We were allegedly just fenced"),
		said(incident.MemberLeft, "OFFLINE: [ ", "unable to write lrm status file"),
		said(incident.NoRoute, "Can't connect to qnetd host", "has no server available!"), // corosync, HAProxy
		said(incident.Refused, "received an invalid passwd", "bogus VRRP packet received", "ip address associated with VRID", "can't acquire lock '/var/run/vzdump"),
		said(incident.HypervisorError, "timeout waiting on systemd", "start failed: command '/usr/bin/kvm", "UnitExists: Unit ", "Unable to read from monitor: Connection reset by peer"),
		said(incident.UPSSilent, "Can't connect to UPS ["),
		said(incident.PowerLost, "Auto logout and shutdown proceeding", "Battery charge below low limit", "Battery failure. Emergency"), // upsmon, apcupsd
		said(incident.Upgraded, "Packages that will be upgraded:", "All upgrades installed", "Commandline: apt", "[ALPM] upgraded ", "apt upgrade", "apt-get upgrade", "dist-upgrade", "full-upgrade", "dnf upgrade", "yum update", "pacman -Syu"),
		[]signature{
			{has: "state changed from '", kind: incident.MemberLost, device: nothing, and: "=> 'fence'"}, // pve-ha-crm
			{has: "state changed from '", kind: incident.MemberLeft, device: nothing, and: "=> 'unknown'"},
			{has: "Our peer on the DC (", kind: incident.MemberLeft, device: nothing, and: "is dead"},                                                                       // Pacemaker
			{has: "' failed: got timeout", kind: incident.HungTask, device: nothing, or: []string{"/sbin/vgs", "/sbin/lvs", "/sbin/pvs", "zpool", "zfs", "rbd", "/bin/df"}}, // pvestatd
			{has: "orrected memory errors on page ", kind: incident.EDACCorrected, device: nothing, and: "exceed threshold"},                                                // mcelog
			{has: ".service: Watchdog timeout (limit ", kind: incident.HungTask, device: nothing, or: []string{"systemd-"}},
			{has: "Timed out waiting for device ", kind: incident.RootMissing, device: nothing, or: []string{"dev-disk", "dev-sd", "dev-vd", "dev-nvme", "dev-mapper", "dev-md"}},
			{has: "Dependency failed for ", kind: incident.BootMount, device: nothing, and: ".mount - /"},
			{has: "systemd-shutdown[1]: Rebooting", kind: incident.Rebooted, device: nothing},
			{has: "Netlink reports ", kind: incident.NICDown, device: iface, and: " down"},
			{has: "Kernel is reporting: interface ", kind: incident.NICDown, device: after("interface "), and: " DOWN"},
			{has: "volume '", kind: incident.Refused, device: nothing, and: "' does not exist"},
			{has: "Poll UPS [", kind: incident.UPSSilent, device: nothing, and: "failed"},
			{has: "nitiating system shutdown!", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
			{has: "npacking ", kind: incident.Upgraded, device: after("npacking "), or: []string{"linux-image", "pve-kernel", "proxmox-kernel", "zfs-dkms", "systemd ("}},
			{has: "etting up ", kind: incident.Upgraded, device: after("etting up "), or: []string{"linux-image", "pve-kernel", "proxmox-kernel", "zfs-dkms", "systemd ("}},
		},
	)
}
