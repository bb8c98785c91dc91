package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/incident/read"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
)

// The path of a session is measured from the host that lost it, over real SSH: one that
// loses packets is the network's fault, one that is well leaves the question open, and a
// host that is gone is said to be.
func TestThePathOfALostSession(t *testing.T) {
	l := hoststest.Up(t, hosts.Standard(3))
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
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
	}
}
