package session

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/incident/read"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/volume/volumetest"
)

// The path of a session is measured from the host that lost it, over real SSH: a lossy
// path is the network's fault, a healthy one leaves the question open, and a host that
// is gone is reported as such.
func TestThePathOfALostSession(t *testing.T) {
	l := hoststest.Up(t, hosts.Standard(3))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	c, err := ReadCluster(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := l.Run(ctx, "host3", "sh", "-c", `nft add table inet lossy && nft add chain inet lossy in '{ type filter hook input priority 0; }' &&
		nft add rule inet lossy in icmp type echo-request numgen inc mod 5 == 0 drop`); err != nil {
		t.Fatalf("no loss: %v\n%s", err, out)
	}
	if err := l.Break(ctx, "host2", hosts.PowerOff); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		from, to string
		want     decide.Answer
		words    string
	}{
		{"host1", "host3", decide.Confirmed, "32 of 40 pings"},
		{"host3", "host1", decide.Undecided, "40 of 40 pings"},
		{"host1", "host2", decide.Undecided, "were answered (it is down"},
		{"host2", "host1", decide.NotMeasured, "failed: "},
	} {
		t.Run(one.from+" to "+one.to, func(t *testing.T) {
			t.Parallel()
			r := read.New()
			if err := r.Read("log", one.from, strings.NewReader("iscsid: connect to "+l.Address(one.to, hosts.Storage)+":3260 failed (No route to host)\n")); err != nil {
				t.Fatal(err)
			}
			log := r.Log()
			evidence := log.Events
			v := blame.Verdict{Between: []blame.Cause{{Layer: incident.Network, Host: one.from, How: blame.Possible, Evidence: evidence}, {Layer: incident.Session, Host: one.from, How: blame.Possible, Evidence: evidence}}}
			got, err := Measure(ctx, c, c.Hosts, decide.Plan(log, v), Recordings{})
			if err != nil {
				t.Fatal(err)
			}
			v, got = decide.Settle(v, got)
			if len(got) != 1 || got[0].Answer != one.want || !strings.Contains(got[0].Says+got[0].Absent, one.words) || (v.Cause != nil) != (one.want == decide.Confirmed) {
				t.Errorf("%s to %s: %+v, verdict %+v", one.from, one.to, got[0].Shown, v.Cause)
			}
		})
	}
}

// A host's device is read over SSH, and not a byte of it is written. Its backing file is
// outside the host, so the host can't tell why it fails, and nobody is blamed.
func TestADeviceOfAHostIsReadOverSSH(t *testing.T) {
	volumetest.NeedLoop(t)
	l := hoststest.Up(t, hosts.Standard(1))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	c, err := ReadCluster(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	here := func(script string, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(ctx, "sh", append([]string{"-ec", script, "sh"}, args...)...).Output()
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		return strings.TrimSpace(string(out))
	}
	file := filepath.Join(t.TempDir(), "image of a guest")
	device := here(`dd if=/dev/urandom of="$1" bs=1M count=8 2>/dev/null; losetup --find --show "$1"; truncate -s 4M "$1"`, file)
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	name := filepath.Base(device)
	if out, err := l.Run(ctx, "host1", "mknod", device, "b", "7", strings.TrimPrefix(name, "loop")); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	look := func() string { // with writes and sectors written
		return here(`sha256sum "$1"; awk '{print $5, $7}' "/sys/class/block/$2/stat"`, file, name)
	}
	before := look()

	r := read.New()
	if err := r.Read("log", "host1", strings.NewReader("[1.5] I/O error, dev "+name+", sector 12000 op 0x0:(READ) flags 0x800 phys_seg 1 prio class 2\n")); err != nil {
		t.Fatal(err)
	}
	v := blame.Judge(r.Log())
	got, err := Measure(ctx, c, c.Hosts, decide.Plan(r.Log(), v), Recordings{})
	if err != nil {
		t.Fatal(err)
	}
	v, got = decide.Settle(v, got)
	if v.Cause != nil || len(got) != 1 || got[0].Answer != decide.Undecided || !strings.Contains(got[0].Says, "17 of 33 blocks of /dev/"+name+" can't be read") {
		t.Errorf("verdict %+v, %+v", v.Cause, got)
	}
	if after := look(); after != before {
		t.Errorf("something was written: %s, then %s", before, after)
	}
}
