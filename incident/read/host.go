package read

import (
	"strings"

	"assay/incident"
)

var memorySignatures = []signature{
	{has: "Memory cgroup out of memory", kind: incident.OOMCgroup, device: after("(")},
	{has: "CONSTRAINT_MEMCG", kind: incident.OOMCgroup, device: after("task=")},
	{has: "OOMKilled", kind: incident.OOMCgroup, device: nothing, not: []string{"OOMKilled\": false", "OOMKilled\":false", "OOMKilled: false", "OOMKilled=false"}},
	{has: "CONSTRAINT_NONE", kind: incident.OOMHost, device: after("task="), and: "oom"},
	{has: "Out of memory: Kill", kind: incident.OOMHost, device: after("(")},
	{has: "OOMKilling", kind: incident.OOM, device: nothing},
	{has: "Out of memory", kind: incident.OOM, device: after("("), or: []string{"Kill", "kill"}},
	{has: "Kernel panic - not syncing: ", kind: incident.OOM, device: nothing, or: []string{"Out of memory", "out of memory", "System is deadlocked on memory"}},
	{has: "killed as a result of limit of", kind: incident.OOMCgroup, device: nothing},
	{has: "oom-kill:constraint=", kind: incident.OOM, device: after("task=")},
	{has: "Killed process", kind: incident.OOM, and: "total-vm:", device: after("(")},
	{has: "SystemOOM", kind: incident.OOM, device: nothing},
	{has: "oom_reaper: reaped process", kind: incident.OOM, device: after("(")},
	{has: "annot allocate memory", kind: incident.NoPages, device: nothing},
	{has: "invoked oom-killer", kind: incident.OOM, device: before("invoked")},
	{has: "systemd-oomd", kind: incident.OOM, device: nothing, or: []string{"due to memory ", "cgroups for killing, top candidates", "kill any cgroups", "process(es) in this unit"}},
	{has: "earlyoom", kind: incident.OOM, device: nothing, or: []string{"sending SIG", "low memory!"}},
	{has: "oom_kill_process", kind: incident.OOM, device: nothing, or: []string{" from out_of_memory", "oom_kill_process+0x", "from oom_kill_process"}},
	{has: "lowmemorykiller: ", kind: incident.OOM, device: nothing, and: "Kill"},
	{has: "Failed with result 'oom-kill'", kind: incident.OOM, device: nothing},
	{has: "low on resource: memory", kind: incident.OOM, device: nothing}, // kubelet evicts
	{has: "page allocation failure", kind: incident.NoPages, device: before(": page allocation"), and: "order:"},
	{has: "A process of this unit has been killed by the OOM killer", kind: incident.OOM, device: nothing},
	{has: "CECC", kind: incident.EDACCorrected, device: nothing, or: []string{"Memory Controller", "memory_channel"}},
	{has: "MCA: ", kind: incident.EDACCorrected, device: nothing, and: " COR ", or: []string{"memory error"}}, // FreeBSD
	{has: "MCA: ", kind: incident.EDACFatal, device: nothing, and: " UNCOR ", or: []string{"memory error"}},
	{has: "MCA: ", kind: incident.MCE, device: nothing, or: []string{" COR ", " UNCOR "}},
	{has: "Hardware event. This is not a software error.", kind: incident.MCELogged, device: nothing}, // mcelog
	{has: "MCA: MEMORY CONTROLLER", kind: incident.EDACCorrected, device: nothing},                    // mcelog
	{has: "Correctable ECC logging limit reached", kind: incident.EDACCorrected, device: nothing},
	{has: "ogging limit reached", kind: incident.EDACCorrected, device: nothing, or: []string{"ECC", "emory"}},
	{has: "CPU", kind: incident.MCE, device: nothing, and: "IERR", or: []string{"sserted", "has an internal error"}},
	{has: "has an internal error (IERR)", kind: incident.MCE, device: nothing}, // Dell's log
	{has: "Processor ", kind: incident.MCE, device: nothing, and: "IERR", or: []string{"sserted"}},
	{has: "emory device at location", kind: incident.EDACFatal, device: nothing, or: []string{"multi-bit", "Multi-bit", "uncorrect"}},
	{has: "emory device at location", kind: incident.EDACCorrected, device: nothing, or: []string{"orrectable", "self-heal"}},
	{has: "health has degraded", kind: incident.EDACCorrected, device: nothing, and: "emory"},
	{has: "DIMM", kind: incident.EDACCorrected, device: nothing, or: []string{"Corrected Memory Error", "correctable ECC error rate", "Correctable error threshold"}},
	{has: "EDAC ", kind: incident.EDACFatal, or: []string{" UE ", "Uncorrected"}, device: nothing},
	{has: "Uncorrectable ECC", kind: incident.EDACFatal, device: nothing, and: "| Asserted"}, // ipmitool sel list
	{has: "Correctable ECC", kind: incident.EDACCorrected, device: nothing, and: "| Asserted"},
	{has: "ncorrectable Memory Error", kind: incident.EDACFatal, device: nothing},        // HPE's log
	{has: "other uncorrectable memory error", kind: incident.EDACFatal, device: nothing}, // Supermicro's
	{has: "other correctable memory error", kind: incident.EDACCorrected, device: nothing},
	{has: "Uncorrectable memory error", kind: incident.EDACFatal, device: nothing},
	{has: "ncorrectable ECC", kind: incident.EDACFatal, device: nothing, or: []string{"emory", "DIMM"}},
	{has: "Multi-bit memory errors detected", kind: incident.EDACFatal, device: nothing}, // Dell's
	{has: "Correctable memory error", kind: incident.EDACCorrected, device: nothing, or: []string{"rate exceeded", "threshold", "logging disabled"}},
	{has: "Corrected Memory Error threshold", kind: incident.EDACCorrected, device: nothing},
	{has: "Uncorrectable Machine Check Exception", kind: incident.MCE, device: nothing},
	{has: "Memory Controller (bank=", kind: incident.EDACCorrected, device: nothing, and: "orrected error"},                     // ras-mc-ctl, of AMD
	{has: " Corrected Errors", kind: incident.EDACCorrected, device: nothing, and: "mc", not: []string{": 0 Corrected Errors"}}, // edac-util
	{has: " Uncorrected Errors", kind: incident.EDACFatal, device: nothing, and: "mc", not: []string{": 0 Uncorrected Errors"}},
	{has: "K8 ECC error", kind: incident.EDACCorrected, device: nothing},
	{has: "emory scrubbing error", kind: incident.EDACCorrected, device: nothing}, // mcelog
	{has: "emory read ECC error", kind: incident.EDACCorrected, device: nothing},
	{has: "emory error count exceeded threshold", kind: incident.EDACCorrected, device: nothing},
	{has: "emory parity error", kind: incident.EDACFatal, device: nothing, or: []string{"NMI"}},
	{has: "FAILURE: 0x", kind: incident.MemoryTest, and: " != 0x", device: nothing},         // memtester
	{has: "Report Error: miscompare", kind: incident.MemoryTest, device: nothing},           // stressapptest
	{has: "Possible hardware failure, consult", kind: incident.MemoryTest, device: nothing}, // mprime
	{has: "ERROR: ILLEGAL SUMOUT", kind: incident.MemoryTest, device: nothing},              // mprime
	{has: "MEM ERROR - ", kind: incident.MemoryTest, device: nothing},                       // memtest86
	{has: "bad mem addr 0x", kind: incident.MemoryTest, device: nothing},                    // the kernel's own test at boot
	{has: "FATAL ERROR: Rounding was", kind: incident.MemoryTest, device: nothing},          // mprime
	{has: "Hardware failure detected, consult stress.txt", kind: incident.MemoryTest, device: nothing},
	{has: "Kernel panic - not syncing: Fatal ", kind: incident.MCE, device: nothing, or: []string{"achine check"}},
	{has: "Uncorrected hardware memory error", kind: incident.EDACFatal, device: nothing},
	{has: "Memory failure: 0x", kind: incident.EDACFatal, device: nothing},
	{has: "due to hardware memory corruption", kind: incident.EDACFatal, device: nothing},
	{has: "EDAC ", kind: incident.EDACCorrected, or: []string{" CE ", "Corrected error"}, device: nothing, not: []string{" 0 CE"}},
	{has: "Corrected error(s): memory ", kind: incident.EDACCorrected, device: nothing}, // as rasdaemon lists them
	{has: "corrected memory errors", kind: incident.EDACCorrected, device: nothing},
	{has: "[Hardware Error]", kind: incident.EDACCorrected, device: nothing, and: "orrected error", or: []string{"Unified Memory", "DRAM", "memory", "ECC"}},
	{has: "Machine check events logged", kind: incident.MCELogged, device: nothing},
	{has: "[Hardware Error]", kind: incident.MCE, device: nothing, not: []string{"}[Hardware Error]", "section_type: "}}, // APEI's lines, which name the part below
	{has: "Machine Check Exception", kind: incident.MCE, device: nothing},
	{has: "Bad page state", kind: incident.BadPage, device: nothing},
	{has: "Bad page map", kind: incident.BadPage, device: nothing},
	{has: "Bad rss-counter", kind: incident.BadPage, device: nothing},
	{has: "attempting to reclaim", kind: incident.OOM, device: nothing, or: []string{"reclaim memory"}}, // kubelet
	{has: "Attempting to reclaim memory", kind: incident.OOM, device: nothing},
	{has: "NodeHasInsufficientMemory", kind: incident.OOM, device: nothing},
	{has: "node.kubernetes.io/memory-pressure", kind: incident.OOM, device: nothing, and: "taint"},
	{has: "was killed: failed to reclaim memory", kind: incident.OOM, device: nothing}, // FreeBSD
	{has: "was killed: out of swap space", kind: incident.OOM, device: nothing},
	{has: "was killed: a thread waited too long to allocate a page", kind: incident.OOM, device: nothing},
	{has: "swap_pager_getswapspace(", kind: incident.OOM, device: nothing, and: "failed"},
	{has: "out of PoD memory", kind: incident.OOM, device: nothing}, // Xen
	{has: "java.lang.OutOfMemoryError", kind: incident.AppNoMemory, device: nothing, not: []string{"Direct buffer memory: request"}},
	{has: "JavaScript heap out of memory", kind: incident.AppNoMemory, device: nothing},
	{has: "fatal error: runtime: out of memory", kind: incident.AppNoMemory, device: nothing}, // Go
	{has: "what():  std::bad_alloc", kind: incident.AppNoMemory, device: nothing},
	{has: "irtual memory exhausted", kind: incident.AppNoMemory, device: nothing},
	{has: "Bad swap file entry", kind: incident.BadPage, device: nothing},
	{has: ": bad pmd ", kind: incident.BadPage, device: nothing},
	{has: ": bad pte ", kind: incident.BadPage, device: nothing},
	{has: ": bad pud ", kind: incident.BadPage, device: nothing},
	{has: "Corrupted low memory at", kind: incident.BadPage, device: nothing},
	{has: "possible bad address line at offset", kind: incident.MemoryTest, device: nothing}, // memtester
	{has: "bit errors while stressing memory", kind: incident.MemoryTest, device: nothing},   // stress-ng
	{has: "MCA: Bank ", kind: incident.MCELogged, device: nothing},                           // FreeBSD
	{has: "WHEA", kind: incident.MCE, device: nothing, or: []string{"atal hardware error", "orrected hardware error", "UNCORRECTABLE_ERROR"}},
	{has: "Error Source: Machine Check Exception", kind: incident.MCE, device: nothing}, // Windows
	{has: "Not all CPUs entered broadcast exception handler", kind: incident.MCE, device: nothing},
	{has: "machine check error detected", kind: incident.MCE, device: nothing}, // Dell's log
	{has: "data fabric sync flood event", kind: incident.MCE, device: nothing}, // AMD, about the last reset
	{has: "PFA threshold", kind: incident.EDACCorrected, device: nothing, or: []string{"emory", "DIMM"}},
	{has: "ncorrectable error detected for DIMM", kind: incident.EDACFatal, device: nothing},
	{has: "]: segfault at ", kind: incident.Segfault, device: segfaulted},
}

// segfaulted returns the program in "postgres[1234]: segfault at 0 ip …".
func segfaulted(text string) string {
	program, _, _ := strings.Cut(text, "[")
	return word(program)
}

var hostSignatures = []signature{
	{has: "blocked for more than", kind: incident.HungTask, device: nothing},
	{has: "soft lockup", kind: incident.GuestStall, device: nothing, or: []string{"[qemu-system", "[qemu-kvm", "/KVM:"}},
	{has: "rpc_wait_bit_killable", kind: incident.WaitsForRPC, device: nothing},
	{has: "nfs_wait_on_request", kind: incident.WaitsForRPC, device: nothing},
	{has: "jbd2_log_wait_commit+0x", kind: incident.WaitsForDisk, device: nothing}, // from stack traces, as are the next ones
	{has: "jbd2_journal_commit_transaction+0x", kind: incident.WaitsForDisk, device: nothing},
	{has: "__wait_on_buffer+0x", kind: incident.WaitsForDisk, device: nothing},
	{has: "blkdev_issue_flush+0x", kind: incident.WaitsForDisk, device: nothing},
	{has: "submit_bio_wait+0x", kind: incident.WaitsForDisk, device: nothing},
	{has: "blk_mq_get_tag+0x", kind: incident.WaitsForDisk, device: nothing},
	{has: "xfs_log_force", kind: incident.WaitsForDisk, device: nothing, and: "+0x"},
	{has: "xlog_wait", kind: incident.WaitsForDisk, device: nothing, and: "+0x"},
	{has: "ceph_mdsc_do_request", kind: incident.WaitsForCeph, device: nothing},
	{has: "ceph_osdc_wait_request", kind: incident.WaitsForCeph, device: nothing},
	{has: "took too long", kind: incident.SlowSync, device: nothing, or: []string{"apply entries took", "apply request took"}},
	{has: "failed to send out heartbeat on time", kind: incident.SlowSync, device: nothing},
	{has: "sync duration of ", kind: incident.SlowSync, device: nothing, and: "expected less than"},
	{has: "slow fdatasync", kind: incident.SlowSync, device: nothing},
	{has: "overloaded likely from slow disk", kind: incident.SlowSync, device: nothing},
	{has: "(0 ticks this GP)", kind: incident.NoTicks, device: nothing}, // on a stalled CPU
	{has: "(1 ticks this GP)", kind: incident.NoTicks, device: nothing},
	{has: "self-detected stall", kind: incident.CPUStall, device: nothing},
	{has: "detected stalls on CPUs", kind: incident.CPUStall, device: nothing},
	{has: "detected expedited stalls", kind: incident.CPUStall, device: nothing},
	{has: "soft lockup", kind: incident.CPUStall, device: nothing, and: "CPU"},
	{has: "was not scheduled for", kind: incident.NotScheduled, device: nothing, and: "main process"}, // corosync
	{has: "hard LOCKUP", kind: incident.CPUStall, device: nothing},
	{has: "Kernel panic - not syncing: ", kind: incident.CPUStall, device: nothing, or: []string{"softlockup: hung tasks", "Hard LOCKUP", "RCU Stall"}},
	{has: "Kernel panic - not syncing: hung_task: blocked tasks", kind: incident.HungTask, device: nothing},
	{has: "BUG: workqueue lockup - pool", kind: incident.CPUStall, device: nothing},
	{has: "Linux version ", kind: incident.Booted, device: nothing},
	{has: "reboot: Restarting system", kind: incident.Rebooted, device: nothing},
	{has: "System is rebooting", kind: incident.Rebooted, device: nothing},
	{has: "System is powering down", kind: incident.Rebooted, device: nothing},
	{has: "status installed linux-image", kind: incident.Upgraded, device: nothing},
	{has: " upgrade ", kind: incident.Upgraded, device: after(" upgrade "), or: []string{":amd64 ", ":arm64 ", ":all "}},
	{has: "SchedulingDisabled", kind: incident.Drained, device: nothing},
	{has: "NodeNotSchedulable", kind: incident.Drained, device: nothing},
	{has: "node/", kind: incident.Drained, device: nothing, or: []string{"cordoned", "drained"}},
	{has: "kthread starved for", kind: incident.NoTicks, device: nothing},
	{has: " drbd_", kind: incident.WaitsForDRBD, device: nothing, and: "+0x"},
	{has: "Slow SQL", kind: incident.SlowSync, device: nothing}, // kine, of k3s
	{has: "etcdserver: request timed out", kind: incident.SlowSync, device: nothing},
	{has: "Process pause detected for ", kind: incident.NotScheduled, device: nothing}, // corosync
}

var podSignatures = []signature{
	{has: "CrashLoopBackOff", kind: incident.PodCrash, device: nothing},
	{has: "ack-off restarting failed container", kind: incident.PodCrash, device: nothing},
	{has: "nput/output error", kind: incident.AppIO, device: nothing},
	{has: "ead-only file system", kind: incident.AppReadOnly, device: nothing},
	{has: "Multi-Attach error", kind: incident.MultiAttach, device: nothing},
	{has: "'fsck' found errors on device", kind: incident.FSCheck, device: nothing, and: "could not correct"},
	{has: "FailedMount", kind: incident.MountFailed, device: nothing},
	{has: "FailedAttachVolume", kind: incident.MountFailed, device: nothing},
	{has: "MountVolume.", kind: incident.MountFailed, device: nothing, and: "failed"},
	{has: "NodeNotReady", kind: incident.NodeNotReady, device: nothing},
	{has: "NodeStatusUnknown", kind: incident.NodeNotReady, device: nothing},
	{has: "Kubelet stopped posting node status", kind: incident.NodeNotReady, device: nothing},
}
