package iperf3

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

// at is a place for tests: this machine or one of its network namespaces, where
// answer can fake commands.
type at struct {
	*local.Place
	mark   string // of its processes, for Reap
	space  string // the namespace, "" for none
	answer func(argv []string) (assay.Output, error, bool)
}

func (a *at) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if a.answer != nil {
		if out, err, done := a.answer(c.Argv); done {
			return out, err
		}
	}
	if a.space != "" {
		c.Argv = append([]string{"ip", "netns", "exec", a.space}, c.Argv...)
	}
	return a.Place.Run(ctx, c)
}

// must runs a command of the test itself at the place and returns its output.
func (a *at) must(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := a.Run(context.Background(), assay.Cmd{Argv: argv, Timeout: 2 * time.Minute})
	if err != nil || out.Exit != 0 {
		t.Fatalf("%q at %s: %v, exit %d: %s", argv, a.Host().Name, err, out.Exit, out.Stderr)
	}
	return string(out.Stdout)
}

func here(host string) *at {
	mark := ownName(host)
	return &at{Place: local.New(host, mark), mark: mark}
}

// made counts the unique names.
var made atomic.Int64

// ownName returns a name that is unique on this machine.
func ownName(host string) string {
	return fmt.Sprintf("assay-%d-%d-%s", os.Getpid(), made.Add(1), host)
}

// spaces makes a network namespace for each host and removes it with the test.
// Tests run in parallel and share none.
func spaces(t *testing.T, hosts ...string) map[string]*at {
	t.Helper()
	t.Parallel()
	need(t, "iperf3", "ping", "ip", "ss")
	if os.Geteuid() != 0 {
		t.Skip("needs root for network namespaces")
	}
	all := map[string]*at{}
	for _, h := range hosts {
		name := ownName(h)
		if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
			t.Skipf("needs network namespaces: %s", out)
		}
		t.Cleanup(func() {
			if out, err := exec.Command("ip", "netns", "del", name).CombinedOutput(); err != nil {
				t.Errorf("namespace %s is left: %s", name, out)
			}
		})
		all[h] = here(h)
		all[h].space = name
		all[h].must(t, "ip", "link", "set", "lo", "up")
		all[h].must(t, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward; for f in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 > $f; done")
	}
	return all
}

// cable connects two namespaces with interfaces of that name and these
// addresses.
func cable(t *testing.T, a, b *at, name, addressA, addressB string) {
	t.Helper()
	a.must(t, "ip", "link", "add", name, "type", "veth", "peer", "name", name, "netns", b.space)
	for _, e := range []struct {
		*at
		address string
	}{{a, addressA}, {b, addressB}} {
		words := []string{"ip", "addr", "add", e.address, "dev", name}
		if strings.Contains(e.address, ":") {
			words = append(words, "nodad")
		}
		e.must(t, words...)
		e.must(t, "ip", "link", "set", name, "up")
	}
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s", p)
		}
	}
}

// pair returns an inventory of hosts on networks, with every directed pair of
// them.
func pair(networks ...assay.Network) assay.Inventory {
	inv := assay.Inventory{Facts: map[string]assay.Facts{}, Networks: networks}
	tools := []assay.ToolFacts{{Name: "iperf3", Path: "/usr/bin/iperf3", Version: "iperf 3.12"}, {Name: "ping", Path: "/bin/ping"}}
	for _, h := range []string{"a", "b", "c"} {
		inv.Hosts = append(inv.Hosts, assay.Host{Name: h})
		inv.Facts[h] = assay.Facts{Host: h, Tools: tools}
	}
	for _, n := range networks {
		for _, from := range inv.Hosts {
			for _, to := range inv.Hosts {
				if from.Name != to.Name && n.Addresses[from.Name] != "" && n.Addresses[to.Name] != "" {
					inv.Subjects = append(inv.Subjects, assay.Subject{
						ID: from.Name + "/link/" + n.Name + ":" + to.Name, Kind: assay.KindLink, Host: from.Name, Peer: to.Name,
						Network: n.Name, Name: n.Name + ":" + to.Name,
					})
				}
			}
		}
	}
	return inv
}

func network(name string, addresses ...string) assay.Network {
	n := assay.Network{Name: name, Addresses: map[string]string{}}
	for i, host := range []string{"a", "b", "c"}[:len(addresses)] {
		n.Addresses[host] = addresses[i]
	}
	return n
}

// trial returns the trial of a subject, such as the link from a to b.
func trial(t *testing.T, inv assay.Inventory, subject string, set map[string]string) assay.Trial {
	t.Helper()
	all, err := New().Trials(inv, assay.Case{Probe: tool, Name: "c", Title: "case", On: assay.KindLink, Set: set})
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range all {
		if tr.Subject.ID == subject {
			if tr.Absent != nil {
				t.Fatalf("%s: %s", subject, tr.Absent.Why)
			}
			return tr
		}
	}
	t.Fatalf("no trial of %s among %d", subject, len(all))
	return assay.Trial{}
}

// run runs and parses a one-second repeat.
func run(t *testing.T, tr assay.Trial, from, to assay.Place) (assay.Transcript, []assay.Measurement) {
	t.Helper()
	script, err := New().Run(context.Background(), tr, assay.Bench{Place: from, Peer: to, Length: time.Second})
	if err != nil {
		t.Fatalf("run: %v (hint: %s)", err, assay.Hint(err))
	}
	all, err := New().Parse(script)
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	return script, all
}

// oneOf gives the only measurement of a metric, in the direction where several.
func oneOf(t *testing.T, all []assay.Measurement, metric, direction string) assay.Measurement {
	t.Helper()
	for _, m := range all {
		if m.Metric == metric && m.Labels["direction"] == direction {
			return m
		}
	}
	t.Fatalf("no %s %s among %d figures", direction, metric, len(all))
	return assay.Measurement{}
}

// portsOf returns the ports in the servers' range that are listening.
func portsOf(t *testing.T, at *at) []int {
	t.Helper()
	var found []int
	for port := range readListeners([]byte(at.must(t, "cat", "/proc/net/tcp", "/proc/net/tcp6"))) {
		if port >= firstPort && port <= lastPort {
			found = append(found, port)
		}
	}
	return found
}

// until polls until what is true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatalf("two minutes went by, and not: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
