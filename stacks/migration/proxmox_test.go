package migration

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

func vmMove() Move {
	return Move{Kind: Proxmox, Guest: "101", Home: End{"kvm1", "192.0.2.1"}, Away: End{"kvm2", "192.0.2.2"}}
}

func TestProxmoxMove(t *testing.T) {
	for _, good := range []func(*Move){func(*Move) {}, func(m *Move) { m.Transport, m.Network, m.Copy = "insecure", "storage", true }} {
		m := vmMove()
		good(&m)
		if got, err := Of(m.Params()); err != nil || got != m {
			t.Errorf("%+v, %v; want %+v", got, err, m)
		}
	}
	for name, change := range map[string]func(*Move){
		"a name": func(m *Move) { m.Guest = "web" }, "no number": func(m *Move) { m.Guest = "099" }, "an option": func(m *Move) { m.Guest = "-1" },
		"a way of libvirt": func(m *Move) { m.Transport = "ssh" }, "another kind": func(m *Move) { m.Kind = "xen" }, "a network with a blank": func(m *Move) { m.Network = "a b" },
	} {
		m := vmMove()
		change(&m)
		if err := m.Check(); err == nil {
			t.Errorf("%s is taken: %+v", name, m)
		}
	}
}

func TestProxmoxCommand(t *testing.T) {
	for want, c := range map[string]struct {
		network string
		offline bool
		change  func(*Move)
	}{
		"qm migrate 101 pve2 --online 1":                                                {},
		"qm migrate 101 pve2 --online 1 --migration_network 192.0.2.0/24":               {network: "192.0.2.0/24"},
		"qm migrate 101 pve2 --online 1 --with-local-disks 1 --migration_type insecure": {change: func(m *Move) { m.Copy, m.Transport = true, "insecure" }},
		"qm migrate 101 pve2": {offline: true},
	} {
		m := vmMove()
		if c.change != nil {
			c.change(&m)
		}
		if got := strings.Join((proxmox{m}).command("pve2", c.network, c.offline), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNetworkOf(t *testing.T) {
	// ip -o addr show of iproute2 6.1.
	const text = `1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever preferred_lft forever
2: vmbr0    inet 10.0.0.1/24 brd 10.0.0.255 scope global vmbr0\       valid_lft forever preferred_lft forever
3: eth1    inet6 fd00::1/64 scope global \       valid_lft forever preferred_lft forever
`
	for _, c := range []struct{ address, other, want string }{
		{"10.0.0.1", "10.0.0.2", "10.0.0.0/24"}, {"fd00::1", "fd00::2", "fd00::/64"},
		{"10.0.0.1", "10.0.1.2", ""}, {"10.0.0.3", "10.0.0.2", ""}, {"kvm1", "10.0.0.2", ""}, {"10.0.0.1", "", ""},
	} {
		if got, err := networkOf(text, c.address, c.other); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// A migration's process outlives whoever waits for it, and its output is reported at the end.
func TestDetached(t *testing.T) {
	at, dir := local.New("pve1", ""), t.TempDir()
	if _, err := os.Stat("/usr/bin/setsid"); err != nil {
		t.Skip(err)
	}
	run := func(ctx context.Context, script string) (assay.Output, error) {
		return at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", detachedScript, "sh", "sh", "-c", script, "sh", dir}})
	}
	out, err := run(t.Context(), "echo one; echo two >&2; exit 7")
	if err != nil || string(out.Stdout) != "one\ntwo\n" || out.Exit != 7 {
		t.Errorf("%q, %d, %v", out.Stdout, out.Exit, err)
	}
	is := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	await := func(name string) {
		t.Helper()
		for begun := time.Now(); !is(name); time.Sleep(5 * time.Millisecond) {
			if time.Since(begun) > bound {
				t.Fatalf("no %s", name)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error)
	go func() {
		_, err := run(ctx, `cd "$1"; : >begun; until [ -e go ]; do sleep 0.01; done; echo done; : >ended`)
		over <- err
	}()
	await("begun")
	stop()
	if err := <-over; err == nil {
		t.Error("it was waited for")
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	await("ended")
}

func TestComplaints(t *testing.T) {
	const log = "2025-02-11 09:12:00 starting migration\n2025-02-11 09:12:01 ERROR: online migrate failure - aborting\n2025-02-11 09:12:02 ERROR: migration aborted (duration 00:00:02)\nmigration aborted\n"
	if got := string(complaints([]byte(log))); got != "2025-02-11 09:12:01 ERROR: online migrate failure - aborting\n" {
		t.Errorf("%q", got)
	}
}

// saying is a place where every command prints the same text.
type saying struct {
	assay.Place
	text string
	exit int
}

func (s saying) Host() assay.Host { return assay.Host{Name: "kvm1"} }
func (s saying) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == "uname" {
		return assay.Output{Stdout: []byte("pve1\n")}, nil
	}
	return assay.Output{Stdout: []byte(s.text), Exit: s.exit}, nil
}

// A node's answer is read as Perl prints it, and an impossible one is an error.
func TestProxmoxAnswers(t *testing.T) {
	m := proxmox{vmMove()}
	for text, want := range map[string]string{
		`{"status":"running","qmpstatus":"running","maxmem":1,"ha":{"managed":0}}`:     Running,
		`{"status":"running","qmpstatus":"paused","maxmem":1,"ha":{"managed":"0"}}`:    Paused,
		`{"status":"running","qmpstatus":"prelaunch","ha":{"managed":false}}`:          "prelaunch",
		`{"status":"stopped","qmpstatus":"stopped","ha":{"managed":true,"state":"x"}}`: Off,
		`{"status":"running"}`: Running,
	} {
		if got, err := m.State(t.Context(), saying{text: text}); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "[]", "{}", "null", `{"status":"lost"}`, `{"status":"running","ha":{"managed":"maybe"}}`, `{"status":1}`} {
		if got, err := m.State(t.Context(), saying{text: bad}); err == nil {
			t.Errorf("%s is %q", bad, got)
		}
	}
	for text, want := range map[string]string{
		`[]`: NoJob,
		`[{"upid":"UPID:pve1:1:2:3:qmigrate:101:root@pam:","type":"qmigrate","id":"101"}]`: Leaving,
		`[{"upid":"UPID:pve1:1:2:3:qmigrate:102:root@pam:","type":"qmigrate","id":"102"}]`: NoJob,
		`[{"upid":"--","type":"qmigrate","id":"101"}]`:                                     NoJob,
	} {
		task, err := m.leaving(t.Context(), saying{text: text})
		if err != nil || (task != "") != (want == Leaving) {
			t.Errorf("%s is %q, %v", text, task, err)
		}
	}
}

func FuzzProxmoxAnswers(f *testing.F) {
	f.Add(`{"running":1,"local_disks":[{"volid":"local-lvm:vm-101-disk-0","size":34359738368,"cdrom":0}],"local_resources":["hostpci0"],"not_allowed_nodes":{"pve2":{"unavailable_storages":["vms"]}}}`)
	f.Add(`{"status":"running","maxmem":"4294967296","ha":{"managed":1}}`)
	f.Add(`[{"upid":"UPID:","type":"qmigrate","id":101}]`)
	f.Fuzz(func(t *testing.T, text string) {
		m, at := proxmox{vmMove()}, saying{text: text}
		g, err := m.Ready(t.Context(), at, at)
		if err == nil && g.Memory <= 0 {
			t.Errorf("%+v of %q", g, text)
		}
		_, _ = m.Job(t.Context(), at)
		_, _ = networkOf(text, "192.0.2.1", "192.0.2.2")
		if lines := complaints([]byte(text)); len(lines) > len(text) || slices.Contains(lines, 0) && !strings.Contains(text, "\x00") {
			t.Errorf("%q of %q", lines, text)
		}
	})
}
