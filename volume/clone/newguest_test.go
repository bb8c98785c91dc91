package clone

import (
	"errors"
	"strings"
	"testing"

	"assay"
)

func TestReadMachine(t *testing.T) {
	if m, err := readMachine([]byte(capabilities)); err != nil || m != (machine{"kvm", "x86_64", "host-passthrough"}) {
		t.Errorf("%+v, %v", m, err)
	}
	emulated := strings.NewReplacer("kvm", "qemu", "host-passthrough' supported='yes'", "host-passthrough' supported='no'").Replace(capabilities)
	if m, err := readMachine([]byte(emulated)); err != nil || m != (machine{"qemu", "x86_64", "maximum"}) {
		t.Errorf("%+v, %v", m, err)
	}
	old := strings.Replace(emulated, "<mode name='maximum' supported='yes'/>", "", 1)
	if m, err := readMachine([]byte(old)); err != nil || m.cpu != "" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := readMachine([]byte(strings.Replace(capabilities, "x86_64</arch", "s390x</arch", 1))); !errors.Is(err, assay.ErrNotSupported) || assay.Hint(err) == "" {
		t.Error(err)
	}
	for _, text := range []string{"", "<domain/>", "<domainCapabilities/>", strings.Replace(capabilities, ">kvm<", ">k'm<", 1), capabilities[:40]} {
		if m, err := readMachine([]byte(text)); err == nil {
			t.Errorf("%q is %+v", text, m)
		}
	}
}

func FuzzMachine(f *testing.F) {
	f.Add([]byte(capabilities))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readMachine(text)
		if _, known := firmware[m.arch]; err == nil && !known {
			t.Errorf("%+v", m)
		}
	})
}

// A domain that assay defines would be accepted as a template, has an agent, and nothing else.
func TestNewDomain(t *testing.T) {
	paths := map[string]string{systemDisk: "/pool/a&b.qcow2", seedDisk: "/pool/s'.img"}
	n := newGuest{Image{Memory: 3 << 30, CPUs: 4, Bridge: "br0"}, machine{"kvm", "x86_64", "host-passthrough"}}
	text, err := n.domain("assay-x", "u", "https://x.lan/a&b.qcow2", paths)
	if err != nil {
		t.Fatal(err)
	}
	e, err := parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d, err := readDomain(text)
	if err != nil || d.cpus != 4 || d.memory != 3<<30 || len(d.disks) != 1 || d.disks[0] != (domainDisk{target: systemDisk, path: "/pool/a&b.qcow2", format: "qcow2"}) {
		t.Errorf("%+v, %v\n%s", d, err, text)
	}
	disks := e.all("devices", "disk")
	if len(disks) != 2 || disks[1].get("source").is("file") != "/pool/s'.img" || disks[1].get("readonly") == nil || disks[0].get("driver").is("cache") != "none" {
		t.Errorf("disks:\n%s", text)
	}
	if e.is("type") != "kvm" || e.get("name").text != "assay-x" || e.get("uuid").text != "u" || e.get("cpu").is("mode") != "host-passthrough" ||
		e.get("devices", "interface", "source").is("bridge") != "br0" || !strings.Contains(e.get("description").text, "from https://x.lan/a&b.qcow2;") {
		t.Errorf("it is\n%s", text)
	}
	plain := newGuest{Image{Memory: 1 << 30, CPUs: 1}, machine{"qemu", "aarch64", ""}}
	if text, err = plain.domain("assay-x", "u", "i", paths); err != nil {
		t.Fatal(err)
	}
	if e, err = parse(text); err != nil || e.get("os").is("firmware") != "efi" || e.get("cpu") != nil || e.get("devices", "interface", "source").is("network") != defaultNetwork {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := plain.domain("assay-x", "u", "i", nil); err == nil {
		t.Error("a guest without disks")
	}
}

// The whole seed, as cloud-init reads it.
func TestSeed(t *testing.T) {
	image, err := seed(id, "bench-1", []string{"fio", "qemu-guest-agent", "g++"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#cloud-config\npackage_update: true\npackages: [\"qemu-guest-agent\",\"fio\",\"g++\"]\n" +
			"runcmd: [\"systemctl start qemu-guest-agent || rc-service qemu-guest-agent start || service qemu-guest-agent start\"]\n\x00",
		"{\"instance-id\": \"assay-" + id + "\", \"local-hostname\": \"bench-1\"}\n\x00", "CIDATA     ",
	} {
		if !strings.Contains(string(image), want) {
			t.Errorf("the seed lacks %q", want)
		}
	}
	other, err := seed("0123456789abcde0", "bench-1", nil)
	if err != nil || string(other) == string(image) {
		t.Errorf("another guest has the same seed, %v", err)
	}
}
