package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/report"
)

// bed is a lab of hosts that are alike, with a user before a laptop.
type bed struct {
	t      *testing.T
	lab    *hosts.Lab
	laptop *laptop.Laptop
	was    map[string]state // of each host, before assay came
}

// overtime is how long assay may take beyond its budget, to connect, to give
// up what does not answer, and to take back what it lent, on a busy machine: half a
// minute on an idle one.
const overtime = 2 * time.Minute

// newBed brings up n hosts: host1, host2, and so on. Their disks are slow enough
// to leave the CPU to other tests.
func newBed(t *testing.T, n int) *bed {
	t.Helper()
	all := hosts.Standard(n)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: 100e6, Disk: hosts.Disk{Bytes: 128 << 20, Rate: 200 << 20, IOPS: 2000}, Sudo: true, Rise: 1}
	}
	b := &bed{t: t, lab: hoststest.Up(t, all), was: map[string]state{}}
	b.laptop = laptop.New(t, b.write(b.addresses()))
	b.remember(b.lab.Names()...)
	return b
}

func (b *bed) addresses() map[string]string {
	all := map[string]string{}
	for _, h := range b.lab.Names() {
		all[h] = b.lab.Address(h, hosts.Management)
	}
	return all
}

// write writes a cluster.yaml of these hosts, by name, and of the storage
// network between those of the lab. On every other one assay is an ordinary user.
func (b *bed) write(addresses map[string]string) string {
	b.t.Helper()
	var y strings.Builder
	fmt.Fprintf(&y, "defaults:\n  user: %s\n  measure:\n    directories: [%s]\n  ssh:\n    config: %q\nhosts:\n",
		hosts.User, hosts.BenchDir, b.lab.Config())
	for i, name := range slices.Sorted(maps.Keys(addresses)) {
		fmt.Fprintf(&y, "  %q:\n    address: %q\n    sudo: %t\n", name, addresses[name], i%2 == 0)
	}
	if len(b.lab.Names()) > 1 {
		fmt.Fprintf(&y, "networks:\n  storage:\n    kind: switch\n    rate: 1G\n    hosts:\n")
		for _, h := range b.lab.Names() {
			fmt.Fprintf(&y, "      %s: %s\n", h, b.lab.Address(h, hosts.Storage))
		}
	}
	file := filepath.Join(b.t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(y.String()), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return file
}

// remember takes what is on hosts now for what belongs there.
func (b *bed) remember(names ...string) {
	b.t.Helper()
	for _, h := range names {
		b.was[h] = enter(b.t, b.lab, h).state()
	}
}

func (b *bed) breakHost(host string, f hosts.Fault, arg ...string) {
	b.t.Helper()
	if err := b.lab.Break(testContext(b.t), host, f, arg...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) mend(host string, f hosts.Fault, arg ...string) {
	b.t.Helper()
	if err := b.lab.Mend(testContext(b.t), host, f, arg...); err != nil {
		b.t.Fatal(err)
	}
}

// measuring is a run of assay with its budget.
type measuring struct {
	*laptop.Command
	budget time.Duration
	text   string // the file with the report as text
}

// What tests measure: repeats of a second, or ones that are long enough to be
// caught in the middle.
var (
	quickDisk = []string{"--suite", "baseline", "--only", "randread-4k", "--length", "1s"}
	slowDisk  = []string{"--suite", "baseline", "--only", "randread-4k", "--length", "3s"}
	quickLink = []string{"--suite", "cluster", "--only", "tcp-1", "--length", "1s"}
	slowLink  = []string{"--suite", "cluster", "--only", "tcp-1", "--length", "3s"}
)

// measure starts assay run.
func (b *bed) measure(budget time.Duration, repeats int, words ...string) *measuring {
	b.t.Helper()
	return measure(b.laptop, budget, repeats, words...)
}

func measure(l *laptop.Laptop, budget time.Duration, repeats int, words ...string) *measuring {
	l.T.Helper()
	m := &measuring{budget: budget, text: filepath.Join(l.Dir, "report.txt")}
	words = append([]string{"run", "-i", l.File, "--format", "json", "--report", m.text,
		"--time-budget", budget.String(), "--repeats", fmt.Sprint(repeats), "--seed", "1"}, words...)
	m.Command = l.Begin(words...)
	return m
}

// measured counts the figures that a host has by now, by what assay says; its
// warm-up is none.
func (m *measuring) measured(host string) (n int) {
	for line := range strings.Lines(m.Said()) {
		var e struct {
			Event, Host, Outcome string
			Repeat               int
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "end" && e.Host == host && e.Outcome == "done" && e.Repeat > 0 {
			n++
		}
	}
	return n
}

// outcome is a run that is over, with its report in both forms.
type outcome struct {
	laptop.Result
	t    testing.TB
	doc  report.Document
	text string // in one line
}

// end waits for the end of the run, within its bound, and reads what it says.
func (m *measuring) end() outcome {
	t := m.Laptop.T
	t.Helper()
	r := m.Wait(m.budget + overtime)
	text, err := os.ReadFile(m.text)
	if err != nil {
		t.Errorf("no report as text: %v; assay ended with %d and said\n%s", err, r.Exit, laptop.Brief(r.Said))
	}
	return outcome{r, t, laptop.Read[report.Document](t, r), strings.Join(strings.Fields(string(text)), " ")}
}

// awaitRunning waits until a program runs on a host with these words.
func (b *bed) awaitRunning(m *measuring, host string, words ...string) {
	b.t.Helper()
	at := enter(b.t, b.lab, host)
	b.awaitThat(m, fmt.Sprintf("%q runs on %s", words, host), func() bool { return at.runs(words...) })
}

// awaitThat waits until something is so while assay runs.
func (b *bed) awaitThat(m *measuring, what string, is func() bool) {
	b.t.Helper()
	m.AwaitWithin(4*time.Minute, what, is)
}

// expectNothingLeft compares every host with what it was, and looks at the
// laptop.
func (b *bed) expectNothingLeft() {
	b.t.Helper()
	for _, h := range b.lab.Names() {
		enter(b.t, b.lab, h).expectOnly(h, b.was[h])
	}
	b.laptop.ExpectEmpty()
}

// logIn logs in by hand: what a shell or sudo itself writes at the first time is
// not assay's.
func (b *bed) logIn(host string) error {
	out, err := exec.CommandContext(testContext(b.t), "ssh", "-F", b.lab.Config(), "-o", "BatchMode=yes", host, "sudo -n true").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", host, err, out)
	}
	return nil
}

// testContext bounds what a test does to its lab.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}
