package read

import "assay/incident"

// bootSignatures match messages of firmware, boot loaders, initramfs and systemd that do
// not find what they should mount.
var bootSignatures = []signature{
	{has: "anually import the root pool", kind: incident.ZFSRoot, device: nothing},
	{has: "anually import the pool at the command prompt", kind: incident.ZFSRoot, device: nothing},
	{has: "ommand: /sbin/zpool import -N", kind: incident.ZFSRoot, device: nothing},
	{has: "ommand: zpool import -", kind: incident.ZFSRoot, device: nothing},
	{has: "No pool imported. Manually", kind: incident.ZFSRoot, device: nothing},
	{has: "ALERT!", kind: incident.RootMissing, device: nothing, and: "does not exist"},
	{has: "/dev/mapper/", kind: incident.RootMissing, device: nothing, and: " does not exist", not: []string{"special device"}},
	{has: "/dev/disk/by-", kind: incident.RootMissing, device: nothing, and: " does not exist", not: []string{"special device"}},
	{has: "dracut-initqueue", kind: incident.RootMissing, device: nothing, or: []string{"timeout, still waiting for", "Could not boot", "starting timeout scripts"}},
	{has: "dracut: FATAL", kind: incident.RootMissing, device: nothing, or: []string{"root device", "No or empty root"}},
	{has: " on /root failed: No such ", kind: incident.RootMissing, device: nothing, and: "mounting"},
	{has: "No init found. Try passing init=", kind: incident.RootMissing, device: nothing},
	{has: "No working init found", kind: incident.RootMissing, device: nothing},
	{has: "Target filesystem doesn't have requested", kind: incident.RootMissing, device: nothing},
	{has: "Kernel panic - not syncing: No ", kind: incident.RootMissing, device: nothing, and: "init found"},
	{has: "error: disk `", kind: incident.RootMissing, device: nothing, and: "' not found"}, // GRUB
	{has: "normal.mod' not found", kind: incident.RootMissing, device: nothing},
	{has: "No bootable device", kind: incident.RootMissing, device: nothing, not: []string{"virt", "QEMU"}},
	{has: "Boot device not found", kind: incident.RootMissing, device: nothing},
	{has: "eboot and Select proper Boot device", kind: incident.RootMissing, device: nothing},
	{has: "cannot find /dev/disk/by-", kind: incident.RootMissing, device: nothing},
	{has: "Dependency failed for Local File Systems", kind: incident.BootMount, device: nothing},
	{has: "ocal-fs.target: Job local-fs.target/start failed", kind: incident.BootMount, device: nothing},
	{has: "Failed to mount /", kind: incident.BootMount, device: nothing},
	{has: ".mount: Failed with result 'exit-code'", kind: incident.BootMount, device: nothing},
	{has: ".mount: Mount process exited, code=exited", kind: incident.BootMount, device: nothing, not: []string{"status=0", "status=32/n/a, unmount"}},
	{has: "sudo qm stop ", kind: incident.Stopped, device: nothing},
	{has: "# qm stop ", kind: incident.Stopped, device: nothing},
	{has: "$ qm stop ", kind: incident.Stopped, device: nothing},
	{has: "# pct stop ", kind: incident.Stopped, device: nothing},
	{has: "# virsh destroy ", kind: incident.Stopped, device: nothing},
	{has: "$ virsh destroy ", kind: incident.Stopped, device: nothing},
	{has: "sudo virsh destroy ", kind: incident.Stopped, device: nothing},
	{has: "# systemctl stop ceph", kind: incident.Stopped, device: nothing},
	{has: "sudo systemctl stop ceph", kind: incident.Stopped, device: nothing},
	{has: "# systemctl stop drbd", kind: incident.Stopped, device: nothing},
	{has: "sudo systemctl stop drbd", kind: incident.Stopped, device: nothing},
	{has: "# poweroff", kind: incident.Stopped, device: nothing},
	{has: "was shut down by sysadmin", kind: incident.Stopped, device: nothing, and: "[CFG"}, // corosync
	{has: "sudo poweroff", kind: incident.Stopped, device: nothing},
	{has: "sudo shutdown ", kind: incident.Stopped, device: nothing},
	{has: "# shutdown -", kind: incident.Stopped, device: nothing},
}
