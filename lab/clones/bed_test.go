package clones

import (
	"context"
	_ "embed" // the scripts
	"fmt"
	"os"
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

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "clo", 1)) }

var (
	//go:embed init.sh
	initScript string
	//go:embed template.xml
	templateXML string
)

const (
	kvm      = "host1"
	template = "debian12"
	broken   = "broken"                   // a template whose kernel panics
	images   = hosts.BenchDir + "/images" // the directory of the pool
	// patience bounds waits for an emulated CPU shared with others: two guests boot in a
	// minute on an idle machine.
	patience = 15 * time.Minute
)

// bed is a hypervisor, and a user at a laptop.
type bed struct {
	t        *testing.T
	lab      *hosts.Lab
	laptop   *laptop.Laptop
	template string // a domain that clones must not change, "" where there is none
	was      string // state without clones
	sums     string // of the pool's contents
}

// newHypervisor returns a bed whose libvirt has a pool.
func newHypervisor(t *testing.T, image string) *bed {
	t.Helper()
	b := &bed{t: t, lab: hoststest.Up(t, []hosts.Host{{Name: kvm, Link: 1e9, Disk: hosts.Disk{Bytes: 8 << 30}, Sudo: true, Rise: 1}})}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	boot := hypervisor.Boot{Init: initScript}
	if err := hypervisor.Start(ctx, b.lab, kvm, "6f0f9c1e-7c1d-4b64-9d0e-000000000001", image, boot); err != nil {
		t.Fatal(err)
	}
	b.feed("", `mkdir `+images+`
		virsh -q -c qemu:///system pool-define-as images dir --target `+images+`
		virsh -q -c qemu:///system pool-start images`)
	return b
}

// newBed returns a bed with a template.
func newBed(t *testing.T) *bed {
	t.Helper()
	if err := hypervisor.Missing(); err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	guesttest.Take(t)
	agent, err := guest.Agent()
	if err != nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	image, err := guest.Image()
	if err != nil {
		t.Fatal(err)
	}
	b := newHypervisor(t, image)
	b.template = template
	b.pour(filepath.Join(image, "root.ext4"), "root.raw")
	b.pour(agent.From, "agent.raw")
	b.feed(templateXML, `set -e
		cd `+images+`
		truncate -s 256M data.raw
		/sbin/mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 data.raw
		qemu-img convert -O qcow2 data.raw data.qcow2
		rm data.raw
		cat >/run/template.xml
		virsh -q -c qemu:///system pool-refresh images
		virsh -q -c qemu:///system define /run/template.xml
		sed -e s/`+template+`/`+broken+`/ -e s/0000000000ff/0000000000fe/ -e 's/panic=-1/panic=-1 rdinit=none/' /run/template.xml >/run/broken.xml
		virsh -q -c qemu:///system define /run/broken.xml`)
	b.sit(fmt.Sprintf(`  deb: {clone: {domain: %s, count: 2, on: kvm1}, measure: {directories: [/srv]}}
  bad: {clone: {domain: %s, on: kvm1}, measure: {directories: [/srv]}}
tiers:
  inside: {hosts: [deb], directory: /srv}
  disk: {hosts: [deb-1], vmdisk: {storage: images}}
`, template, broken))
	return b
}

// sit gives the user a laptop with a file of these guests, and records the initial state.
func (b *bed) sit(vms string) {
	b.t.Helper()
	file := filepath.Join(b.t.TempDir(), "clones.yaml")
	text := fmt.Sprintf("hosts:\n  kvm1: {address: %s, user: root, ssh: {config: %q}}\nvms:\n%s", b.lab.Address(kvm, hosts.Management), b.lab.Config(), vms)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.laptop = laptop.New(b.t, file)
	b.was, b.sums = b.standing(), b.checksums()
}

func (b *bed) feed(stdin, script string, words ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := b.lab.Feed(ctx, kvm, stdin, append([]string{"sh", "-c", script}, words...)...)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// pour copies a disk image into the pool.
func (b *bed) pour(from, name string) {
	b.t.Helper()
	f, err := os.Open(from)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := b.lab.Pour(ctx, kvm, f, "dd", "of="+images+"/"+name, "bs=1M", "conv=sparse", "status=none"); err != nil {
		b.t.Fatal(err)
	}
}

// domains returns the states of assay's, by name.
func (b *bed) domains() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(b.feed("", "virsh -q -c qemu:///system list --all")) {
		if words := strings.Fields(line); len(words) >= 3 && strings.HasPrefix(words[1], "assay-") {
			all[words[1]] = strings.Join(words[2:], " ")
		}
	}
	return all
}

// running reports whether n clones run.
func (b *bed) running(n int) bool {
	b.t.Helper()
	runs := 0
	for _, state := range b.domains() {
		if state == "running" {
			runs++
		}
	}
	return runs == n
}

// standing returns all that a clone could leave behind or must not change: domains, files of
// libvirt and of the pool with their modification times, and machines in QEMU.
func (b *bed) standing() string {
	b.t.Helper()
	return b.feed("", `set -e
		virsh -q -c qemu:///system list --all
		[ -z "$0" ] || virsh -q -c qemu:///system dumpxml --inactive "$0"
		virsh -q -c qemu:///system pool-refresh images
		virsh -q -c qemu:///system vol-list images
		cd `+images+` && stat -c '%n %s %y %U' *
		find /etc/libvirt/qemu /var/lib/libvirt /run/libvirt/qemu -type f -o -type s | grep -v -e '/qemu/capabilities/' -e monitor.sock | sort
		cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c '^guest=' || :`, b.template)
}

// checksums returns those of the pool's contents: the template's disks.
func (b *bed) checksums() string {
	b.t.Helper()
	return b.feed("", "cd "+images+" && sha256sum *")
}

// expectNothingLeft fails unless everything is as it was without clones.
func (b *bed) expectNothingLeft(t *testing.T) {
	t.Helper()
	if is := b.standing(); is != b.was {
		t.Errorf("something was left or changed; it was\n%s\nand is\n%s", b.was, is)
	}
	b.laptop.ExpectEmpty()
}
