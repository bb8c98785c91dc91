package migration

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/analysis"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
	"assay/report"
)

// All tests share one guest: booting takes half a minute.
func TestMigration(t *testing.T) {
	b := newBed(t)
	t.Run("there and back", b.thereAndBack)
	t.Run("paused", b.paused)
	t.Run("killed", b.killed)
	t.Run("interrupted", b.interrupted)
	t.Run("refused", b.refused)
	t.Run("readme", b.readme)
	t.Run("disks are copied", b.disksAreCopied)
}

// ofMigrate matches the README's commands on a migrate.yaml.
var ofMigrate = regexp.MustCompile(`(?m)^\$ assay (.* -i migrate\.yaml\b.*)$`)

// The README's commands do what it says.
func (b *bed) readme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofMigrate.FindAllStringSubmatch(string(text), -1)
	if len(commands) != 3 {
		t.Fatalf("README.md has %d commands on a migrate.yaml", len(commands))
	}
	for _, c := range commands {
		words := strings.Fields(strings.ReplaceAll(c[1], "migrate.yaml", b.laptop.File))
		if words[0] == "run" {
			words = append(words, "--repeats", "1", "--time-budget", "10m")
		}
		if r := b.laptop.Begin(words...).Wait(15 * time.Minute); r.Exit != 0 {
			t.Errorf("%s: status %d\n%s%s", c[1], r.Exit, laptop.Brief(r.Stdout), laptop.Brief(r.Said))
		}
	}
	b.expectAtHome()
}

func (b *bed) run(words ...string) *laptop.Command {
	return b.laptop.Begin(append([]string{"run", "-i", b.laptop.File, "--suite", "migration", "--format", "json"}, words...)...)
}

// figure returns a metric's figure from a row of the report.
func figure(t *testing.T, d report.Document, of, metric string) analysis.Figure {
	t.Helper()
	for _, r := range laptop.RowsOf(d, of, "kvm1") {
		for _, f := range r.Figures {
			if f.Metric == metric {
				return f
			}
		}
	}
	t.Errorf("%s has no %s:\n%s", of, metric, laptop.InShort(d, ""))
	return analysis.Figure{}
}

func (b *bed) thereAndBack(t *testing.T) {
	r := b.run("--repeats", "1", "--time-budget", "10m").Wait(15 * time.Minute)
	if r.Exit != 0 {
		d, _ := b.laptop.Stored()
		t.Fatalf("status %d: %s\n%s", r.Exit, laptop.Brief(r.Said), laptop.InShort(d, ""))
	}
	d := laptop.Read[report.Document](t, r)
	for _, way := range []string{"migrate-there", "migrate-back", "migrate-there-loaded", "migrate-back-loaded"} {
		said, seen := figure(t, d, way, "migration.downtime").Value, figure(t, d, way, "migration.downtime.seen").Value
		took, sent := figure(t, d, way, "migration.duration").Value, figure(t, d, way, "migration.transferred").Value
		t.Logf("%s: %.1f s, %.0f MiB, downtime %.0f ms said, %.0f ms seen", way, took, sent/(1<<20), said*1000, seen*1000)
		ms := func(metric string) float64 { return 1000 * figure(t, d, way, metric).Value }
		udp, tcp, wrote := ms("migration.downtime.seen.udp"), ms("migration.downtime.seen.tcp"), ms("migration.io.longest")
		t.Logf("%s: %.0f ms by UDP, %.0f ms by TCP, %.0f ms the longest write", way, udp, tcp, wrote)
		if !(udp > 0) || !(tcp > 0) || !(wrote > 0) {
			t.Errorf("%s: not seen by all: %v, %v, %v", way, udp, tcp, wrote)
		}
		if strings.HasSuffix(way, "-loaded") {
			mib := func(metric string) float64 { return figure(t, d, way, metric).Value / (1 << 20) }
			before, during := mib("migration.load.before"), mib("migration.load.during")
			t.Logf("%s: %.1f MiB/s were changed before, %.1f meanwhile, %.1f after", way, before, during, mib("migration.load.after"))
			if before < 1 || before > 17 || during > 17 {
				t.Errorf("%s: %.1f MiB/s before and %.1f meanwhile, of 16", way, before, during)
			}
		}
		// A busy machine reports pings late: all that can be checked is that the downtimes
		// roughly agree.
		if !(said > 0) || seen < said*.2 || seen > said+5 || seen > took+5 {
			t.Errorf("%s: a downtime of %.3f s said and %.3f s seen, in %.1f s", way, said, seen, took)
		}
		if sent < 1<<20 || sent > 1<<30 {
			t.Errorf("%s: %.0f bytes were sent of a guest of 256 MiB", way, sent)
		}
	}
	for _, s := range []string{"web, live migration to the other host: ", "by UDP", "seen from outside, of", "the longest write inside took", "the bottleneck"} {
		if !strings.Contains(r.Stdout, s) {
			t.Errorf("the verdict does not say %q:\n%s", s, laptop.InShort(d, ""))
		}
	}
	b.expectAtHome()
	b.laptop.ExpectEmpty()
}

// timeLines holds the timelines of a JSON report.
type timeLines struct {
	Document struct {
		Blocks []struct {
			Lanes []struct {
				Title     string
				Stretches []struct {
					From, To float64
					Is       string
				}
			}
		}
	}
}

// paused pauses the guest for half a second during a migration: UDP sees that within 20 ms,
// unless disturbed; on a busy machine one of a few pauses is enough.
func (b *bed) paused(t *testing.T) {
	b.slowly(t)
	c := b.run("--repeats", "1", "--time-budget", "10m", "--only", "migrate-there")
	b.leaving(t, c)
	// QEMU itself reports when it stopped and resumed. libvirt does not resume a migrating
	// guest.
	said := b.feed(home, "", `virsh -q -c qemu:///system qemu-monitor-event --domain web --loop --timeout 15 >/run/events &
		events=$!
		sleep 1
		for pause in 1 2 3 4 5; do
			virsh -q -c qemu:///system qemu-monitor-command --domain web --hmp stop >&2
			sleep 0.5
			virsh -q -c qemu:///system qemu-monitor-command --domain web --hmp cont >&2
			sleep 1
		done
		wait $events
		virsh -q -c qemu:///system migrate-setspeed --domain web --bandwidth 8192 >&2
		cat /run/events`)
	r := c.Wait(15 * time.Minute)
	if r.Exit != 0 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	var pauses []float64
	stopped := 0.
	for _, m := range regexp.MustCompile(`event (STOP|RESUME) at (\d+\.\d+)`).FindAllStringSubmatch(said, -1) {
		at, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if m[1] == "STOP" {
			stopped = at
		} else {
			pauses = append(pauses, at-stopped)
		}
	}
	if len(pauses) < 5 {
		t.Fatalf("QEMU tells of %d pauses:\n%s", len(pauses), said)
	}
	best := math.Inf(1)
	for _, block := range laptop.Read[timeLines](t, r).Document.Blocks {
		for _, l := range block.Lanes {
			for _, s := range l.Stretches {
				for _, pause := range pauses {
					if strings.HasSuffix(l.Title, " by UDP") && s.Is == "bad" {
						best = min(best, math.Abs(s.To-s.From-pause))
					}
				}
			}
		}
	}
	t.Logf("paused for %.3f s, and UDP was off by %.0f ms", pauses, 1000*best)
	if best > .025 {
		t.Errorf("paused for %.3f s, and UDP was off by %.0f ms", pauses, 1000*best)
	}
	b.expectAtHome()
}

// slowly slows the migration down so that it can be caught in progress.
func (b *bed) slowly(t *testing.T) {
	speed := func(mib string) {
		b.feed(home, "", b.of("virsh -q -c qemu:///system migrate-setspeed --domain web --bandwidth "+mib))
	}
	speed("2")
	t.Cleanup(func() { speed("8192") })
}

// leaving waits until the guest is migrating to the other host.
func (b *bed) leaving(t *testing.T, c *laptop.Command) {
	t.Helper()
	c.AwaitWithin(patience, "the guest is leaving", func() bool {
		return strings.Contains(b.feed(home, "", b.of("virsh -q -c qemu:///system domjobinfo --domain web 2>/dev/null; :")), "Outgoing migration")
	})
}

func (b *bed) killed(t *testing.T) {
	for _, onItsWay := range []bool{true, false} {
		t.Run(map[bool]string{true: "on its way", false: "when it is there"}[onItsWay], func(t *testing.T) {
			if onItsWay {
				b.slowly(t)
			}
			c := b.run("--repeats", "4", "--time-budget", "10m", "--only", "migrate-there")
			if onItsWay {
				b.leaving(t, c)
			} else {
				c.AwaitWithin(patience, "the guest is away", func() bool { return b.state(away) == "running" && b.state(home) == "" })
			}
			c.Signal(syscall.SIGKILL)
			_ = c.Wait(time.Minute)
			got := b.laptop.CleanUp()
			if len(got.Released) != 1 || got.Released[0].Error != "" {
				t.Errorf("cleanup: %+v, want the guest", got)
			}
			b.expectAtHome()
			b.laptop.ExpectEmpty()
			b.await("nothing runs in the guest any more", func() bool {
				return strings.Contains(b.feed(home, "", askInside), `"exitcode":1`)
			})
		})
	}
}

// askInside asks the guest's agent whether perl is running; its exit status is 1 if not.
const askInside = `agent() { virsh -q -c qemu:///system qemu-agent-command --domain web --cmd "$1"; }
pid=$(agent '{"execute": "guest-exec", "arguments": {"path": "/bin/pidof", "arg": ["perl"]}}' | tr -dc 0-9)
sleep 1
agent '{"execute": "guest-exec-status", "arguments": {"pid": '"$pid"'}}'; :`

func (b *bed) interrupted(t *testing.T) {
	b.slowly(t)
	c := b.run("--repeats", "1", "--time-budget", "10m", "--only", "migrate-there")
	b.leaving(t, c)
	c.Signal(syscall.SIGINT)
	if r := c.Wait(5 * time.Minute); r.Exit != 130 {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	b.expectAtHome()
	b.laptop.ExpectEmpty()
}

// What cannot be migrated is refused, and stays where it is.
func (b *bed) refused(t *testing.T) {
	for _, c := range []struct{ name, host, before, after, says string }{
		{"the other host has one", away, "sed 's/ff<\\/uuid>/fe<\\/uuid>/' >/run/o.xml && virsh -q -c qemu:///system define /run/o.xml", "virsh -q -c qemu:///system undefine web", "has a domain web of its own"},
		{"it is paused", home, "virsh -q -c qemu:///system suspend web", "virsh -q -c qemu:///system resume web", "is paused; only a guest that is running"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.feed(c.host, b.xml(fmt.Sprintf(diskOverNBD, b.lab.Address(home, hosts.Storage))), c.before)
			r := b.run("--repeats", "1", "--time-budget", "5m").Wait(10 * time.Minute)
			b.feed(c.host, "", c.after)
			if r.Exit == 0 || !strings.Contains(r.Stdout+r.Said, c.says) {
				t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
			}
			b.expectAtHome()
			b.laptop.ExpectEmpty()
		})
	}
}
