package failover

import (
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/analysis"
	"assay/lab/internal/laptop"
	"assay/report"
)

// All tests share one lab.
func TestFailover(t *testing.T) {
	b := newBed(t)
	t.Run("planned", b.planned)
	t.Run("refused", b.refused)
	t.Run("three seconds", b.threeSeconds)
	t.Run("killed", b.killed)
	t.Run("killed and cleaned", b.cleaned)
	t.Run("interrupted", b.interrupted)
	t.Run("cut off", b.cutOff)
	t.Run("command", b.command)
	t.Run("hanging command", b.hangingCommand)
	t.Run("keepalived", b.keepalived)
	t.Run("pacemaker", b.pacemaker)
}

// once makes a laptop stop everything once.
func once(l *laptop.Laptop, words ...string) *laptop.Command {
	return l.Begin(append([]string{"run", "-i", l.File, "--suite", "failover", "--format", "json", "--repeats", "1", "--time-budget", "10m"}, words...)...)
}

const confirmed = "    confirm: host1\n"

// figures returns those of the only thing stopped.
func figures(t *testing.T, r laptop.Result) map[string]analysis.Figure {
	t.Helper()
	if r.Exit != 0 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	all := map[string]analysis.Figure{}
	d := laptop.Read[report.Document](t, r)
	for _, s := range d.Sections {
		for _, row := range s.Rows {
			for _, f := range row.Figures {
				all[f.Metric] = f
			}
		}
	}
	return all
}

func (b *bed) threeSeconds(t *testing.T) {
	l := b.laptopWith(standIn + confirmed)
	// A busy machine may be late to probe, or to record the times of its
	// actions.
	const attempts = 3
	for n := 1; ; n++ {
		r := once(l).Wait(5 * time.Minute)
		f := figures(t, r)
		truth, seen, least := b.truth(t), f["failover.time"].Value, f["failover.time.least"].Value
		lost, back := f["failover.lost"].Value, f["failover.back"].Value
		t.Logf("%.3f s in truth, %.3f s and %.3f s seen; %.0f of %.0f requests lost; %.3f s when it came back", truth, seen, least, lost, f["failover.requests"].Value, back)
		b.expectHome(t)
		l.ExpectEmpty()
		if whole := f["failover.whole"]; whole.N != 1 || whole.Value > 60 {
			t.Errorf("redundancy was whole after %.3f s, in %d repeats", whole.Value, whole.N)
		}
		bound := max(truth*.05, .02)
		good := math.Abs(seen-truth) <= bound && math.Abs(least-truth) <= bound && lost > 1.2*truth/.01 && lost < 2.2*truth/.01
		if truth < 3 {
			t.Fatal("the stand-in took over too soon")
		}
		for _, s := range []string{"moved from host1 to host2", "two observers agree", "requests were lost", "redundancy was whole again"} {
			if !strings.Contains(r.Stdout, s) {
				t.Errorf("the report does not say %q", s)
			}
		}
		if good || t.Failed() {
			return
		}
		if n == attempts {
			t.Fatalf("not within %.3f s in %d attempts", bound, n)
		}
	}
}

func (b *bed) planned(t *testing.T) {
	l := b.laptopWith(standIn)
	r := l.Do("plan", "-i", l.File, "--suite", "failover")
	for _, s := range []string{"sh /run/move stop", "sh /run/move start", "sh /run/move running", "which pings ", "on host3", "on host4", "after 2m0s", "grep -q " + b.mac} {
		if !strings.Contains(r.Stdout+r.Said, s) {
			t.Errorf("status %d, and it does not say %q:\n%s%s", r.Exit, s, r.Stdout, r.Said)
		}
	}
	b.expectHome(t)
}

// Nothing is stopped without confirmation, and --yes is none.
func (b *bed) refused(t *testing.T) {
	l := b.laptopWith(standIn)
	if r := once(l, "--yes").Wait(patience); r.Exit == 0 || !strings.Contains(r.Said, "nobody confirmed") {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	off := b.laptopWith(strings.ReplaceAll(standIn+confirmed, "sh /run/move running", "exit 3"))
	if r := once(off).Wait(patience); r.Exit == 0 || !strings.Contains(r.Said, "vip does not run on host1: exit 3 exited 3") {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	off.ExpectEmpty()
	if strings.TrimSpace(b.feed("host1", "", "cat /run/down 2>/dev/null; :")) != "" {
		t.Error("it was stopped")
	}
	b.expectHome(t)
	l.ExpectEmpty()
}

// stop starts a run and returns once the address is gone.
func (b *bed) stop(t *testing.T, entry string) (*laptop.Laptop, *laptop.Command) {
	t.Helper()
	l := b.laptopWith(entry)
	c := once(l)
	c.AwaitWithin(patience, "it is stopped", func() bool { return !b.has("host1") })
	return l, c
}

// The guard restores what a killed run had stopped, without help; nothing is left afterwards.
func (b *bed) killed(t *testing.T) {
	l, c := b.stop(t, standIn+confirmed+"    for: 9s\n    within: 10s\n")
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(time.Minute)
	if !laptop.Eventually(patience, func() bool { return b.has("host1") }) {
		t.Fatal("the guard did not put it back")
	}
	if got := l.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want what was stopped", got)
	}
	b.expectHome(t)
	l.ExpectEmpty()
}

// Clean-up does not wait for the guard's timer.
func (b *bed) cleaned(t *testing.T) {
	l, c := b.stop(t, standIn+confirmed+"    for: 8m\n    within: 9m\n")
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(time.Minute)
	if got := l.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want what was stopped", got)
	}
	if !b.has("host1") {
		t.Error("it is not back")
	}
	b.expectHome(t)
	l.ExpectEmpty()
}

func (b *bed) interrupted(t *testing.T) {
	l, c := b.stop(t, standIn+confirmed+"    for: 8m\n    within: 9m\n")
	c.Signal(syscall.SIGINT)
	if r := c.Wait(5 * time.Minute); r.Exit != 130 {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	if !b.has("host1") {
		t.Error("it is not back")
	}
	b.expectHome(t)
	l.ExpectEmpty()
}

// A command that fails while the address is gone sees what a ping would, give or take its own
// run time.
func (b *bed) command(t *testing.T) {
	const takes = .2 // s, when there is no answer
	l := b.laptopWith(moving("ping -c 1 -W 0.2 ADDRESS") + confirmed)
	if r := l.Do("plan", "-i", l.File, "--suite", "failover"); !strings.Contains(r.Stdout+r.Said, "which runs, again and again: ping -c 1 -W 0.2 "+b.address) {
		t.Errorf("plan, status %d, does not show the command:\n%s%s", r.Exit, r.Stdout, r.Said)
	}
	const attempts = 3 // as above
	for n := 1; ; n++ {
		r := once(l).Wait(5 * time.Minute)
		f := figures(t, r)
		truth, seen, least := b.truth(t), f["failover.time"].Value, f["failover.time.least"].Value
		t.Logf("%.3f s in truth, %.3f s and %.3f s seen; %.0f of %.0f requests lost; %.1f ms each before", truth, seen, least,
			f["failover.lost"].Value, f["failover.requests"].Value, 1e3*f["failover.latency.before"].Value)
		b.expectHome(t)
		l.ExpectEmpty()
		if !strings.Contains(r.Stdout, "no answer to `ping -c 1 -W 0.2 "+b.address+"` for ") || strings.Contains(r.Stdout, "moved from") || strings.Contains(r.Stdout, "ARP table") {
			t.Errorf("the report says it otherwise: %s", laptop.Brief(r.Stdout))
		}
		late, lost := seen-truth, f["failover.lost"].Value
		if t.Failed() || late > -.05 && late < 2*takes && least <= seen && least > truth-.05 && lost >= 2 && lost <= 2*truth/takes+6 {
			return
		}
		if n == attempts {
			t.Fatalf("%.3f s late, %.0f lost", late, lost)
		}
	}
}

// A command that hangs leaves nothing behind when a run is interrupted or
// killed.
func (b *bed) hangingCommand(t *testing.T) {
	hang := func(host string) bool { return b.feed(host, "", "pgrep -fx 'sleep 98765'; :") != "" }
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		l := b.laptopWith(moving("ping -c 1 -W 1 ADDRESS || sleep 98765 & wait $!") + confirmed + "    timeout: 50s\n    for: 54s\n    within: 55s\n")
		c := once(l)
		c.AwaitWithin(patience, "the commands of both hang", func() bool { return hang("host3") && hang("host4") })
		c.Signal(s)
		_ = c.Wait(time.Minute)
		for _, host := range []string{"host3", "host4"} {
			if !laptop.Eventually(patience, func() bool { return !hang(host) }) {
				t.Errorf("after %s a command is left on %s", s, host)
			}
		}
		if got := l.CleanUp(); s == syscall.SIGKILL && len(got.Released) != 1 {
			t.Errorf("cleanup: %+v, want what was stopped", got)
		}
		b.expectHome(t)
		l.ExpectEmpty()
	}
}

// The link that is cut may be the one to the host: its guard needs none.
func (b *bed) cutOff(t *testing.T) {
	l := b.laptopWith("  cut: {host: host2, confirm: host2, link: eth0, address: ADDRESS, observers: [host3], for: 3s, within: 8s}\n")
	f := figures(t, once(l).Wait(5*time.Minute))
	if f["failover.lost"].Value > f["failover.requests"].Value/2 || f["failover.requests"].Value == 0 {
		t.Errorf("%.0f of %.0f requests were lost", f["failover.lost"].Value, f["failover.requests"].Value)
	}
	if routes := b.feed("host2", "", "ip -4 route show dev eth0"); !strings.Contains(routes, "proto kernel") {
		t.Errorf("the routes of host2 are %q", routes)
	}
	l.ExpectEmpty()
}

// ofFailover matches the README's commands on a failover.yaml.
var ofFailover = regexp.MustCompile(`(?m)^\$ assay (.* -i failover\.yaml\b.*)$`)

// startKeepalived makes keepalived move the address.
func (b *bed) startKeepalived(t *testing.T) {
	t.Helper()
	if exec.Command("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; command -v keepalived").Run() != nil {
		t.Skip("needs keepalived: apt-get install keepalived")
	}
	for _, host := range []string{"host1", "host2"} {
		b.feed(host, "", "ip link del vip0; PATH=$PATH:/usr/sbin; /usr/local/bin/systemctl start keepalived")
	}
	b.expectHome(t)
}

// keepalived moves a virtual IP, and the README's commands on it do what the
// README says.
func (b *bed) keepalived(t *testing.T) {
	b.startKeepalived(t)
	l := b.laptopWith(`  vip:
    host: host1
    service: keepalived
    address: ADDRESS
    observers: [host3, host4]
    confirm: host1
`)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofFailover.FindAllStringSubmatch(string(text), -1)
	if len(commands) != 3 {
		t.Errorf("README.md has %d commands on a failover.yaml", len(commands))
	}
	for _, c := range commands {
		words := strings.Fields(strings.ReplaceAll(c[1], "failover.yaml", l.File))
		if words[0] == "run" {
			words = append(words, "--repeats", "1", "--time-budget", "10m")
		}
		if r := l.Begin(words...).Wait(5 * time.Minute); r.Exit != 0 {
			t.Errorf("%s: status %d\n%s%s", c[1], r.Exit, laptop.Brief(r.Stdout), laptop.Brief(r.Said))
		}
	}
	b.expectHome(t)

	cut := b.laptopWith(cutUnderLoad)
	f := b.underLoad(t, cut)
	t.Logf("keepalived took over in %.2f s when its link was cut; %.0f requests lost, %.2f s when it came back", f["failover.time"].Value, f["failover.lost"].Value, f["failover.back"].Value)
	// Three one-second advertisements plus a skew of (256 - 90) / 256 s (RFC 5798, 6.1).
	if least := 2.5; f["failover.time"].Value < least {
		t.Errorf("%.2f s, and at least %.1f s are needed to notice", f["failover.time"].Value, least)
	}
	b.expectHome(t)
	cut.ExpectEmpty()
}

// cutUnderLoad cuts the link of a host with a keepalived address while a load pings that
// address twenty times a second.
const cutUnderLoad = `  vip:
    host: host1
    link: eth1
    address: ADDRESS
    observers: [host3, host4]
    load: ping -n -i 0.05 ADDRESS | grep --line-buffered "bytes from"
    confirm: host1
`

// underLoad measures a keepalived failover and compares the load during it with the load
// before and with the time without an answer.
func (b *bed) underLoad(t *testing.T, l *laptop.Laptop) map[string]analysis.Figure {
	t.Helper()
	const attempts = 3 // a busy machine may be late
	for n := 1; ; n++ {
		r := once(l).Wait(5 * time.Minute)
		f := figures(t, r)
		gap, stopped := f["failover.time"].Value, f["failover.requests"].Value/2*.01 // of two observers, one every 10 ms
		before, during, after := f["failover.load.before"].Value, f["failover.load.stopped"].Value, f["failover.load.after"].Value
		want := before * (1 - gap/stopped)
		t.Logf("the load did %.1f /s before, %.1f /s in the %.1f s while it was stopped, of which %.1f s had no answer, so %.1f are left, and %.1f /s after", before, during, stopped, gap, want, after)
		for _, s := range []string{"moved from host1 to host2", "the load on host4 did ", "while it was stopped and "} {
			if !strings.Contains(r.Stdout, s) {
				t.Errorf("the report does not say %q: %s", s, laptop.Brief(r.Stdout))
			}
		}
		good := before > 5 && before < 20.5 && math.Abs(during-want) < .1*before && math.Abs(after-before) < .1*before
		if good || t.Failed() {
			return f
		}
		if n == attempts {
			t.Fatalf("not within a tenth in %d attempts", n)
		}
	}
}
