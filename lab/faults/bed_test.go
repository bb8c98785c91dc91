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

// bed is a lab of identical hosts, with a user at a laptop.
type bed struct {
	t      *testing.T
	lab    *hosts.Lab
	laptop *laptop.Laptop
	was    map[string]state // by host, before assay ran
}

// overtime is how long assay may exceed its budget on a busy machine, to connect,
// give up on what does not answer, and release what it lent: half a minute on an
// idle one.
const overtime = 2 * time.Minute

// newBed brings up n hosts: host1, host2, and so on. Their disks are slow enough
// to leave CPU time to other tests.
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

// write writes a cluster.yaml with these hosts, by name, and with the storage
// network between those of the lab. assay is an unprivileged user on every other
// host.
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

// remember records the state of hosts as the one to restore.
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
	text   string // file with the text report
}

// What tests measure: one-second repeats, or longer ones that can be
// interrupted midway.
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

// measured counts a host's figures so far from assay's output, without its
// warm-up.
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

// outcome is a finished run with its report in both forms.
type outcome struct {
	laptop.Result
	t    testing.TB
	doc  report.Document
	text string // in one line
}

// end waits for the run to end within its bound, and reads its output.
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

// awaitRunning waits until a program with these arguments runs on a host.
func (b *bed) awaitRunning(m *measuring, host string, words ...string) {
	b.t.Helper()
	at := enter(b.t, b.lab, host)
	b.awaitThat(m, fmt.Sprintf("%q runs on %s", words, host), func() bool { return at.runs(words...) })
}

// awaitThat waits until a condition holds while assay runs.
func (b *bed) awaitThat(m *measuring, what string, is func() bool) {
	b.t.Helper()
	m.AwaitWithin(4*time.Minute, what, is)
}

// expectNothingLeft compares every host with its original state, and checks the
// laptop.
func (b *bed) expectNothingLeft() {
	b.t.Helper()
	for _, h := range b.lab.Names() {
		enter(b.t, b.lab, h).expectOnly(h, b.was[h])
	}
	b.laptop.ExpectEmpty()
}

// logIn logs in by hand first: files that a shell or sudo creates at first login
// are not assay's.
func (b *bed) logIn(host string) error {
	out, err := exec.CommandContext(testContext(b.t), "ssh", "-F", b.lab.Config(), "-o", "BatchMode=yes", host, "sudo -n true").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", host, err, out)
	}
	return nil
}

// testContext bounds what a test does with its lab.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}
