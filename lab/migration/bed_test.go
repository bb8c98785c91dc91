package migration

import (
	"context"
	_ "embed" // the script
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/hypervisor"
	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "mig", 1)) }

//go:embed init.sh
var initScript string

const (
	home, away = "host1", "host2"
	gigabit    = 1e9
	patience   = 5 * time.Minute
)

// bed is two hypervisors with a guest, and a user at a laptop.
type bed struct {
	t       *testing.T
	lab     *hosts.Lab
	laptop  *laptop.Laptop
	domain  string // the guest's
	address string
}

func newBed(t *testing.T) *bed {
	t.Helper()
	if err := hypervisor.Missing(); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	guesttest.Take(t)
	all := hosts.Standard(2)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: gigabit, Disk: hosts.Disk{Bytes: 64 << 20, Rate: 200 << 20, IOPS: 2000}, Sudo: true, Rise: 1}
	}
	b := &bed{t: t, lab: hoststest.Up(t, all)}
	image, err := guest.Image()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	boot := hypervisor.Boot{
		Init: initScript, Modules: []string{"net/core/failover", "drivers/net/net_failover", "drivers/net/virtio_net", "drivers/char/virtio_console"},
		Files: inside(t),
	}
	for i, host := range []string{home, away} {
		if err := hypervisor.Start(ctx, b.lab, host, fmt.Sprintf("6f0f9c1e-7c1d-4b64-9d0e-00000000000%d", i+1), image, boot); err != nil {
			t.Fatal(err)
		}
	}
	store := b.lab.Address(home, hosts.Storage)
	b.feed(home, "", `set -e
		truncate -s 32M "$1"
		/sbin/mkfs.ext4 -q -F "$1"
		qemu-nbd --fork --persistent --shared=4 --bind="$0" --format=raw "$1"`, store, hosts.BenchDir+"/web.raw")
	return b.with("web", "load: 16M", fmt.Sprintf(diskOverNBD, store))
}

// with returns a bed with a guest of that name and disk, and more settings under migrate:.
func (b *bed) with(domain, migrate, disk string) *bed {
	b.t.Helper()
	one := *b
	b = &one
	number := 200 + len(domain) // which differs
	b.domain, b.address = domain, fmt.Sprintf("%s.%d", strings.TrimSuffix(b.lab.Address(home, hosts.Storage), ".1"), number)
	b.feed(home, b.xml(disk), b.of("cat >/run/web.xml && virsh -q -c qemu:///system define /run/web.xml && virsh -q -c qemu:///system autostart web && virsh -q -c qemu:///system start web"))
	b.await("the guest answers", func() bool {
		return strings.TrimSpace(b.feed(away, "", "ping -n -c 1 -W 1 "+b.address+" >/dev/null && echo yes; :")) == "yes"
	})
	file := filepath.Join(b.t.TempDir(), "migrate.yaml")
	text := fmt.Sprintf(`hosts:
  kvm1: {address: %[1]s, user: root, ssh: {config: %[2]q}}
  kvm2: {address: %[3]s, user: root, ssh: {config: %[2]q}}
vms:
  %[7]s: {on: kvm1, libvirt: %[7]s, migrate: {to: kvm2, network: storage, transport: tcp, address: %[4]s, %[8]s}}
networks:
  storage: {rate: 1G, hosts: {kvm1: %[5]s, kvm2: %[6]s}}
`, b.lab.Address(home, hosts.Management), b.lab.Config(), b.lab.Address(away, hosts.Management), b.address, b.lab.Address(home, hosts.Storage), b.lab.Address(away, hosts.Storage), domain, migrate)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.laptop = laptop.New(b.t, file)
	return b
}

// of adapts a script for guest web to this guest.
func (b *bed) of(script string) string { return strings.ReplaceAll(script, "web", b.domain) }

// xml returns the guest's definition.
func (b *bed) xml(disk string) string {
	return fmt.Sprintf(domainXML, b.domain, b.address, disk, len(b.domain))
}

// inside returns what the guest has besides BusyBox: programs of this machine that answer in
// it.
func inside(t *testing.T) (files []string) {
	t.Helper()
	for _, program := range []string{"qemu-ga", "perl"} {
		file, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("%v: make test-tools installs it", err)
		}
		files = append(files, file)
	}
	// Only the modules of perl-base.
	base, err := exec.CommandContext(t.Context(), "perl", "-e", "print grep m{/perl-base$}, @INC").Output()
	if err != nil || len(base) == 0 {
		t.Skipf("where perl-base has its modules is not known: %v", err)
	}
	return append(files, string(base))
}

// diskOverNBD is a disk that both hosts can reach, with the address of the host that
// has it.
const diskOverNBD = `<disk type='network' device='disk'>
      <driver name='qemu' type='raw' cache='none'/>
      <source protocol='nbd'><host name='%[1]s' port='10809'/></source>
      <target dev='vda' bus='virtio'/>
    </disk>`

// domainXML is a guest, with its name, address and disk, and a unique number.
const domainXML = `<domain type='qemu'>
  <name>%[1]s</name>
  <uuid>6f0f9c1e-7c1d-4b64-9d0e-00000000%02[4]xff</uuid>
  <memory unit='MiB'>256</memory>
  <vcpu>1</vcpu>
  <os>
    <type arch='x86_64' machine='q35'>hvm</type>
    <kernel>` + hypervisor.Kernel + `</kernel>
    <initrd>` + hypervisor.Initrd + `</initrd>
    <cmdline>console=ttyS0 quiet net.ifnames=0 mitigations=off nokaslr no_timer_check panic=-1 lab.address=%[2]s/24</cmdline>
  </os>
  <devices>
    <emulator>/usr/bin/qemu-system-x86_64</emulator>
    %[3]s
    <channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0'/></channel>
    <interface type='bridge'>
      <mac address='52:54:00:00:00:%02[4]x'/>
      <source bridge='br0'/>
      <model type='virtio'/>
      <rom enabled='no'/>
    </interface>
    <serial type='file'><source path='/run/%[1]s.log'/></serial>
    <memballoon model='none'/>
  </devices>
</domain>
`

func (b *bed) feed(host, stdin, script string, words ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := b.lab.Feed(ctx, host, stdin, append([]string{"sh", "-c", script}, words...)...)
	if err != nil {
		b.t.Fatalf("%s: %v", host, err)
	}
	return out
}

func (b *bed) await(what string, is func() bool) {
	b.t.Helper()
	if !laptop.Eventually(patience, is) {
		b.t.Fatalf("not within %s: %s", patience, what)
	}
}

// state returns a host's state of the guest, or "" if it has none.
func (b *bed) state(host string) string {
	b.t.Helper()
	return strings.TrimSpace(b.feed(host, "", b.of("virsh -q -c qemu:///system domstate --domain web 2>/dev/null; :")))
}

// expectAtHome fails unless the guest runs only on its own host, as before.
func (b *bed) expectAtHome() {
	b.t.Helper()
	if h, a := b.state(home), b.state(away); h != "running" || a != "" {
		b.t.Errorf("at home the guest is %q, away %q", h, a)
	}
	info := b.feed(home, "", b.of("virsh -q -c qemu:///system dominfo --domain web; :"))
	for _, want := range []string{"Persistent:     yes", "Autostart:      enable"} {
		if !strings.Contains(info, want) {
			b.t.Errorf("the guest has lost %q:\n%s", want, info)
		}
	}
	if strings.TrimSpace(b.feed(away, "", "ping -n -c 1 -W 5 "+b.address+" >/dev/null && echo yes; :")) != "yes" {
		b.t.Error("the guest does not answer")
	}
}
