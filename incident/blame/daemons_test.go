package blame_test

import "testing"

// Messages of databases, managers and tools, and the layers that they leave
// open.
func TestDaemonsAndTools(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a database that finds its pages wrong":     {"PANIC:  could not locate a valid checkpoint record\n", "? power, ? drive, ? memory or CPU"},
		"one above a drive that fails":              {"sqlite3.DatabaseError: database disk image is malformed\nata1.00: error: { UNC }\nata1.00: failed command: READ FPDMA QUEUED\n", "drive"},
		"one whose disk is full":                    {"[FORBIDDEN/12/index read-only / allow delete (api)];\n", "file system"},
		"one that waits for its disk":               {"Asynchronous AOF fsync is taking too long (disk is busy?). Writing the AOF buffer without waiting for fsync to complete\n", "? drive, ? hypervisor"},
		"etcd without its peers":                    {"\"msg\":\"prober detected unhealthy status\"\n", "? network"},
		"a pool whose faulted disk nobody shows":    {"status: One or more devices are faulted in response to persistent errors.\n", "? cable or link, ? drive"},
		"a volume that was removed":                 {"TASK ERROR: no such logical volume pve/vm-100-disk-0\n", "operator"},
		"a disk that was formatted":                 {"$ sudo mkfs.ext4 /dev/sdb1\nCouldn't find device with uuid 1.\n", "operator"},
		"a clock that was set":                      {"# date -s '2020-01-01'\nx509: certificate has expired or is not yet valid: current time 2020-01-01T00:00:09Z is before 2025-01-01T00:00:00Z\n", "operator"},
		"a clock that nobody set":                   {"x509: certificate has expired or is not yet valid: current time 2020-01-01T00:00:09Z is before 2025-01-01T00:00:00Z\n", "clock"},
		"a disk that fails after another was wiped": {"# zpool labelclear /dev/sdc\nata1.00: error: { UNC }\nata1.00: failed command: READ FPDMA QUEUED\n", "drive"},
		"a node whose runtime hangs":                {"PLEG is not healthy: pleg was last seen active 3m7.6s ago; threshold is 3m0s\n", "? out of memory, ? drive"},
		"a node that is silent":                     {"Kubelet stopped posting node status.\n", "? network, ? out of memory, ? drive"},
		"a controller that lost its lease":          {"leaderelection lost\n", "? drive, ? network"},
		"one whose node ran out of memory":          {"Out of memory: Killed process 1234 (k3s-server) total-vm:1kB\nleaderelection lost\n", "out of memory"},
		"a storage that is not mounted":             {"unable to activate storage 'usb' - directory '/mnt/usb' does not exist or is unreachable\n", "? cable or link, ? iSCSI, NVMe-oF or NFS session"},
		"a UPS whose driver is gone":                {"upsmon[10773]: Poll UPS [ups@localhost] failed - Driver not connected\n", "power"},
		"pages that differ alike on two disks":      {"errors: Permanent errors have been detected in the following files:\n\n\tNAME   STATE  READ WRITE CKSUM\n\ttank   DEGRADED 0 0 0\n\t  mirror-0 DEGRADED 0 0 0\n\t    sda  ONLINE 0 0 4\n\t    sdb  ONLINE 0 0 4\n", "memory or CPU"},
		"an OSD whose store is full":                {"ceph_abort_msg(\"bluefs enospc\")\n", "replication engine"},
		"a store of Ceph that is damaged":           {"rocksdb: submit_common error: Corruption: block checksum mismatch\n", "replication engine"},
	} {
		if got := layers(judge(t, c.text)); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}
