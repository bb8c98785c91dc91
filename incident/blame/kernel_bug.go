package blame

import (
	"strings"

	"assay/incident"
)

// modules are each layer's parts of the kernel.
var modules = map[incident.Layer]string{
	incident.Volumes:    " zfs spl dm_mod dm_thin_pool dm_cache dm_crypt dm_raid raid0 raid1 raid10 raid456 md_mod bcache kvdo ",
	incident.FileSystem: " ext4 jbd2 xfs btrfs bcachefs f2fs ntfs3 exfat fat gfs2 ocfs2 jfs reiserfs overlay squashfs ",
	incident.Engine:     " drbd drbd_transport_tcp ceph libceph rbd ",
	incident.Session:    " nfs nfsv3 nfsv4 nfsd sunrpc lockd cifs smb nvme_tcp nvme_rdma nvme_fabrics libiscsi iscsi_tcp libiscsi_tcp iscsi_target_mod target_core_mod nvmet nvmet_tcp ",
	incident.Hypervisor: " kvm kvm_intel kvm_amd vhost vhost_net ",
	incident.Network:    " e1000e igb igc ixgbe i40e ice mlx4_core mlx4_en mlx5_core r8169 r8125 r8152 bnx2 bnx2x bnxt_en tg3 bonding atlantic ",
	incident.Controller: " nvme nvme_core mpt3sas mpt2sas megaraid_sas aacraid hpsa smartpqi ahci xhci_hcd uas ",
}

// kernelBug classifies kernel crashes by the part that crashed.
var kernelBug = Rule{ID: "kernel-bug", Title: "A part of the kernel crashed", Check: func(c Case) []Cause {
	var found []Cause
	for _, e := range c.of(incident.KernelBug) {
		for _, layer := range incident.Layers() {
			if !strings.Contains(modules[layer], " "+e.Device+" ") || e.Device == "" {
				continue
			}
			cause := Cause{Layer: layer, Host: e.Host, Device: e.Device, How: Possible, Says: "the kernel's own code for it (" + e.Device + ")", Why: "The kernel crashed in this part of it, or found it in an impossible state: a bug, or data or memory that were damaged before.", Evidence: quote(3, []incident.Event{e}, c.of(incident.HungTask)),
				Next:     []Step{{"check whether it is known, and try another version of the kernel or module", "uname -r; modinfo " + e.Device + " | grep -E '^(version|vermagic)'"}},
				explains: []incident.Kind{incident.KernelBug, incident.HungTask, incident.CPUStall, incident.PodCrash, incident.Rebooted, incident.WaitsForDisk}}
			if c.onlyOn(e.Host, cause.explains) {
				cause.How = Likely
			}
			found = append(found, cause)
			break
		}
	}
	return found[:min(len(found), 1)]
}}
