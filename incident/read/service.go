package read

import "assay/incident"

// serviceSignatures match messages of cluster, time, power and guest daemons.
var serviceSignatures = []signature{
	{has: "no servers reachable", kind: incident.ClockNoSource, device: nothing, or: []string{"ntpd"}},
	{has: "synchronization lost", kind: incident.ClockNoSource, device: nothing, or: []string{"ntpd"}},
	{has: "Reached run time limit on batteries", kind: incident.PowerLost, device: nothing}, // apcupsd
	{has: "Reached remaining time percentage limit on batteries", kind: incident.PowerLost, device: nothing},
	{has: "ups.status: OL RB", kind: incident.PowerLost, device: nothing}, // upsc of NUT
	{has: "Temperature Threshold Exceeded", kind: incident.Warm, device: nothing},
	{has: "ritical trip point", kind: incident.TooHot, device: nothing, or: []string{"reached", "exceeded"}},
	{has: "must evict pod(s) to reclaim", kind: incident.OOM, device: nothing, or: []string{"memory"}},
	{has: "must evict pod(s) to reclaim", kind: incident.DiskPressure, device: nothing},
	{has: "TaskOOM event", kind: incident.OOMCgroup, device: nothing},                                                      // containerd
	{has: "insufficient memory for the Java Runtime Environment to continue", kind: incident.AppNoMemory, device: nothing}, // Java
	{has: "orrected on DIMM Label(s)", kind: incident.EDACFatal, device: nothing, and: "Uncorrected"},                      // ras-mc-ctl
	{has: "orrected on DIMM Label(s)", kind: incident.EDACCorrected, device: nothing},
	{has: "mc_event: ", kind: incident.EDACCorrected, device: nothing, or: []string{"Corrected error"}}, // rasdaemon
	{has: "cfs lock update failed", kind: incident.MemberLost, device: nothing},                         // of Proxmox's HA
	{has: "inconsistent_database, running_partitioned_network", kind: incident.MemberLost, device: nothing},
	{has: " has failed, no acks received", kind: incident.MemberLost, device: nothing, and: "Suspect"}, // memberlist
	{has: "no messages seen in PT", kind: incident.MemberLost, device: nothing},                        // Galera
	{has: "BGP not established with", kind: incident.NoRoute, device: nothing},                         // Calico
	{has: "is locked (", kind: incident.Refused, device: nothing, or: []string{"VM ", "CT "}},          // Proxmox VE
	{has: "can't lock file '/var/lock/", kind: incident.Refused, device: nothing},
	{has: "IOMMU not present", kind: incident.Refused, device: nothing},
	{has: "Failed to get \"write\" lock", kind: incident.Refused, device: nothing}, // QEMU
	{has: "can not connect to iSCSI daemon", kind: incident.Refused, device: nothing},
	{has: "page verification failed, calculated checksum", kind: incident.FSChecksum, device: nothing}, // PostgreSQL
	{has: "Database page corruption on disk or a failed", kind: incident.FSChecksum, device: nothing},  // InnoDB
}
