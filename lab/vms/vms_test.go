package vms

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
	"assay/lab/vms/standin"
	"assay/plan/multiclient"
	"assay/report"
)

func TestMain(m *testing.M) {
	standin.Main()
	os.Exit(laptop.Main(m, "vms", 3))
}

// bed is a hypervisor with one guest, and a user at a laptop.
type bed struct {
	t      *testing.T
	lab    *hosts.Lab
	laptop *laptop.Laptop
}

// second is another guest, with an sshd and no agent.
const hypervisor, guest, second = "host1", "host2", "host3"

// newBed returns a bed whose hypervisor knows the guest as domain db and as VM
// 101.
func newBed(t *testing.T, kind string) *bed {
	t.Helper()
	all := hosts.Standard(3)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: 100e6, Disk: hosts.Disk{Bytes: 256 << 20, Rate: 200 << 20, IOPS: 2000}, Sudo: true, Rise: 1}
	}
	b := &bed{t: t, lab: hoststest.Up(t, all)}
	b.startAgent()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	b.feed(hypervisor, string(program), `cat >/usr/local/bin/virsh && chmod 755 /usr/local/bin/virsh && cp /usr/local/bin/virsh /usr/local/bin/qm && cp /usr/local/bin/virsh /usr/local/bin/pvesm`)
	b.feed(guest, string(program), `cat >/usr/local/bin/`+standin.Plug+` && chmod 755 /usr/local/bin/`+standin.Plug)
	b.feed(hypervisor, "tcp:"+b.lab.Address(guest, hosts.Storage)+":4555\n", "cat >"+standin.WhereFile)
	file := filepath.Join(t.TempDir(), "vms.yaml")
	text := fmt.Sprintf("hosts:\n  pve1: {address: %s, user: root, ssh: {config: %q}}\nvms:\n  db: {on: pve1, %s, measure: {directories: [%s]}}\n"+
		"tiers:\n  none: {host: db, vmdisk: {storage: images}}\n  writeback: {host: db, vmdisk: {storage: images, cache: writeback}}\n",
		b.lab.Address(hypervisor, hosts.Management), b.lab.Config(), kind, hosts.BenchDir)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.laptop = laptop.New(t, file)
	return b
}

// startAgent starts the guest's agent and the channel to it.
func (b *bed) startAgent() {
	b.t.Helper()
	b.feed(guest, "", `PATH=$PATH:/usr/sbin; chown 0:0 `+hosts.BenchDir+`
		setsid qemu-ga --method=unix-listen --path=/run/qga --statedir=/run --pidfile=/run/qga.pid </dev/null >/dev/null 2>&1 &
		until socat -u OPEN:/dev/null UNIX-CONNECT:/run/qga 2>/dev/null; do sleep 0.1; done
		setsid socat TCP-LISTEN:4555,fork,reuseaddr UNIX-CONNECT:/run/qga </dev/null >/dev/null 2>&1 &`)
}

func (b *bed) feed(host, stdin, script string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	out, err := b.lab.Feed(ctx, host, stdin, "sh", "-c", script)
	if err != nil {
		b.t.Fatalf("%s: %v", host, err)
	}
	return out
}

// left lists assay's traces on both machines.
func (b *bed) left() (found []string) {
	b.t.Helper()
	for _, h := range []string{hypervisor, guest, second} {
		out := b.feed(h, "", `for f in `+machineFile+`/storage/* /dev/disk/by-id/*assay-* /dev/shm/.assay-* /run/.assay-guest-* /tmp/.assay-* `+hosts.BenchDir+`/.assay-*; do [ ! -e "$f" ] || echo "$f"; done
			for p in /proc/[0-9]*; do tr '\0' '\n' <$p/environ 2>/dev/null | grep -q '^ASSAY_RUN=' && tr '\0' ' ' <$p/cmdline && echo; done; :`)
		for line := range strings.Lines(out) {
			found = append(found, h+": "+strings.TrimSpace(line))
		}
	}
	return found
}

func (b *bed) expectNothingLeft() {
	b.t.Helper()
	var left []string
	if !laptop.Eventually(90*time.Second, func() bool { left = b.left(); return len(left) == 0 }) {
		b.t.Errorf("left behind: %q", left)
	}
	b.laptop.ExpectEmpty()
}

var words = []string{"--suite", "baseline", "--host", "db", "--only", "randread-4k,cpu-1", "--size", "64M", "--precision", "off", "--format", "json"}

func (b *bed) begin(more ...string) *laptop.Command {
	b.t.Helper()
	return b.laptop.Begin(append(append([]string{"run", "-i", b.laptop.File}, words...), more...)...)
}

// A guest is measured from inside on either hypervisor, and nothing is left in it or on
// its hypervisor.
func TestAGuestIsMeasured(t *testing.T) {
	for name, kind := range map[string]string{"libvirt": "libvirt: db", "proxmox": "proxmox: 101"} {
		t.Run(name, func(t *testing.T) {
			if name != "libvirt" {
				notQuick(t)
			}
			t.Parallel()
			b := newBed(t, kind)
			r := b.begin("--length", "1s", "--repeats", "1", "--time-budget", "1h").Wait(40 * time.Minute)
			if r.Exit != 0 && r.Exit != 3 && r.Exit != 5 {
				t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
			}
			d := laptop.Read[report.Document](t, r)
			for _, what := range []string{"randread-4k", "cpu-1"} {
				rows := laptop.RowsOf(d, what, "db")
				if len(rows) != 1 || !laptop.Measured(rows[0]) {
					t.Errorf("%s of the guest is missing:\n%s", what, laptop.InShort(d, ""))
				}
			}
			// The hypervisor caches the guest's disk, which the guest cannot
			// see.
			if !strings.Contains(r.Stdout, `"hypervisor-cache"`) || !strings.Contains(r.Stdout, "cache=writeback") {
				t.Error("nothing says that the hypervisor caches the guest's disk")
			}
			b.expectNothingLeft()
		})
	}
}

// notQuick skips t in a quick run, which only measures a guest.
func notQuick(t *testing.T) {
	t.Helper()
	turns.NotQuick(t, "this")
}

// After kill -9 what runs in the guest ends by itself, and cleanup removes the rest.
func TestKilled(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, "libvirt: db")
	c := b.begin("--length", "30s", "--repeats", "3", "--time-budget", "10m")
	runs := func() bool {
		return strings.Contains(b.feed(guest, "", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '`), "--rw=randread")
	}
	c.AwaitWithin(3*time.Minute, "fio runs in the guest", runs)
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(11 * time.Minute)
	if !laptop.Eventually(2*time.Minute, func() bool { return !runs() }) {
		t.Error("fio outlives assay")
	}
	if got := b.laptop.CleanUp(); len(got.Released) != 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want the guest's scratch space", got)
	}
	b.expectNothingLeft()
}

// A guest whose agent disappears is a host that is gone: the run ends, and says
// so.
func TestTheAgentGoesAway(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, "libvirt: db")
	c := b.begin("--length", "20s", "--repeats", "3", "--time-budget", "3m")
	c.AwaitWithin(2*time.Minute, "fio runs in the guest", func() bool {
		return strings.Contains(b.feed(guest, "", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '`), "--rw=randread")
	})
	b.feed(guest, "", `pkill -9 socat; kill -9 "$(cat /run/qga.pid)"; rm -f /run/qga /run/qga.pid`)
	r := c.Wait(8 * time.Minute)
	if r.Exit != 5 && r.Exit != 1 || !strings.Contains(r.Stdout+r.Said, "guest agent does not answer") {
		t.Errorf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	b.startAgent()
	_ = b.laptop.CleanUp()
	b.expectNothingLeft()
}

// tiersOf measures the disks lent to the guest.
var tiersOf = []string{"--suite", "tiers", "--only", "randread-4k", "--size", "64M", "--precision", "off", "--format", "json"}

// The guest is lent a disk of its own in two ways; each is measured and taken
// away.
func TestADiskIsLent(t *testing.T) {
	notQuick(t)
	for name, kind := range map[string]string{"libvirt": "libvirt: db", "proxmox": "proxmox: 101"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, kind)
			words := append([]string{"run", "-i", b.laptop.File, "--length", "1s", "--repeats", "1", "--time-budget", "5m"}, tiersOf...)
			r := b.laptop.Begin(words...).Wait(8 * time.Minute)
			if r.Exit != 0 && r.Exit != 3 {
				t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
			}
			d := laptop.Read[report.Document](t, r)
			if rows := laptop.RowsOf(d, "randread-4k", "db"); len(rows) != 2 || !laptop.Measured(rows[0]) || !laptop.Measured(rows[1]) {
				t.Errorf("the two ways were not measured:\n%s", laptop.InShort(d, ""))
			}
			if !strings.Contains(r.Stdout, `"hypervisor-cache"`) || !strings.Contains(r.Stdout, ": cache=writeback") {
				t.Error("nothing says that the hypervisor caches the second disk")
			}
			b.expectNothingLeft()
		})
	}
}

// Two guests are measured separately and together, and their total is a figure of its
// own.
func TestGuestsAtOnce(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, "libvirt: db")
	b.feed(second, "", "chown 0:0 "+hosts.BenchDir)
	text := fmt.Sprintf("hosts:\n  pve1: {address: %s, user: root, ssh: {config: %q}}\nvms:\n  db: {on: pve1, libvirt: db}\n"+
		"  web: {on: pve1, address: %s, user: root, ssh: {config: %[2]q}}\ntiers:\n  guests: {hosts: [db, web], directory: %[4]s}\n",
		b.lab.Address(hypervisor, hosts.Management), b.lab.Config(), b.lab.Address(second, hosts.Management), hosts.BenchDir)
	file := filepath.Join(t.TempDir(), "guests.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.laptop = laptop.New(t, file)
	const name = "randread-4k-1x32"
	r := b.laptop.Begin("run", "-i", file, "--suite", "vm", "--only", name, "--size", "64M", "--length", "5s", "--repeats", "1", "--time-budget", "5m", "--format", "json").Wait(8 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	measured := 0
	for _, s := range d.Sections {
		for _, row := range s.Rows {
			if strings.HasPrefix(row.Trial, "fio/"+name) && laptop.Measured(row) {
				measured++
			}
		}
	}
	if measured != 3 || !strings.Contains(r.Stdout, `"fio/`+multiclient.Case(name, 2)+"@") {
		t.Errorf("%d rows have a figure, want each guest's and what both have:\n%s", measured, laptop.InShort(d, ""))
	}
	b.expectNothingLeft()
}

// After kill -9 the disk is removed even while the guest is off.
func TestKilledWithADisk(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := newBed(t, "libvirt: db")
	c := b.laptop.Begin(append([]string{"run", "-i", b.laptop.File, "--length", "30s", "--repeats", "3", "--time-budget", "10m"}, tiersOf...)...)
	c.AwaitWithin(3*time.Minute, "fio runs in the guest", func() bool {
		return strings.Contains(b.feed(guest, "", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '`), "--rw=randread")
	})
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(11 * time.Minute)
	b.feed(guest, "", `pkill -9 socat; pkill -9 `+standin.Plug+`; kill -9 "$(cat /run/qga.pid)"; rm -f /run/qga /run/qga.pid /dev/disk/by-id/* /run/assay-lab-disk-*; :`)
	b.feed(hypervisor, "", `sed -i 's/"Off":false/"Off":true/; s/"Disks":\[[^]]*\]/"Disks":[]/' `+machineFile+`/machine`)
	if got := b.laptop.CleanUp(); len(got.Released) < 1 || got.Released[0].Error != "" {
		t.Errorf("cleanup: %+v, want the guest's disk", got)
	}
	if left := b.feed(hypervisor, "", "ls "+machineFile+"/storage"); left != "" {
		t.Errorf("left in the storage: %s", left)
	}
	b.laptop.ExpectEmpty()
}

// machineFile is where the hypervisor's stand-ins keep their state.
const machineFile = "/var/lib/assay-lab-hypervisor"

// ofVMs matches the README's commands on a vms.yaml.
var ofVMs = regexp.MustCompile(`(?m)^\$ (assay .* -i vms\.yaml\b.*)$`)

// The README's commands do what it says.
func TestTheReadmeIsTrue(t *testing.T) {
	notQuick(t)
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofVMs.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 6 {
		t.Fatalf("README.md has %d commands on a vms.yaml", len(commands))
	}
	b := newBed(t, "libvirt: db")
	home := t.TempDir()
	if err := os.Symlink(b.laptop.File, filepath.Join(home, "vms.yaml")); err != nil {
		t.Fatal(err)
	}
	program, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(home, "assay")); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		command := c[1]
		if strings.HasPrefix(command, "assay run") {
			command += " --time-budget 4m --repeats 1 --length 1s --size 64M --precision off"
			if !strings.Contains(command, "--only") {
				command += " --only cpu-1"
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
		sh := exec.CommandContext(ctx, "sh", "-c", command)
		sh.Dir = home
		sh.Env = append(os.Environ(), "HOME="+home, "PATH="+home+":"+os.Getenv("PATH"), "ASSAY_DB="+filepath.Join(home, "db"))
		out, err := sh.CombinedOutput()
		cancel()
		if status := sh.ProcessState.ExitCode(); err != nil && status != 3 && status != 5 {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
	}
}
