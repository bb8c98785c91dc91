package failover

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// vip returns a valid entry.
func vip() Entry {
	return Entry{Name: "vip", Host: "pve1", Service: "keepalived", Address: "10.0.0.9", Observers: []string{"pve2", "pve3"}}
}

func TestEntries(t *testing.T) {
	for name, change := range map[string]func(*Entry){
		"as it is":           func(*Entry) {},
		"killed":             func(e *Entry) { e.Kill = "keepalived" },
		"killed and started": func(e *Entry) { e.Service, e.Kill, e.Start = "", "ceph-mon", "systemctl start ceph-mon@a" },
		"a link":             func(e *Entry) { e.Service, e.Link = "", "eth1.30" },
		"commands":           func(e *Entry) { e.Service, e.Stop, e.Start, e.Running, e.By = "", "a", "b", "c", "pve4" },
		"a port":             func(e *Entry) { e.Address, e.Port = "fd00::9", 6443 },
		"HTTP":               func(e *Entry) { e.HTTP, e.Status, e.Whole, e.Heals = "/healthz?x=1", 204, "true", true },
		"times":              func(e *Entry) { e.For, e.Within = 5*time.Minute, MostWithin },
		"confirmed":          func(e *Entry) { e.Confirm = "pve1" },
		"a command":          func(e *Entry) { e.Address, e.Command = "", "ceph -s\n\tceph health 'ä'" },
		"a slow command":     func(e *Entry) { e.Address, e.Command, e.Timeout = "", "ceph -s", MostTimeout },
		"with a failback":    func(e *Entry) { e.Failback = "kubectl get pods -o wide | grep -q pve1" },
		"under load":         func(e *Entry) { e.Load = "ping -i 0.1 10.0.0.9" },
		"a promoter":         func(e *Entry) { e.Service, e.Promoter = "", "linstor_db" },
		"a guest of HA": func(e *Entry) {
			e.Service, e.Stop, e.Start, e.Running, e.By, e.HA = "", "a", "b", "c", "pve4", "vm:101"
		},
		"a nested node":  func(e *Entry) { e.Service, e.Link, e.By, e.HA = "", "tap100i0", "pve4", "ct:101" },
		"a slow address": func(e *Entry) { e.Timeout = 5 * time.Second },
	} {
		e := vip()
		change(&e)
		if err := e.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		params := e.Confirmed()
		if got, confirmed, err := Of(params); err != nil || !confirmed || !slices.Equal(got.Lines(), e.Lines()) {
			t.Errorf("%s: it is read as %+v, %t, %v", name, got, confirmed, err)
		}
		if _, confirmed, _ := Of(e.Params()); confirmed {
			t.Errorf("%s: it counts as confirmed", name)
		}
	}
	command := func(change func(*Entry)) func(*Entry) {
		return func(e *Entry) {
			e.Address, e.Command = "", "ceph -s"
			change(e)
		}
	}
	for says, change := range map[string]func(*Entry){
		"command: stands in place": command(func(e *Entry) { e.Address = "10.0.0.9" }),
		"place of address:, port:": command(func(e *Entry) { e.Port = 80 }),
		"port:, http: and status:": command(func(e *Entry) { e.HTTP = "/" }),
		"http: and status:":        command(func(e *Entry) { e.Status = 200 }),
		"a control character":      command(func(e *Entry) { e.Command = "ceph -s\x1b[2J" }),
		"command: is a command":    command(func(e *Entry) { e.Command = strings.Repeat("x", 4001) }),
		"timeout: must be shorter": command(func(e *Entry) { e.Timeout = 2 * time.Minute }),
		"no longer than 1m0s":      command(func(e *Entry) { e.Timeout = 61 * time.Second }),
		"shorter than within:, an": command(func(e *Entry) { e.Within, e.Timeout = 30*time.Second, 30*time.Second }),
		"one of these is missing":  func(e *Entry) { e.Service = "" },
		"or only one can be":       func(e *Entry) { e.Link = "eth1" },
		"unit of systemd":          func(e *Entry) { e.Service = "-H root@x" },
		"name of a process":        func(e *Entry) { e.Kill = "a b" },
		"network interface":        func(e *Entry) { e.Service, e.Link = "", "eth0; reboot" },
		"can be started again":     func(e *Entry) { e.Service, e.Kill = "", "ceph-mon" },
		"also give start:":         func(e *Entry) { e.Service, e.Stop, e.Start = "", "a", "b" },
		"belong to stop:":          func(e *Entry) { e.Start = "reboot" },
		"or a promoter is put":     func(e *Entry) { e.Service, e.Promoter, e.Start = "", "r0", "x" },
		"be a resource of DRBD":    func(e *Entry) { e.Service, e.Promoter = "", "r0; reboot" },
		"ha-manager calls a guest": func(e *Entry) { e.HA = "101" },
		"resets itself within":     func(e *Entry) { e.Service, e.Link, e.HA = "", "vmbr0", "vm:101" },
		"under by: another host":   func(e *Entry) { e.Service, e.HA = "corosync", "vm:101" },
		"is a command for sh":      func(e *Entry) { e.Whole = " " },
		"neither an IP address":    func(e *Entry) { e.Address = "-f" },
		"must repeat the host":     func(e *Entry) { e.Confirm = "pve2" },
		"is not a port":            func(e *Entry) { e.Port = 65536 },
		"path of a URL":            func(e *Entry) { e.HTTP = "/x\r\nX: y" },
		"status: is":               func(e *Entry) { e.Status = 200 },
		"at most 2":                func(e *Entry) { e.Observers = []string{"a", "b", "c"} },
		"name other hosts":         func(e *Entry) { e.Observers = []string{"pve1"} },
		"duplicate pve2":           func(e *Entry) { e.Observers = []string{"pve2", "pve2"} },
		"needs whole:":             func(e *Entry) { e.Heals = true },
		"must be shorter":          func(e *Entry) { e.For, e.Within = time.Minute, time.Minute },
		"cannot be a name":         func(e *Entry) { e.By = "pve1;reboot" },
		"no longer than 10m0s":     func(e *Entry) { e.Within = time.Hour },
		"failback: is a command":   func(e *Entry) { e.Failback = "\n" },
		"load: is a command":       func(e *Entry) { e.Load = " " },
		"of at most 4000 bytes":    func(e *Entry) { e.Whole = strings.Repeat("x", 5000) },
		"not an entry of failover": nil,
	} {
		e := vip()
		params := map[string]string{paramEntry: "{"}
		if change != nil {
			change(&e)
			params = e.Params()
		}
		if _, _, err := Of(params); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// Of several faulty commands, it is always the first that is named.
func TestFirstOfFaultyCommands(t *testing.T) {
	for range 20 {
		e := vip()
		e.Whole, e.Failback, e.Load = " ", " ", " "
		if err := e.Check(); err == nil || !strings.HasPrefix(err.Error(), "whole: is a command") {
			t.Fatalf("%v", err)
		}
	}
}

// Anything but a command is one quoted word in the scripts.
func TestWordsAreQuoted(t *testing.T) {
	e := vip()
	e.Kill = "x"
	stop, start, running := e.Scripts()
	for _, script := range []string{stop, start, running} {
		if !strings.Contains(script, "'keepalived'") && !strings.Contains(script, "'x'") {
			t.Errorf("%q quotes nothing", script)
		}
	}
	e = Entry{Link: "eth1"}
	stop, start, running = e.Scripts()
	for _, script := range []string{stop, start, running} {
		if strings.Contains(script, "LINK") || !strings.Contains(script, "'eth1'") {
			t.Errorf("%q does not quote the link", script)
		}
	}
}

func TestDir(t *testing.T) {
	if Dir("0123456789abcdef") == "" || Dir("../x") != "" || Dir("a b") != "" || Dir("") != "" {
		t.Error("an id makes a directory that it should not, or none")
	}
}

// seen returns an observer's output for requests every 10 ms from 0 on, without answers
// between from and to.
func seen(until, from, to float64) string {
	var b strings.Builder
	for i := 0; float64(i)*.01 < until; i++ {
		at := 1795653845 + float64(i)*.01
		word := " 0.000120 ok\n"
		if s := float64(i) * .01; s >= from && s < to {
			word = " 1.000210 lost\n"
		}
		b.WriteString(stamp(at) + word)
	}
	return b.String()
}

func TestReadRequests(t *testing.T) {
	all, err := ReadRequests([]byte("what?\n" + seen(10, 2, 5)))
	if err != nil || len(all) != 1000 {
		t.Fatalf("%d requests, %v", len(all), err)
	}
	const began = 1795653845
	gap, ok := LongestGap(all, began+1.5, began+7)
	if !ok || math.Abs(gap.Seconds()-3.01) > 1e-4 {
		t.Errorf("a gap of %.4f s, %t", gap.Seconds(), ok)
	}
	if gap, _ := LongestGap(all, began+6, began+7); gap.Seconds() > .011 {
		t.Errorf("a gap of %.4f s where there was none", gap.Seconds())
	}
	if sent, lost, took := Between(all, began, began+10); sent != 1000 || lost != 300 || math.Abs(took-.00012) > 1e-9 {
		t.Errorf("%d sent, %d lost, %g s", sent, lost, took)
	}
	if i := Interval(all); math.Abs(i-.01) > 1e-4 {
		t.Errorf("an interval of %g s", i)
	}
	if got, err := ReadRequests([]byte(seen(10, .05, 10))); err == nil {
		t.Errorf("%d requests of an observer that had 5 answers", len(got))
	}
}

func TestReadTimes(t *testing.T) {
	text := "stopping 100.5\nstopped 100.6\nstarting 106.5\nstarted 106.75\nstop.status 0\nback\n"
	if got, err := ReadTimes([]byte(text)); err != nil || got != (Times{100.5, 100.6, 106.5, 106.75, 0}) {
		t.Errorf("%+v, %v", got, err)
	}
	for says, bad := range map[string]string{
		"when it was put back": strings.Replace(text, "back\n", "", 1),
		"was stopped and put":  strings.Replace(text, "starting", "x", 1),
		"not a time":           strings.Replace(text, "100.5", "%s.%N", 1),
		"clock went back":      strings.Replace(text, "106.75", "6.75", 1),
		"status of what stops": strings.Replace(text, "status 0", "status x", 1),
	} {
		if got, err := ReadTimes([]byte(bad)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v, %v: want %s", got, err, says)
		}
	}
}

func TestReadNeighbours(t *testing.T) {
	got := ReadNeighbours([]byte("1.000000 0.000200 ok\n1.010000 neighbour 52:54:00:00:00:01\n2.0 neighbour -\nneighbour x\n3.5 neighbour 52:54:00:00:00:02\n"))
	want := []Neighbour{{1.01, "52:54:00:00:00:01"}, {2, ""}, {3.5, "52:54:00:00:00:02"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWholeAgain(t *testing.T) {
	for text, want := range map[string]float64{
		"1.0 0\n2.0 0\n3.0 1\n4.0 1\n5.0 0\n6.0 0\n": 5,
		"1.0 0\n3.0 1\n4.0 0\n5.0 1\n6.0 0\n":        6, // it was whole only briefly
		"1.0 0\n3.0 1\n4.0 1\n":                      0,
		"1.0 1\n3.0 0\n4.0 0\n":                      0, // that was before
		"":                                           0,
	} {
		if at, ok := WholeAgain(ReadWhole([]byte(text)), 2); at != want || ok != (want > 0) {
			t.Errorf("%q: %g, %t, want %g", text, at, ok, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(seen(1, .4, .6))
	f.Add("1795653845.000000 0.300000 ok\n1795653845.400000 10.050000 lost\n1795653855.600000 0.250000 status-1\n1795653856.000000 0.100000 signal-9\n")
	f.Add(`{"name":"mon","host":"a","service":"x","command":"ceph -s","timeout":20000000000}`)
	f.Add("stopping 100.5\nstopped 100.6\nstarting 106.5\nstarted 106.75\nstop.status 0\nback\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadRequests([]byte(text))
		if gap, ok := LongestGap(all, 0, math.Inf(1)); err == nil && (!ok || !(gap.Seconds() >= 0)) {
			t.Errorf("%+v, %t", gap, ok)
		}
		_, _ = ReadTimes([]byte(text))
		_ = ReadNeighbours([]byte(text))
		_, _ = WholeAgain(ReadWhole([]byte(text)), 1)
		if e, err := Read(text); err == nil && e.Check() != nil {
			t.Error("read, and refused")
		}
	})
}

func TestLines(t *testing.T) {
	e := vip()
	e.Whole, e.By = "ceph health | grep -q HEALTH_OK", "pve4"
	hosts := map[string]int{}
	for _, l := range e.Lines() {
		hosts[l.Host]++
	}
	if want := map[string]int{"pve4": 3, "pve2": 2, "pve3": 1}; !maps.Equal(hosts, want) {
		t.Errorf("commands by host: %v, want %v", hosts, want)
	}
	e.Address, e.Command = "", "rados -p app put probe /etc/hostname # "+strings.Repeat("x", 80)
	if l := e.Lines()[3]; l.Command != "perl -e …, which runs, again and again: "+e.Command {
		t.Errorf("what observes is %q", l.Command)
	}
	if asked := e.Asked(); asked != "`rados -p app put probe /etc/hostname # "+strings.Repeat("x", 21)+"…`" {
		t.Errorf("what is asked is %s", asked)
	}
}
