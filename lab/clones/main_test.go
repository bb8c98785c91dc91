package clones

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/internal/laptop"
	"assay/report"
)

// All tests share one hypervisor.
func TestClones(t *testing.T) {
	b := newBed(t)
	t.Run("killed while they boot", b.killedEarly)
	t.Run("interrupted while they boot", b.interrupted)
	t.Run("one does not boot", b.broken)
	t.Run("measured and destroyed", b.measured)
	t.Run("killed while they are measured", b.killed)
	t.Run("killed and resumed", b.resumed)
	if is := b.checksums(); is != b.sums {
		t.Errorf("the template was\n%s\nand is\n%s", b.sums, is)
	}
}

// budget bounds the measuring, and whole a run including boot and shutdown of its guests.
const (
	budget = 20 * time.Minute
	whole  = budget + patience
)

// run measures random reads once. The time that commands take on an emulated CPU is added to
// the length, up to a multiple of it.
func (b *bed) run(words ...string) *laptop.Command {
	common := []string{"run", "-i", b.laptop.File, "--only", "randread-4k", "--size", "64M", "--precision", "off", "--length", "45s", "--repeats", "1", "--time-budget", budget.String(), "--format", "json"}
	return b.laptop.Begin(append(common, words...)...)
}

// inside measures a directory in each clone.
func (b *bed) inside() *laptop.Command { return b.run("--suite", "baseline", "--host", "deb") }

// figuresOf returns the figures of the measured clones.
func figuresOf(d report.Document) map[string]float64 {
	all := map[string]float64{}
	for _, host := range []string{"deb-1", "deb-2"} {
		for _, r := range laptop.RowsOf(d, "randread-4k", host) {
			for _, f := range r.Figures {
				if f.Metric == "storage.read.iops" && len(f.Repeats) == 1 {
					all[host] = f.Repeats[0]
				}
			}
		}
	}
	return all
}

var (
	macs  = regexp.MustCompile(`<mac address='([^']*)'`)
	uuids = regexp.MustCompile(`<uuid>([^<]*)</uuid>`)
)

// A directory of the first clone is measured, and a pool disk attached to it.
func (b *bed) measured(t *testing.T) {
	c := b.run("--suite", "tiers")
	c.AwaitWithin(patience, "two clones run", func() bool { return b.running(2) })
	own := map[string]bool{}
	for name := range b.domains() {
		text := b.feed("", "virsh -q -c qemu:///system dumpxml --domain "+name)
		for _, what := range []*regexp.Regexp{macs, uuids} {
			m := what.FindStringSubmatch(text)
			if m == nil || own[m[1]] || strings.Contains(templateXML, m[1]) {
				t.Errorf("%s has no %s of its own:\n%s", name, what, text)
				continue
			}
			own[m[1]] = true
		}
	}
	r := c.Wait(whole)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	measured := 0
	for _, row := range laptop.RowsOf(d, "randread-4k", "deb-1") {
		if laptop.Measured(row) {
			measured++
		}
	}
	if measured != 2 {
		t.Errorf("%d rows have a figure, want a directory and a disk:\n%s", measured, laptop.InShort(d, ""))
	}
	b.expectNothingLeft(t)
}

// expectCleanedUp has cleanup destroy what a killed run left.
func (b *bed) expectCleanedUp(t *testing.T) {
	t.Helper()
	for _, r := range b.laptop.CleanUp().Released {
		if r.Error != "" {
			t.Errorf("cleanup: %+v", r)
		}
	}
	b.expectNothingLeft(t)
}

func (b *bed) killedEarly(t *testing.T) {
	c := b.inside()
	c.AwaitWithin(patience, "a clone runs", func() bool { return b.running(1) || b.running(2) })
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(whole)
	if len(b.domains()) == 0 {
		t.Error("nothing was left to clean up")
	}
	b.expectCleanedUp(t)
}

func (b *bed) interrupted(t *testing.T) {
	c := b.inside()
	c.AwaitWithin(patience, "a clone runs", func() bool { return b.running(1) || b.running(2) })
	c.Signal(syscall.SIGINT)
	if r := c.Wait(whole); r.Exit != 130 {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	b.expectNothingLeft(t)
}

func (b *bed) broken(t *testing.T) {
	r := b.laptop.Begin("run", "-i", b.laptop.File, "--suite", "baseline", "--host", "bad", "--only", "randread-4k").Wait(whole)
	if r.Exit == 0 || !strings.Contains(r.Said, "bad-1, a clone of "+broken+" on kvm1, shut down after") {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	b.expectNothingLeft(t)
}

// told waits until assay has reported an event of a repeat.
func told(c *laptop.Command, event string, repeat int) {
	c.AwaitWithin(whole, fmt.Sprintf("%s of repeat %d", event, repeat), func() bool {
		for line := range strings.Lines(c.Said()) {
			if strings.HasPrefix(line, `{"event":"`+event+`"`) && strings.Contains(line, fmt.Sprintf(`"repeat":%d,`, repeat)) {
				return true
			}
		}
		return false
	})
}

func (b *bed) killed(t *testing.T) {
	c := b.inside()
	told(c, "begin", 0)
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(whole)
	if !b.running(2) {
		t.Errorf("two clones should be left: %v", b.domains())
	}
	b.expectCleanedUp(t)
}

// The clones that a killed run left are destroyed, and the remaining trials run in new
// ones.
func (b *bed) resumed(t *testing.T) {
	c := b.inside()
	told(c, "end", 1)
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(whole)
	left := b.domains()
	before, _ := b.laptop.Stored()
	again := b.laptop.Begin("run", "--resume", "latest", "-i", b.laptop.File, "--time-budget", budget.String(), "--format", "json")
	again.AwaitWithin(patience, "two other clones run", func() bool {
		is := b.domains()
		for name := range left {
			if is[name] != "" {
				return false
			}
		}
		return len(is) == 2
	})
	r := again.Wait(whole)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	if d.Run.ID != before.Run.ID || d.Run.Status != assay.RunDone {
		t.Errorf("run %s is %s, want %s to be done", d.Run.ID, d.Run.Status, before.Run.ID)
	}
	had, has := figuresOf(before), figuresOf(d)
	t.Logf("4 KiB random reads a second: %v, then %v", had, has)
	if len(had) != 1 || len(has) != 2 {
		t.Errorf("one of two repeats was to be left, and made in a new clone:\n%s", laptop.InShort(d, ""))
	}
	for host, figure := range had {
		if has[host] != figure {
			t.Errorf("%s had %v, and has %v", host, figure, has[host])
		}
	}
	b.expectNothingLeft(t)
}
