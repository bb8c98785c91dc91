package blame_test

import (
	"strings"
	"testing"

	"assay/incident/blame"
)

// Signs that withdraw a rule's firm verdict, and what remains.
func TestDoubts(t *testing.T) {
	const (
		crc3   = "[   20.610934] ata3.00: error: { ICRC ABRT }\n"
		crc4   = "[   20.611826] ata4.00: error: { ICRC ABRT }\n"
		later4 = "[ 9020.611826] ata4.00: error: { ICRC ABRT }\n"
		token  = "Feb  1 15:09:01 node2 corosync[3656]:   [TOTEM ] Token has not been received in 9489 ms\n"
		again  = "Feb  1 15:09:00 node2 corosync[3656]:   [TOTEM ] Retransmit List: 6724\n"
		beat   = "2017-02-08 06:11:15.324 7f39 -1 osd.2 9 heartbeat_check: no reply from 10.0.0.3:6803 osd.3 since back 2017-02-08 06:10:55\n"
		beat2  = "2017-02-08 06:11:15.324 7f39 -1 osd.2 9 heartbeat_check: no reply from 10.0.0.4:6801 osd.4 since back 2017-02-08 06:10:55\n"
		beat3  = "2017-02-08 06:11:15.324 7f39 -1 osd.5 9 heartbeat_check: no reply from 10.0.0.4:6801 osd.4 since back 2017-02-08 06:10:55\n"
		hang   = "Jan  5 10:00:00 h kernel: e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:\n"
		corupt = "Jan  5 10:00:00 h kernel: EXT4-fs error (device sda2): ext4_lookup:1785: inode #9: comm rsync: iget: checksum invalid\n"
	)
	for name, c := range map[string]struct{ text, want string }{
		"a link that damages":                  {crc3, "cable or link"},
		"two links at once":                    {crc3 + crc4, "? cable or link, ? controller or PCIe"},
		"two links hours apart":                {crc3 + later4, "cable or link"},
		"a node that is not heard":             {token, "? network, ? operator"},
		"one that is heard, with gaps":         {again + token, "network"},
		"gaps hours before it went silent":     {"Feb  1 08:01:00 node2 corosync[3656]:   [TOTEM ] Retransmit List: 6724\n" + token, "? network, ? operator"},
		"a node that was shut down":            {"Feb  1 15:08:59 node2 corosync[3656]:   [CFG   ] Node 24 was shut down by sysadmin\nFeb  1 15:09:01 node2 corosync[3656]:   [KNET  ] link: host: 24 link: 0 is down\n", "operator"},
		"a node behind a bond that changed":    {"Feb  1 15:09:00 node2 kernel: Bond: (slave ens1): link status definitely up, 10000 Mbps full duplex\n" + token, "network"},
		"a node behind a link that was lost":   {"Feb  1 15:08:59 node2 kernel: igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down\n" + token, "network"},
		"an OSD that does not answer":          {beat, "? network, ? operator"},
		"an OSD that hears none of two hosts":  {beat + beat2, "? network, ? operator"},
		"two that miss different hosts":        {beat + beat3, "network"},
		"a card that hangs":                    {hang, "network"},
		"a card and a disk in one minute":      {hang + "Jan  5 10:00:20 h kernel: ata1.00: failed command: READ FPDMA QUEUED\nJan  5 10:00:20 h kernel: ata1.00: cmd 60/08:00:00:00:00/00:00:00:00:00/40 tag 0 ncq dma 4096 in\nJan  5 10:00:20 h kernel:          res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)\n", "? network, ? hypervisor"},
		"a file system that is damaged":        {corupt, "file system"},
		"one beside a program's complaint":     {corupt + "Jan  5 10:00:00 h somed[12]: crit: cannot load plugin\n", "? file system, ? memory or CPU"},
		"one beside what it says of no errors": {corupt + "Jan  5 10:00:00 h somed[12]: finished with 0 errors\n", "file system"},
		"a check of a partition":               {"/dev/sda1: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.\n", "file system"},
		"a check of a whole disk":              {"/dev/sdi: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.\n", "? file system, ? replication engine"},
	} {
		if got := layers(judge(t, c.text)); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A complaint unknown to all rules means nothing in a long log, which always has
// some.
func TestComplaintsCountInExcerptsAlone(t *testing.T) {
	const line = "Jan  5 10:00:00 h kernel: EXT4-fs error (device sda2): ext4_lookup:1785: inode #9: comm rsync: iget: checksum invalid\n"
	const complaint = "Jan  5 10:00:01 h somed[12]: crit: cannot load plugin\n"
	v := judge(t, line+complaint)
	if v.Cause != nil || len(v.Missing) == 0 || v.Missing[0].Command != "journalctl -n 200 -t somed" {
		t.Errorf("%+v", v)
	}
	if v := judge(t, line+complaint+strings.Repeat("Jan  5 10:00:02 h other[1]: all is well\n", 20)); v.Cause == nil || v.Cause.How != blame.Likely {
		t.Errorf("a long log: %+v", v)
	}
}

// Statements about a disk must be true: a medium error is not one of reads alone if
// writes were lost, and a machine's first adapter is not an iSCSI session.
func TestWhatIsSaidOfADiskIsSo(t *testing.T) {
	medium := func(address string) string {
		return "[ 100.0] sd " + address + ": [sdb] tag#3 Sense Key : Medium Error [current]\n[ 100.1] sd " + address + ": [sdb] tag#3 Add. Sense: Unrecovered read error\n[ 100.2] blk_update_request: critical medium error, dev sdb, sector 5120\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"LUN 0":                      {medium("3:0:0:0"), "drive"},
		"LUN 0, with lost writes":    {medium("3:0:0:0") + "[ 100.3] Buffer I/O error on dev sdb, logical block 640, lost async page write\n", "? replication engine, ? drive"},
		"LUN 1":                      {medium("7:0:0:1"), "replication engine"},
		"LUN 1 of the first adapter": {medium("0:0:0:1"), "? replication engine, ? drive"},
	} {
		if got := layers(judge(t, c.text)); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// The basis of a verdict is not also listed as a lead that nothing links to the
// errors.
func TestAnActThatIsToBlameIsNoLead(t *testing.T) {
	const stopped = "Feb  1 15:08:59 node2 corosync[3656]:   [CFG   ] Node 24 was shut down by sysadmin\n"
	if v := judge(t, stopped+"Feb  1 15:09:01 node2 corosync[3656]:   [KNET  ] link: host: 24 link: 0 is down\n"); v.Cause == nil || len(v.Leads) != 0 {
		t.Errorf("%+v", v)
	}
	if v := judge(t, stopped+"Feb  1 15:09:01 node2 kernel: ata1.00: error: { UNC }\nFeb  1 15:09:01 node2 kernel: ata1.00: failed command: READ FPDMA QUEUED\n"); v.Cause == nil || len(v.Leads) != 1 {
		t.Errorf("beside a drive: %+v", v)
	}
}
