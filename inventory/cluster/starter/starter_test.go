package starter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/place/local"
	"assay/report/reporttest"
)

func found(address, hostname string, storage, mgmt string) Found {
	f := Found{Target: Target{Address: address}, Way: Way{Hostname: address, User: "root", Port: 22}}
	f.Answer = survey.Answer{
		Host: f.Target.Host(""),
		Facts: assay.Facts{
			Root:   true,
			OS:     assay.OSFacts{Hostname: hostname, Machine: "Dell R640", Distribution: "Debian 12"},
			CPU:    assay.CPUFacts{Model: "Xeon 6130", Threads: 32},
			Memory: assay.MemoryFacts{Total: 64 << 30},
			Dirs: []assay.DirFacts{
				{Path: "/", FileSystem: "ext4", Drives: []string{"nvme0n1"}, Free: 90 << 30, Exists: true, Writable: true},
				{Path: "/mnt/two words", FileSystem: "xfs", Drives: []string{"sda"}, Free: 3 << 40, Exists: true},
				{Path: "/small", FileSystem: "ext4", Free: 1 << 30, Exists: true, Writable: true},
				{Path: "/gone", FileSystem: "ext4", Free: 90 << 30},
			},
			Block: []assay.BlockDevice{
				{Path: "/dev/nvme0n1", Kind: "disk", Bytes: 960197124096, Model: "PM983", Bus: assay.BusNVMe},
				{Path: "/dev/nvme0n1p1", Kind: "part", Bytes: 1 << 30},
			},
			NICs: []assay.NICFacts{{Name: "vmbr0", MTU: 1500, Speed: 1e9}, {Name: "eno2", MTU: 9000, Speed: 1e10}},
		},
		Addresses: []survey.Address{{NIC: "vmbr0", Prefix: netip.MustParsePrefix(mgmt)}},
	}
	if storage != "" {
		f.Answer.Addresses = append(f.Answer.Addresses, survey.Address{NIC: "eno2", Prefix: netip.MustParsePrefix(storage)})
	}
	return f
}

func lab() []Found {
	first := found("pve1", "pve1", "10.0.1.1/24", "10.0.0.1/24")
	first.Way.Hostname, first.Way.Jump = "10.0.0.1", "gate"
	second := found("10.0.0.2", "pve2.lan", "10.0.1.2/24", "10.0.0.2/24")
	second.Target.User, second.Answer.Facts.Root = "bench", false
	second.Answer.Facts.NICs[1].Speed, second.Answer.Facts.NICs[1].MTU = 1e9, 1500
	second.Answer.Addresses = append(second.Answer.Addresses, survey.Address{NIC: "lo", Prefix: netip.MustParsePrefix("10.9.0.2/32")})
	third := Found{Target: Target{Address: "pve3"}, Way: Way{Hostname: "pve3.lan", User: "root", Port: 2222}}
	third.Answer = survey.Answer{Host: third.Target.Host(""), Err: errors.New("host pve3: cannot be reached: connection refused")}
	return []Found{first, second, third}
}

func TestWrite(t *testing.T) {
	all := lab()
	Name(all)
	text := Write(all, "")
	reporttest.Golden(t, "three.yaml", text)
	c, err := cluster.Read("three.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Hosts) != 3 || len(c.Networks) != 2 || c.Networks[0].Name != survey.Management {
		t.Errorf("%+v", c)
	}
	if h := c.Host("pve2"); h == nil || h.Address != "10.0.0.2" || h.User != "bench" {
		t.Errorf("%+v", h)
	}
}

// Every commented-out example is usable: with its number sign removed it is
// YAML that parses.
func TestTheExamplesCanBeUsed(t *testing.T) {
	all := lab()
	Name(all)
	var lines []string
	for line := range strings.Lines(string(Write(all, "/home/me/ssh config"))) {
		blanks, comment, is := strings.Cut(line, "#")
		words := strings.TrimSpace(comment)
		example := is && strings.TrimSpace(blanks) == "" && (strings.HasPrefix(words, "- ") || strings.Contains(words, ":")) &&
			!strings.Contains(words, "could not be queried") && !strings.HasPrefix(words, "What") && !strings.HasPrefix(words, "An address") &&
			!strings.HasPrefix(words, "Names") && !strings.HasPrefix(words, "Other")
		if example {
			line = blanks + strings.TrimPrefix(comment, " ")
			if strings.HasPrefix(comment, "   ") {
				line = blanks + comment[1:]
			}
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "")
	c, err := cluster.Read("x", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	h := c.Hosts[0]
	if len(h.Measure.Directories) != 2 || h.Measure.Devices[0] != "/dev/nvme0n1" || h.Labels["cooling"] != "stock" || !h.Sudo || h.User != "root" {
		t.Errorf("%+v", h)
	}
	if len(c.Groups) != 1 || len(c.Resources) != 3 || c.Resources[2].Directories[0] != "/mnt/two words" || h.SSH.Config != "/home/me/ssh config" {
		t.Errorf("%+v", c)
	}
}

// Whatever hosts report about themselves, the file parses and lists all of
// them.
func TestAnythingThatHostsSayCanBeRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		odd := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"a\nhosts: {}", "x # y", "'", `"`, "\x00\u2028\u0085- b", "null", "pve1", "{", "a;reboot", "# \r\n  evil: 1", "yes", "7", "0x10", "1e3",
		}))
		addresses := []string{"pve1", "10.0.0.2", "fd00::3", "null", "on", "a.b.c", "0x10.lan", "x_y"}
		n := rapid.IntRange(1, len(addresses)).Draw(t, "hosts")
		var all []Found
		for i := range n {
			f := found(addresses[i], odd.Draw(t, "hostname"), "", fmt.Sprintf("10.0.0.%d/24", i+1))
			f.Way = Way{odd.Draw(t, "way"), odd.Draw(t, "user"), 1, odd.Draw(t, "jump")}
			x := &f.Answer.Facts
			x.OS.Machine, x.CPU.Model, x.Dirs[0].Path, x.Block[0].Model = odd.Draw(t, "machine"), odd.Draw(t, "cpu"), "/"+odd.Draw(t, "dir"), odd.Draw(t, "model")
			nic := odd.Draw(t, "nic")
			x.NICs[0].Name, f.Answer.Addresses[0].NIC = nic, nic
			x.NICs[0].MTU, x.NICs[0].Speed = rapid.IntRange(0, 70000).Draw(t, "mtu"), rapid.Float64Range(0, 1e16).Draw(t, "speed")
			if rapid.Bool().Draw(t, "silent") {
				f.Answer = survey.Answer{Host: f.Answer.Host, Err: errors.New(odd.Draw(t, "error"))}
			}
			all = append(all, f)
		}
		Name(all)
		text := Write(all, rapid.SampledFrom([]string{"", "/etc/ssh config", `/a"b\c`, "/ä#: x"}).Draw(t, "config"))
		c, err := cluster.Read("x", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(c.Hosts) != n {
			t.Fatalf("%d hosts of %d\n%s", len(c.Hosts), n, text)
		}
	})
}

func TestName(t *testing.T) {
	all := []Found{
		found("pve1", "other", "", "10.0.0.1/24"), found("10.0.0.2", "node2.lan", "", "10.0.0.2/24"), found("10.0.0.3", "node2", "", "10.0.0.3/24"),
		found("10.0.0.4", "localhost", "", "10.0.0.4/24"), found("fd00::5", "a;reboot", "", "10.0.0.5/24"), found("fd00::6", "PVE1", "", "10.0.0.6/24"),
	}
	Name(all)
	var names []string
	for _, f := range all {
		names = append(names, f.Answer.Host.Name)
	}
	if got := strings.Join(names, " "); got != "pve1 node2 10.0.0.3 10.0.0.4 host-5 host-6" {
		t.Error(got)
	}
}

func TestParseTargets(t *testing.T) {
	got, err := ParseTargets([]string{"pve1", "root@10.0.0.1", "fd00::1", "bench@x_y.lan"})
	if err != nil || got[1] != (Target{"root", "10.0.0.1"}) || got[2] != (Target{"", "fd00::1"}) || got[3].Address != "x_y.lan" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, words := range [][]string{
		{""}, {"a;reboot"}, {"-oProxyCommand=touch x"}, {"-l@h"}, {"@h"}, {"u@"}, {"a b"}, {"$(id)"}, {"h:22"}, {"u@v@h"}, {"a\nb"},
		{"h", "h"}, {"h", "root@H"}, {"fd00::1", "fd00:0::1"},
	} {
		if _, err := ParseTargets(words); err == nil {
			t.Errorf("%q is taken", words)
		}
	}
}

// ssh itself runs, with a configuration of our own, and connects to nothing.
func TestResolve(t *testing.T) {
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("there is no ssh")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "a config")
	if err := os.WriteFile(config, []byte("Host pve1\n HostName 10.0.0.1\n User admin\n Port 2222\n ProxyJump gate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here := local.New("here", "")
	w, err := Target{Address: "pve1"}.Resolve(context.Background(), here, config)
	if err != nil || w.String() != "admin@10.0.0.1 port 2222 by way of gate" {
		t.Errorf("%s, %v", w, err)
	}
	w, err = Target{"bench", "fd00::1"}.Resolve(context.Background(), here, config)
	if err != nil || w.String() != "bench@fd00::1" {
		t.Errorf("%s, %v", w, err)
	}
	if err := os.WriteFile(config, []byte("Nonsense yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = (Target{Address: "pve1"}).Resolve(context.Background(), here, config); err == nil || !strings.Contains(err.Error(), "onsense") || assay.Hint(err) == "" {
		t.Errorf("%v", err)
	}
}

func TestNoTrailingBlanks(t *testing.T) {
	all := lab()
	Name(all)
	for n, line := range bytes.Split(Write(all, "x"), []byte("\n")) {
		if len(bytes.TrimRight(line, " \t")) != len(line) {
			t.Errorf("line %d: %q", n+1, line)
		}
	}
}
