package failover

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/report"
)

// nodeLost has two ways of losing a pod's node: its link, which assay itself uses, and its
// kubelet, without which the pod keeps running. Both wait until the pod is back on that node.
const nodeLost = `  link:
    host: node2
    link: eth0
    address: ADDRESS
    port: PORT
    http: /
    timeout: 5s # steady answers are waited for longer then
    observers: [host1, host2]
    whole: kubectl wait --for=condition=Ready node/node2 --timeout=1s
    failback: FAILBACK
    load: while curl -sfm 1 -o /dev/null http://ADDRESS:PORT/; do echo; done
    confirm: node2
    within: 4m
  kubelet:
    host: node2
    kill: kubelet
    start: START
    address: ADDRESS
    port: PORT
    http: /
    timeout: 5s # steady answers are waited for longer then
    observers: [host1, host2]
    whole: kubectl wait --for=condition=Ready node/node2 --timeout=1s
    failback: FAILBACK
    confirm: node2
    for: 45s # a node is missed after 20 s
    within: 4m
`

// failback recreates the pod until it lands on node2.
const failback = "kubectl wait pods -l app=web --for=condition=Ready --timeout=30s && kubectl get pods -l app=web -o wide | grep -q node2 || { kubectl delete pods -l app=web; false; }"

// A real Kubernetes recreates a pod on another node when its own is lost.
func TestKubernetes(t *testing.T) {
	b := newKubeBed(t)
	t.Run("killed", b.killed)
	t.Run("measured", b.measured)
}

// measured checks how long the service gives no answer to two hosts outside the cluster, and
// how long until the node is ready.
func (b *kubeBed) measured(t *testing.T) {
	was := b.node(t, "ip -4 route show | sort")
	l := b.laptopWith(t, nodeLost)
	r := once(l, "--time-budget", "30m").Wait(35 * time.Minute)
	if r.Exit != 0 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	l.ExpectEmpty()
	b.expectHome(t)
	if is := b.node(t, "ip -4 route show | sort"); is != was {
		t.Errorf("node2 had the routes\n%sand has\n%s", was, is)
	}
	d := laptop.Read[report.Document](t, r)
	// A kubelet reports every 3 s and is missed 20 s after its last report; the pod is evicted
	// 2 s later. Only a cut link takes the pod away at once.
	for name, least := range map[string]float64{"link": 15, "kubelet": .2} {
		f := laptop.FiguresOf(d, "node2/failover/"+name)
		seen, other, whole := f["failover.time"].Value, f["failover.time.least"].Value, f["failover.whole"]
		t.Logf("%s: no answer for %.2f s and %.2f s; %.0f of %.0f requests lost; restarted in %.2f s, node ready %.2f s after it was put back", name,
			seen, other, f["failover.lost"].Value, f["failover.requests"].Value, f["failover.restart"].Value, whole.Value)
		if most := 120.; seen < least || seen > most || seen-other > .1*seen+.5 {
			t.Errorf("%s: no answer for %.2f s and %.2f s", name, seen, other)
		}
		if whole.N != 1 || whole.Value <= 0 {
			t.Errorf("%s: the node was ready after %.2f s, in %d repeats", name, whole.Value, whole.N)
		}
	}
	f := laptop.FiguresOf(d, "node2/failover/link")
	before, stopped, recovery, after := f["failover.load.before"], f["failover.load.stopped"], f["failover.load.recovery"], f["failover.load.after"]
	t.Logf("link: the load did %.1f /s before, %.1f /s while it was stopped, %.1f /s until the node was ready, %.1f /s after", before.Value, stopped.Value, recovery.Value, after.Value)
	// The rates depend on what else the machine does.
	if before.Value <= 0 || stopped.N != 1 || recovery.N != 1 || after.Value <= 0 {
		t.Errorf("the load did %v before, %v while it was stopped, %v until the node was ready and %v after", before.Value, stopped.Value, recovery.Value, after.Value)
	}
	for _, s := range []string{"the load on host2 did ", "Failover link (link eth0 stopped on node2): http://", "Failover kubelet (process kubelet stopped on node2): http://", "redundancy was whole again"} {
		if !strings.Contains(r.Stdout, s) {
			t.Errorf("the report does not say %q", s)
		}
	}
}

// killed checks that the node recovers after a kill -9 of assay, though it is unreachable
// meanwhile.
func (b *kubeBed) killed(t *testing.T) {
	entry, _, _ := strings.Cut(nodeLost, "  kubelet:")
	l := b.laptopWith(t, strings.Replace(entry, "within: 4m", "for: 25s\n    within: 30s", 1))
	c := once(l)
	c.AwaitWithin(5*time.Minute, "the link is down", func() bool { return !b.linked() })
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(time.Minute)
	if !laptop.Eventually(patience, b.linked) {
		t.Fatal("the guard did not put the link back")
	}
	if !laptop.Eventually(patience, func() bool { return b.ready() }) {
		t.Error("node2 is not ready")
	}
	if got := l.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want what was stopped", got)
	}
	b.expectHome(t)
	l.ExpectEmpty()
}
