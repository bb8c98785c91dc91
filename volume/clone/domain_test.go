package clone

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"assay"
)

func template(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/debian12.xml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadDomain(t *testing.T) {
	d, err := readDomain([]byte(template(t)))
	if err != nil {
		t.Fatal(err)
	}
	want := []domainDisk{
		{target: "vda", path: "/var/lib/libvirt/images/debian12.qcow2", format: "qcow2"},
		{target: "vdb", pool: "images", volume: "data.img", format: "raw"},
	}
	if d.cpus != 2 || d.memory != 2<<30 || !slices.Equal(d.disks, want) {
		t.Errorf("read %+v", d)
	}
}

// A clone differs from its template only in what two domains cannot share.
func TestCloneOf(t *testing.T) {
	const name, uuid = "assay-0123456789abcdef", "11111111-2222-8333-8444-555555555555"
	text := template(t)
	got, err := cloneOf([]byte(text), name, uuid, map[string]string{"vda": "/pool/a&b.qcow2", "vdb": "/pool/c.qcow2"})
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer(
		"<name>debian12</name>", "<name>"+name+"</name><uuid>"+uuid+"</uuid><description>created by assay for a run, from debian12; assay cleanup destroys it</description>",
		"<uuid>5a0f9c1e-7c1d-4b64-9d0e-0000000000aa</uuid>", "", "<title>Template &amp; more</title>", "",
		">/var/lib/libvirt/qemu/nvram/debian12_VARS.fd</nvram>", "/>", "<nvram template='/usr/share/OVMF/OVMF_VARS_4M.fd'", `<nvram template="/usr/share/OVMF/OVMF_VARS_4M.fd"`,
		"<source file='/var/lib/libvirt/images/debian12.qcow2'/>", `<source file="/pool/a&amp;b.qcow2"/>`,
		"<driver name='qemu' type='qcow2' discard", `<driver name='qemu' type="qcow2" discard`,
		"<disk type='volume' device='disk'>", `<disk type="file" device='disk'>`, "<backingStore/>", "",
		"<driver name='qemu' type='raw' cache='none'", `<driver name='qemu' type="qcow2" cache='none'`,
		"<source pool='images' volume='data.img'/>", `<source file="/pool/c.qcow2"/>`,
		"<mac address='52:54:00:aa:bb:cc'/>", "", "<target dev='mine0'/>", "",
		"<serial type='file'>\n      <source path='/var/log/console.log'/>\n      <target port='0'/>\n    </serial>", "",
		"<log file='/var/log/serial.log' append='on'/>", "", "<source mode='bind' path='/run/agent.sock'/>", "",
	).Replace(text)
	if string(got) != changed {
		t.Errorf("the clone is\n%s\nwant\n%s", got, changed)
	}
	d, err := readDomain(got)
	if err != nil || d.memory != 2<<30 || len(d.disks) != 2 || d.disks[1] != (domainDisk{target: "vdb", path: "/pool/c.qcow2", format: "qcow2"}) {
		t.Errorf("a clone is read as %+v, %v", d, err)
	}
	if _, err := cloneOf([]byte(text), name, uuid, map[string]string{"vda": "/pool/a.qcow2"}); err == nil {
		t.Error("a disk that came to the template stays the clone's")
	}
}

func TestADiskWithoutADriver(t *testing.T) {
	for _, driver := range []string{"", "<driver name='qemu'/>"} {
		text := strings.Replace(template(t), "<driver name='qemu' type='qcow2' discard='unmap'/>", driver, 1)
		got, err := cloneOf([]byte(text), "assay-x", "u", map[string]string{"vda": "/a", "vdb": "/b"})
		if err != nil {
			t.Fatal(err)
		}
		if d, err := readDomain(got); err != nil || d.disks[0] != (domainDisk{target: "vda", path: "/a", format: "qcow2"}) {
			t.Errorf("with %q: %+v, %v", driver, d, err)
		}
	}
}

// Templates whose clones could write to foreign data are refused.
func TestTemplatesThatAreRefused(t *testing.T) {
	into := func(device string) [2]string { return [2]string{"<memballoon", device + "<memballoon"} }
	for want, change := range map[string][2]string{
		"passes through a device":         into("<hostdev mode='subsystem' type='pci'/>"),
		"shares a directory":              into("<filesystem type='mount'><source dir='/srv'/><target dir='x'/></filesystem>"),
		"writes to a file":                into("<pstore backend='acpi-erst'><path>/x</path></pstore>"),
		"lies in a file":                  into("<memory model='nvdimm'><source><path>/x</path></source></memory>"),
		"network interface of type":       into("<interface type='hostdev'/>"),
		"the host's TPM":                  into("<tpm model='tpm-tis'><backend type='passthrough'/></tpm>"),
		"QEMU arguments of its own":       {"<devices>", "<qemu:commandline><qemu:arg value='-x'/></qemu:commandline><devices>"},
		"no guest agent":                  {"org.qemu.guest_agent.0", "com.redhat.spice.0"},
		"disk vda is of type block":       {"<disk type='file' device='disk'>", "<disk type='block' device='disk'>"},
		"disk vda is of type network":     {"<disk type='file' device='disk'>", "<disk type='network' device='disk'>"},
		"disk vda has format vmdk":        {"type='qcow2' discard", "type='vmdk' discard"},
		"disk vda is encrypted":           {"<target dev='vda' bus='virtio'/>", "<target dev='vda' bus='virtio'/><encryption format='luks'/>"},
		"disk vda is passed through":      {"<disk type='file' device='disk'>", "<disk type='file' device='lun'>"},
		"unusable name":                   {"<target dev='vda'", "<target dev='../x'"},
		"unusable amount":                 {"<memory unit='KiB'>2097152</memory>", "<memory unit='KiB'>-1</memory>"},
		"unusable number of CPUs":         {"<vcpu placement='static'>2", "<vcpu placement='static'>two"},
		"not the XML of a domain":         {"</domain>", "</dom>"},
		"no disk that could be cloned":    {"", ""},
		"not the XML of a domain: XML sy": {"<devices>", "<devices"},
	} {
		text := strings.Replace(template(t), change[0], change[1], 1)
		if change[0] == "" {
			text = strings.ReplaceAll(template(t), "device='disk'", "device='cdrom'")
		}
		_, err := readDomain([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

func FuzzDomain(f *testing.F) {
	f.Add([]byte(template(f)))
	f.Add([]byte("<domain><name/><devices><disk device='disk'><target dev='vda'/></disk></devices></domain>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := readDomain(text)
		if err == nil && (d.cpus < 1 || d.memory < 1 || len(d.disks) == 0) {
			t.Errorf("read %+v", d)
		}
		paths := map[string]string{}
		for _, k := range d.disks {
			paths[k.target] = "/overlay/" + k.target
		}
		got, cerr := cloneOf(text, "assay-x", "u", paths)
		if err != nil || cerr != nil {
			return
		}
		again, err := readDomain(got)
		if err != nil {
			t.Fatalf("the clone is not read: %v\n%s", err, got)
		}
		for _, k := range again.disks {
			if k.path != paths[k.target] || k.format != "qcow2" {
				t.Errorf("a clone has the disk %+v", k)
			}
		}
	})
}

func TestNames(t *testing.T) {
	const id = "0123456789abcdef"
	if got := uuidOf(id); got != uuidOf(id) || len(got) != 36 || got[14] != '8' || !strings.ContainsRune("89ab", rune(got[19])) || got == uuidOf("0123456789abcde0") {
		t.Errorf("UUID %s", got)
	}
	if vm := Name("proxmox", id); len(vm) != 9 || vm[0] == '0' || !proxmoxKind().template.MatchString(vm) {
		t.Errorf("VM %s", vm)
	}
	if Name("libvirt", id) != "assay-"+id || Name("esxi", id) != "" {
		t.Error("names")
	}
}

func TestReadTemplate(t *testing.T) {
	const config = `agent: enabled=1,fstrim_cloned_disks=1
boot: order=scsi0
cores: 2
efidisk0: local-lvm:base-9000-disk-1,efitype=4m,size=4M
ide2: local-lvm:vm-9000-cloudinit,media=cdrom
memory: 2048
name: debian12
net0: virtio=BC:24:11:00:00:01,bridge=vmbr0
scsi0: local-lvm:base-9000-disk-0,discard=on,size=3.5G
scsihw: virtio-scsi-single
serial0: socket
sockets: 2
template: 1
`
	got, err := readTemplate(readSettings(config), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []Disk{{Name: "efidisk0", Storage: "local-lvm", Bytes: 4 << 20}, {Name: "scsi0", Storage: "local-lvm", Bytes: 7 << 29}}
	if got.CPUs != 4 || got.Memory != 2<<30 || !slices.Equal(got.Disks, want) {
		t.Errorf("read %+v", got)
	}
	for want, change := range map[string][2]string{
		"it is not a template":          {"template: 1\n", ""},
		"it is locked (backup)":         {"template: 1\n", "template: 1\nlock: backup\n"},
		"it has no guest agent":         {"enabled=1", "enabled=0"},
		"passes through hostpci0":       {"cores: 2", "hostpci0: 0000:01:00.0"},
		"passes through usb0":           {"cores: 2", "usb0: host=1234:5678"},
		"QEMU arguments of its own":     {"cores: 2", "args: -device x"},
		"passed through":                {"local-lvm:base-9000-disk-0", "/dev/sdb"},
		"the size of disk scsi0 is not": {",size=3.5G", ""},
		"memory is \"much\"":            {"memory: 2048", "memory: much"},
	} {
		_, err := readTemplate(readSettings(strings.Replace(config, change[0], change[1], 1)), false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if _, err := readTemplate(readSettings(strings.Replace(config, "template: 1\n", "", 1)), true); err != nil {
		t.Error(err)
	}
	if _, err := readTemplate(settings{}, true); !errors.Is(err, assay.ErrNoOutput) {
		t.Error(err)
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("agent: 1\nscsi0: a:b,size=1G\ntemplate: 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := readTemplate(readSettings(text), true); err == nil && (got.CPUs < 1 || got.Memory < 1 || len(got.Disks) == 0 || got.bytes() <= 0) {
			t.Errorf("%q: %+v", text, got)
		}
	})
}

func TestReceiptsThatAreRefused(t *testing.T) {
	const id = "0123456789abcdef"
	sound := func() assay.Receipt {
		return assay.Receipt{ID: id, Volume: Kind, Host: "kvm1", Names: map[string]string{
			roleName: "assay-" + id,
			roleHow:  `{"guest":"b-1","on":"kvm1","kind":"libvirt","template":"db","from":"kvm1","disks":[{"storage":"images","name":"assay-` + id + `-vda.qcow2"}]}`,
		}}
	}
	if _, err := read(sound()); err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(*assay.Receipt){
		func(r *assay.Receipt) { r.ID = "0123456789abcde0" },
		func(r *assay.Receipt) { r.Names[roleName] = "db" },
		func(r *assay.Receipt) { r.Host = "kvm2" },
		func(r *assay.Receipt) { r.Volume = "dir" },
		func(r *assay.Receipt) { r.Also = []string{"kvm2"} },
		func(r *assay.Receipt) { r.Names[roleHow] = strings.Replace(r.Names[roleHow], "assay-", "other-", 1) },
		func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], `"images"`, `"--all"`, 1)
		},
		func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], "vda.qcow2", "../db.qcow2", 1)
		},
		func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], "libvirt", "esxi", 1)
		},
		func(r *assay.Receipt) { r.Names[roleHow] = "{" },
	} {
		r := sound()
		spoil(&r)
		if _, err := read(r); err == nil {
			t.Errorf("%+v is read", r)
		}
		if hosts, _ := New().Takes(r); hosts != nil {
			t.Errorf("%+v takes %q", r, hosts)
		}
	}
}
