package blame_test

import "testing"

func TestWhatTheKernelsOwnWordsConvict(t *testing.T) {
	const of = "{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 0\n"
	verdicts(t, []struct{ what, text, want string }{
		{"a drive that foretells its end", "sd 6:0:0:0: [sdb] tag#0 Sense Key : Recovered Error [current]\nsd 6:0:0:0: [sdb] tag#0 Add. Sense: Hardware impending failure too many block reassigns\n", "drive"},
		{"transfers over SAS, in the words of old kernels", "sd 6:0:0:0: [sdb] tag#0 Sense Key : Aborted Command [current]\nsd 6:0:0:0: [sdb] tag#0 Add. Sense: Information unit CRC error detected\n", "cable or link"},
		{"a reservation of another host", "sd 1:0:0:0: reservation conflict\nreservation conflict error, dev sdb, sector 1234 op 0x1:(WRITE) flags 0x0\n", "operator"},
		{"an adapter that is given up", "megaraid_sas 0000:18:00.0: Diag reset adapter never cleared megasas_adp_reset_fusion 3977\nmegaraid_sas 0000:18:00.0: Reset failed, killing adapter scsi0.\nsd 0:2:1:0: [sdb] tag#964 FAILED Result: hostbyte=DID_NO_CONNECT driverbyte=DRIVER_OK\n", "controller or PCIe"},
		{"an adapter whose heartbeat stopped", "smartpqi 0000:64:00.0: controller offline: reason code 0x4 (no controller heartbeat detected)\n", "controller or PCIe"},
		{"an NVMe drive that says it failed", "nvme nvme0: resetting controller due to persistent internal error\n", "drive"},
		{"a server of NBD that went away", "block nbd0: Receive control failed (result -32)\nblock nbd0: shutting down sockets\nI/O error, dev nbd0, sector 1234 op 0x0:(READ)\n", "replication engine"},
		{"memory errors that firmware could not correct", of + "{1}[Hardware Error]: event severity: fatal\n{1}[Hardware Error]:  Error 0, type: fatal\n{1}[Hardware Error]:   section_type: memory error\n", "memory or CPU"},
		{"an IOMMU that does not know a device", "AMD-Vi: Event logged [INVALID_DEVICE_REQUEST device=00:00.0 pasid=0x00000 address=0xfffffffdf8000000 flags=0x0a00]\n", "? controller or PCIe"},
		{"a card that negotiates less than it can", "e1000e 0000:00:19.0 eth0: Link Speed was downgraded by SmartSpeed\n", "network"},
		{"a CPU that is too hot, in the words of newer kernels", "CPU3: Package temperature is above threshold, cpu clock is throttled (total events = 212)\n", "thermal"},
		{"an array that lost one member too many", "md/raid:md0: Cannot continue operation (3/4 failed).\n", "drive"},
		{"a controller that does not become ready", "mpt3sas_cm0: _base_make_ioc_ready: failed going to ready state (ioc_state=0x40000000)\n", "controller or PCIe"},
		{"a disk under DRBD that takes too long", "block drbd0: Local backing device failed to meet the disk-timeout\nblock drbd0: disk( UpToDate -> Failed )\n", "drive"},
		{"a card whose journal was aborted, and says that it needs a check", "EXT4-fs error (device mmcblk0p2): ext4_journal_check_start:83: comm x: Detected aborted journal\nJBD2: Failed to read block at offset 1234\nEXT4-fs warning (device mmcblk0p2): ext4_clear_journal_err:6157: Marking fs in need of filesystem check.\n", "drive"},
		{"a container's limit", "Memory cgroup out of memory: Killed process 1234 (java) total-vm:123kB, anon-rss:123kB\n", "out of memory"},
		{"a port multiplier that is lost", "ata8.15: failed to recover PMP after 5 tries, giving up\n", "? cable or link, ? drive"},
	})
	for _, everyday := range []string{
		"ata2: softreset failed (device not ready)\n",
		"sd 0:0:0:0: [sdb] tag#1 Sense Key : Illegal Request [current]\nsd 0:0:0:0: [sdb] tag#1 Add. Sense: Invalid field in cdb\n",
		"block nbd0: NBD_DISCONNECT\nblock nbd0: Disconnected due to user request.\nblock nbd0: shutting down sockets\n",
		"nvme nvme0: failed to set APST feature (2)\n",
		"md/raid1:md0: not clean -- starting background reconstruction\nmd: resync of RAID array md0\n",
		"workqueue: blk_mq_run_work_fn hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND\n",
		"perf: interrupt took too long (2500 > 2500), lowering kernel.perf_event_max_sample_rate to 79750\n",
	} {
		if v := judge(t, everyday); layers(v) != "" {
			t.Errorf("%q: %q", everyday, layers(v))
		}
	}
}
