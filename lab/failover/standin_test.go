package failover

import (
	_ "embed" // the scripts
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

var (
	//go:embed ask.pl
	askScript string
	//go:embed pve.sh
	pveScript string
	//go:embed linstor.sh
	linstorScript string
)

// Stand-ins, since neither runs here: for three Proxmox VE nodes with an HA guest, and for
// three hosts with drbd-reactor and the LINSTOR controller. How assay connects, stops, queries
// and restores is real.
func TestStandIns(t *testing.T) {
	b := newBed(t)
	for _, host := range []string{"host1", "host2", "host3"} {
		b.feed(host, askScript, "cat >/run/ask.pl")
	}
	t.Run("proxmox", func(t *testing.T) {
		b.startNodes(t)
		t.Run("planned", b.guestPlanned)
		t.Run("there and back", b.guest)
		t.Run("killed", b.guestKilled)
	})
	t.Run("linstor", func(t *testing.T) {
		b.startReactors(t)
		t.Run("there and back", b.controller)
		t.Run("killed", b.controllerKilled)
	})
}

// the storage address of a host.
func (b *bed) at(host string) string { return b.lab.Address(host, hosts.Storage) }

// entry returns an entry of the README's failover.yaml, with words replaced by the lab's and
// more appended.
func (b *bed) entry(t *testing.T, name string, more string, words ...string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, found, _ := strings.Cut(string(text), "\n  "+name+": ")
	lines := []string{"  " + name + ":"}
	for i, line := range strings.Split(found, "\n") {
		switch {
		case i > 0 && !strings.HasPrefix(line, "    "):
			return strings.NewReplacer(words...).Replace(strings.Join(lines, "\n")) + "\n" + confirmed + more
		case i > 0:
			lines = append(lines, line)
		}
	}
	t.Fatalf("README.md has no %s under failover:", name)
	return ""
}

// guestEntry is the entry for a guest whose node loses power.
func (b *bed) guestEntry(t *testing.T, more string) string {
	return b.entry(t, "guest", more, "pve1", "host1", "pve2", "host2", "pve3", "host3", "nas", "host4", "10.0.0.44", b.address)
}

func (b *bed) startNodes(t *testing.T) {
	t.Helper()
	for _, host := range []string{"host3", "host2", "host1"} {
		b.feed(host, pveScript, `cat >/run/pve.sh && sh /run/pve.sh "$@"`, "sh", host, b.at("host3"), b.at("host1"), b.at("host2"))
	}
	healthy := func() bool {
		said := b.feed("host3", "", "ha-manager status; :")
		return !strings.Contains(said, "dead?") && strings.Contains(said, "service vm:101 (host1, started)")
	}
	if !laptop.Eventually(patience, healthy) {
		t.Fatal("the nodes are not up")
	}
}

// powered reports whether host1 has power.
func (b *bed) powered() bool {
	return strings.Contains(b.feed("host2", "", "ipmitool -I lanplus -H bmc1 power status; :"), "is on")
}

// Every command is shown, including those implied by ha:.
func (b *bed) guestPlanned(t *testing.T) {
	l := b.laptopWith(b.guestEntry(t, ""))
	r := l.Do("plan", "-i", l.File, "--suite", "failover")
	for _, s := range []string{"on host2, to stop: ipmitool", "power off", "after 10m0s", "on host3, to see whether redundancy is whole: ha-manager status | awk", "have it fail back to host1: ha-manager status", "ha-manager migrate vm:101 host1"} {
		if !strings.Contains(r.Stdout+r.Said, s) {
			t.Errorf("status %d, and it does not say %q:\n%s%s", r.Exit, s, r.Stdout, r.Said)
		}
	}
}

// measured makes a laptop stop something once, and compares what was observed with what was
// done.
func (b *bed) measured(t *testing.T, entry string, also ...string) (*laptop.Laptop, float64) {
	t.Helper()
	l := b.laptopWith(entry)
	const attempts = 3 // a busy machine may be late
	for n := 1; ; n++ {
		r := once(l).Wait(5 * time.Minute)
		f := figures(t, r)
		truth, seen, least := b.truth(t), f["failover.time"].Value, f["failover.time.least"].Value
		t.Logf("%.3f s in truth, %.3f s and %.3f s seen; %.0f of %.0f requests lost; redundancy whole %.2f s after", truth, seen, least,
			f["failover.lost"].Value, f["failover.requests"].Value, f["failover.whole"].Value)
		l.ExpectEmpty()
		for _, s := range also {
			if !strings.Contains(r.Stdout, s) {
				t.Errorf("the report does not say %q: %s", s, laptop.Brief(r.Stdout))
			}
		}
		bound := max(truth*.05, .02)
		if math.Abs(seen-truth) <= bound && math.Abs(least-truth) <= bound || t.Failed() {
			return l, f["failover.whole"].Value
		}
		if n == attempts {
			t.Fatalf("not within %.3f s in %d attempts", bound, n)
		}
	}
}

// guest checks that another node starts it when its own loses power, and that it
// returns home.
func (b *bed) guest(t *testing.T) {
	for range 2 {
		_, whole := b.measured(t, b.guestEntry(t, ""), "Failover guest (guest stopped on host1): ", "moved from host1 to host2", "two observers agree", "redundancy was whole again")
		if whole <= 0 || whole > 30 {
			t.Errorf("redundancy was whole after %.2f s", whole)
		}
		if !b.powered() || !b.has("host1") || b.has("host2") {
			t.Errorf("host1 has power: %t; the guest is on host1: %t, on host2: %t", b.powered(), b.has("host1"), b.has("host2"))
		}
	}
}

// guestKilled checks that the guard on the other node powers it on again without help, and
// leaves nothing.
func (b *bed) guestKilled(t *testing.T) {
	l := b.laptopWith(b.guestEntry(t, "    for: 9s\n    within: 10s\n"))
	c := once(l)
	c.AwaitWithin(patience, "host1 has no power", func() bool { return !b.powered() })
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(time.Minute)
	if !laptop.Eventually(patience, b.powered) {
		t.Fatal("the guard did not put it back")
	}
	b.expectCleaned(t, l, "host2")
}

// expectCleaned cleans up after a kill -9 and fails if a trace of a guard is left on a host.
func (b *bed) expectCleaned(t *testing.T, l *laptop.Laptop, host string) {
	t.Helper()
	if got := l.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want what was stopped", got)
	}
	if left := strings.TrimSpace(b.feed(host, "", "ls -d /run/assay-failover-* 2>/dev/null; :")); left != "" {
		t.Errorf("left on %s: %s", host, left)
	}
	l.ExpectEmpty()
}

// controllerEntry is the entry for a controller that drbd-reactor runs.
func (b *bed) controllerEntry(t *testing.T, more string) string {
	return b.entry(t, "controller", more, "pve1", "host1", "pve2", "host2", "pve3", "host4", "10.0.0.1", b.at("host1"), "10.0.0.2", b.at("host2"))
}

func (b *bed) startReactors(t *testing.T) {
	t.Helper()
	for _, host := range []string{"host3", "host1", "host2"} {
		b.feed(host, linstorScript, `cat >/run/linstor.sh && sh /run/linstor.sh "$@"`, "sh", host, b.at("host3"))
		if host != "host3" && !laptop.Eventually(patience, func() bool { return b.controls("host1") }) {
			t.Fatal("the controller does not run on host1")
		}
	}
}

// controls reports whether the controller runs on a host.
func (b *bed) controls(host string) bool {
	return strings.Contains(b.feed("host4", "", `curl -sfm 1 "http://$0:3370/v1/controller/version"; :`, b.at(host)), "rest_api_version")
}

// masked reports whether the controller is barred from host1.
func (b *bed) masked() bool {
	return strings.Contains(b.feed("host1", "", "ls /run/systemd/system 2>/dev/null; :"), "drbd-services@linstor_db.target")
}

// controller checks that what drbd-reactor runs moves, may run on its old host again, and
// returns.
func (b *bed) controller(t *testing.T) {
	for range 2 {
		b.measured(t, b.controllerEntry(t, "    for: 4s\n"), "Failover controller (promoter linstor_db stopped on host1): no answer to `for c in ", "two observers agree")
		home := laptop.Eventually(patience, func() bool { return b.controls("host1") }) // it starts a while after its host has the data
		if b.masked() || !home || b.controls("host2") {
			t.Errorf("host1 is masked: %t; the controller is on host1: %t, on host2: %t", b.masked(), home, b.controls("host2"))
		}
	}
}

// controllerKilled: clean-up lets it run there again.
func (b *bed) controllerKilled(t *testing.T) {
	l := b.laptopWith(b.controllerEntry(t, "    for: 8m\n    within: 9m\n"))
	c := once(l)
	c.AwaitWithin(patience, "it is stopped", b.masked)
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(time.Minute)
	b.expectCleaned(t, l, "host1")
	if b.masked() {
		t.Error("it may not run on host1")
	}
}
