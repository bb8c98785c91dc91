package migration

import (
	_ "embed" // the script
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
	"assay/report"
)

//go:embed nodes.sh
var nodesScript string

// newNodes returns two hosts with stand-ins for qm and pvesh that share a VM, and a user at a
// laptop. How assay runs them over SSH is real, and so is what becomes of them when it is
// killed.
func newNodes(t *testing.T) *bed {
	t.Helper()
	turns.NotQuick(t, "the tests with stand-ins of two nodes")
	if _, err := exec.LookPath("socat"); err != nil {
		t.Skipf("%v: make test-tools installs it", err)
	}
	all := hosts.Standard(2)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: gigabit, Disk: hosts.Disk{Bytes: 64 << 20, Rate: 200 << 20, IOPS: 2000}, Sudo: true}
	}
	b := &bed{t: t, lab: hoststest.Up(t, all)}
	log, err := os.ReadFile("../../probe/migrate/testdata/pve9-shared.txt")
	if err != nil {
		t.Fatal(err)
	}
	keeper := b.lab.Address(home, hosts.Storage)
	for _, host := range []string{home, away} {
		b.feed(host, string(log), nodesScript, "sh", keeper)
	}
	b.feed(home, "", `cd /run/pve && uname -n >node && : >lock && : >task
		setsid socat TCP-LISTEN:7777,bind="$0",fork,reuseaddr EXEC:/usr/local/sbin/pve-state </dev/null >/dev/null 2>&1 &`, keeper)
	b.await("the stand-ins answer", func() bool { return b.keeps("node") == home })
	file := filepath.Join(t.TempDir(), "migrate.yaml")
	text := fmt.Sprintf(`hosts:
  kvm1: {address: %[1]s, user: root, ssh: {config: %[2]q}}
  kvm2: {address: %[3]s, user: root, ssh: {config: %[2]q}}
vms:
  mail: {on: kvm1, proxmox: 101, migrate: {to: kvm2, network: storage}}
networks:
  storage: {rate: 1G, hosts: {kvm1: %[4]s, kvm2: %[5]s}}
`, b.lab.Address(home, hosts.Management), b.lab.Config(), b.lab.Address(away, hosts.Management), keeper, b.lab.Address(away, hosts.Storage))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.laptop = laptop.New(t, file)
	return b
}

// keeps returns a stand-in's stored state: node, lock or task.
func (b *bed) keeps(what string) string {
	b.t.Helper()
	return strings.TrimSpace(b.feed(home, "", `cat "/run/pve/$0"`, what))
}

// expectVMAtHome fails unless the VM is on its own node, with no operation in progress.
func (b *bed) expectVMAtHome(t *testing.T) {
	t.Helper()
	if node, lock, task := b.keeps("node"), b.keeps("lock"), b.keeps("task"); node != home || lock != "" || task != "" {
		t.Errorf("the VM is on %q, locked by %q, and %q moves it", node, lock, task)
	}
	b.laptop.ExpectEmpty()
}

// A Proxmox VE VM migrates there and back, and returns home after Ctrl-C and after kill -9.
func TestProxmox(t *testing.T) {
	b := newNodes(t)
	t.Run("there and back", func(t *testing.T) {
		r := b.run("--repeats", "1", "--time-budget", "10m").Wait(15 * time.Minute)
		if r.Exit != 0 {
			d, _ := b.laptop.Stored()
			t.Fatalf("status %d: %s\n%s", r.Exit, laptop.Brief(r.Said), laptop.InShort(d, ""))
		}
		d := laptop.Read[report.Document](t, r)
		for _, way := range []string{"qm-there", "qm-back"} {
			if took, still := figure(t, d, way, "migration.duration").Value, figure(t, d, way, "migration.downtime").Value; took != 20 || math.Abs(still-.059) > 1e-6 {
				t.Errorf("%s: %v s, downtime %v s", way, took, still)
			}
		}
		if !strings.Contains(r.Stdout, "748.8 MiB/s") {
			t.Error("the average speed is not recomputed")
		}
		b.expectVMAtHome(t)
	})
	leaving := func(c *laptop.Command) {
		c.AwaitWithin(patience, "the VM is leaving", func() bool { return b.keeps("task") == home })
	}
	t.Run("interrupted", func(t *testing.T) {
		c := b.run("--repeats", "1", "--time-budget", "10m", "--only", "qm-there")
		leaving(c)
		c.Signal(syscall.SIGINT)
		if r := c.Wait(5 * time.Minute); r.Exit != 130 {
			t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
		}
		b.expectVMAtHome(t)
	})
	for name, wait := range map[string]func(*laptop.Command){
		"killed on its way": leaving,
		"killed when it is there": func(c *laptop.Command) {
			c.AwaitWithin(patience, "the VM is away", func() bool { return b.keeps("node") == away })
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := b.run("--repeats", "4", "--time-budget", "10m", "--only", "qm-there")
			wait(c)
			c.Signal(syscall.SIGKILL)
			_ = c.Wait(time.Minute)
			if got := b.laptop.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
				t.Errorf("cleanup: %+v, want the VM", got)
			}
			b.expectVMAtHome(t)
		})
	}
}
