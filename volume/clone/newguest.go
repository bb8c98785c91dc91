package clone

import (
	"encoding/xml"
	"fmt"
	"html"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// machine describes the default guests of a libvirt host.
type machine struct {
	kind string // kvm; qemu, which emulates the processor
	arch string
	cpu  string // the mode of its CPU; "" for the hypervisor's default
}

var machineWord = lazyregexp.New(`^[a-z0-9_]{1,20}$`)

// readMachine reads virsh domcapabilities. It is pure and total.
func readMachine(text []byte) (machine, error) {
	var c struct {
		XMLName xml.Name `xml:"domainCapabilities"`
		Domain  string   `xml:"domain"`
		Arch    string   `xml:"arch"`
		Modes   []struct {
			Name      string `xml:"name,attr"`
			Supported string `xml:"supported,attr"`
		} `xml:"cpu>mode"`
	}
	if err := xml.Unmarshal(text, &c); err != nil {
		return machine{}, fmt.Errorf("not the XML of a host's capabilities: %w", err)
	}
	m := machine{kind: c.Domain, arch: c.Arch}
	if !machineWord.MatchString(m.kind) || !machineWord.MatchString(m.arch) {
		return machine{}, fmt.Errorf("guests of the unusable kind %.20q for %.20q", m.kind, m.arch)
	}
	if _, known := firmware[m.arch]; !known {
		return machine{}, assay.WithHint("make a domain there by hand, shut it off, and name it: domain: NAME", "new guests for %s: %w", m.arch, assay.ErrNotSupported)
	}
	// Give the guest all features of the host's processor or, if emulated, all there are.
	for _, mode := range []string{"host-passthrough", "maximum"} {
		for _, has := range c.Modes {
			if has.Name == mode && has.Supported == "yes" && m.cpu == "" {
				m.cpu = mode
			}
		}
	}
	return m, nil
}

// firmware makes a guest boot as cloud images of its architecture do, by attributes of os:
// from BIOS, or from UEFI.
var firmware = map[string]string{"x86_64": "", "aarch64": " firmware='efi'"}

// domain returns the definition of a new guest, with its disks at these paths, by disk name.
// Its disks bypass the host's page cache, so that the guest measures the storage.
func (n newGuest) domain(name, uuid, of string, paths map[string]string) ([]byte, error) {
	for _, disk := range []string{systemDisk, seedDisk} {
		if !strings.HasPrefix(paths[disk], "/") {
			return nil, fmt.Errorf("disk %s has no path", disk)
		}
	}
	cpu := ""
	if n.machine.cpu != "" {
		cpu = "\n  <cpu mode='" + n.machine.cpu + "'/>"
	}
	network := "<interface type='network'>\n      <source network='" + defaultNetwork + "'/>"
	if n.Bridge != "" {
		network = "<interface type='bridge'>\n      <source bridge='" + html.EscapeString(n.Bridge) + "'/>"
	}
	text := strings.NewReplacer(slices.Concat(
		[]string{"KIND", n.machine.kind, "ARCH", n.machine.arch, "FIRMWARE", firmware[n.machine.arch], "CPU", cpu, "NETWORK", network},
		[]string{"NAME", name, "UUID", uuid, "IMAGE", html.EscapeString(of), "MEMORY", fmt.Sprint(n.Memory), "COUNT", fmt.Sprint(n.CPUs)},
		[]string{"SYSTEM", html.EscapeString(paths[systemDisk]), "SEED", html.EscapeString(paths[seedDisk])},
	)...).Replace(newDomain)
	return []byte(text), nil
}

const newDomain = `<domain type='KIND'>
  <name>NAME</name>
  <uuid>UUID</uuid>
  <description>created by assay for a run, from IMAGE; assay cleanup destroys it</description>
  <memory unit='bytes'>MEMORY</memory>
  <vcpu>COUNT</vcpu>
  <osFIRMWARE>
    <type arch='ARCH'>hvm</type>
  </os>
  <features><acpi/></features>CPU
  <devices>
    <disk type='file' device='disk'>
      <driver name='qemu' type='qcow2' cache='none' discard='unmap'/>
      <source file='SYSTEM'/>
      <target dev='vda' bus='virtio'/>
      <boot order='1'/>
    </disk>
    <disk type='file' device='disk'>
      <driver name='qemu' type='raw'/>
      <source file='SEED'/>
      <target dev='vdb' bus='virtio'/>
      <readonly/>
    </disk>
    NETWORK
      <model type='virtio'/>
    </interface>
    <channel type='unix'>
      <target type='virtio' name='org.qemu.guest_agent.0'/>
    </channel>
    <serial type='pty'/>
    <console type='pty'/>
    <rng model='virtio'><backend model='random'>/dev/urandom</backend></rng>
    <memballoon model='none'/>
  </devices>
</domain>
`
