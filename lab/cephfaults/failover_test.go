package cephfaults

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/lab/ceph"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
	"assay/report"
)

// killable kills the monitors' leader, while a client queries the cluster state, and an OSD
// that holds a copy of a whole pool, while clients write to that pool. There is no systemd
// here: the commands are those that the lab started them with.
const killable = `
failover:
  monitor:
    host: host1
    kill: ceph-mon
    start: ceph-mon -i host1 --mon-data /srv/bench/.ceph/mon --public-addr ADDRESS --pid-file /run/ceph/mon.pid </dev/null >>/var/log/ceph/lab.log 2>&1
    command: ceph -s
    whole: ceph --connect-timeout 5 mon stat | grep -q 'quorum 0,1,2 '
    observers: [host2, host3]
    confirm: host1
    for: 20s # the others notice after a lease or two of 5 s
  osd:
    host: host2
    kill: ceph-osd
    start: ceph-osd -i 1 --osd-data /srv/bench/.ceph/osd --keyring /srv/bench/.ceph/osd/keyring --pid-file /run/ceph/osd.pid </dev/null >>/var/log/ceph/lab.log 2>&1
    command: rados -p POOL put probe-$(hostname) /etc/hostname
    whole: ceph --connect-timeout 5 health | grep -q HEALTH_OK
    observers: [host1, host3]
    confirm: host2
`

// killables writes a cluster.yaml of the lab that allows killing them.
func (b *bed) killables(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(b.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "failover.yaml")
	more := strings.NewReplacer("ADDRESS", b.Hosts.Address("host1", hosts.Management), "POOL", ceph.Pool).Replace(killable)
	if err := os.WriteFile(file, append(bytes.TrimRight(text, "\n"), more...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// failedOver measures how long Ceph clients get no answer when the leading monitor or an OSD
// is killed, as seen by both observers; everything runs again afterwards, and nothing is left.
func failedOver(t *testing.T, b *bed) {
	defer b.revive(t)
	defer func() {
		for _, host := range []string{"host1", "host3"} {
			if _, err := b.Hosts.Run(b.ctx, host, "rados", "-p", ceph.Pool, "rm", "probe-"+host); err != nil {
				t.Error(err)
			}
		}
	}()
	file := b.killables(t)
	l := laptop.New(t, file)
	r := end(t, l.Begin("run", "-i", file, "--suite", "failover", "--repeats", "1", "--time-budget", "20m", "--format", "json"), fine)
	says(t, r, "process ceph-mon stopped on host1", "no answer to `ceph -s` for", "process ceph-osd stopped on host2", "no answer to `rados -p "+ceph.Pool+" put", "redundancy was whole again")
	for _, c := range []struct{ trial, daemon, host string }{{"host1/failover/monitor", "ceph-mon", "host1"}, {"host2/failover/osd", "ceph-osd", "host2"}} {
		f := laptop.FiguresOf(laptop.Read[report.Document](t, r), c.trial)
		seen, least, usual, whole := f["failover.time"].Value, f["failover.time.least"].Value, f["failover.latency.before"].Value, f["failover.whole"]
		t.Logf("%s killed: no answer for %.2f s and %.2f s, a command takes %.2f s; %.0f of %.0f lost; put back in %.2f s, whole again after %.2f s", c.daemon, seen, least,
			usual, f["failover.lost"].Value, f["failover.requests"].Value, f["failover.restart"].Value, whole.Value)
		// An OSD that refuses connections is down at once.
		if most := 60.; !(usual > 0) || !(seen >= usual) || seen > most || whole.N != 1 || whole.Value > most {
			t.Errorf("%s: %.2f s without an answer, %.2f s each, whole after %.2f s (%d)", c.trial, seen, usual, whole.Value, whole.N)
		}
		// Each observer writes an object of its own, and not every one has its first copy there.
		if apart := math.Abs(seen - least); c.daemon == "ceph-mon" && apart > max(10*usual, .5*seen) {
			t.Errorf("%s: the observers are %.2f s apart", c.trial, apart)
		}
		if _, err := b.Hosts.Run(b.ctx, c.host, "pgrep", "-x", c.daemon); err != nil {
			t.Errorf("%s does not run on %s: %v", c.daemon, c.host, err)
		}
		if left, _ := b.Hosts.Run(b.ctx, c.host, "sh", "-c", "ls -d /run/assay-failover-*"); left != "" {
			t.Errorf("left on %s: %s", c.host, left)
		}
	}
	for _, host := range []string{"host1", "host2", "host3"} {
		if left, _ := b.Hosts.Run(b.ctx, host, "pgrep", "-fa", fmt.Sprintf("^(rados -p %s put|ceph -s|.*python.*ceph -s)", ceph.Pool)); left != "" {
			t.Errorf("runs on %s: %s", host, left)
		}
	}
	l.ExpectEmpty()
}
