package inventory

import (
	"strings"
	"testing"
)

// The kernel shows 16 characters of a SATA drive's model, udev shows all of it.
func TestTruncatedModels(t *testing.T) {
	for _, c := range []struct{ model, udev, want string }{
		{"Samsung SSD 870 ", "Samsung_SSD_870_EVO_1TB", "Samsung SSD 870 EVO 1TB"}, // cut at a blank
		{"Samsung SSD 860 ", "Samsung_SSD_860_PRO_256GB", "Samsung SSD 860 PRO 256GB"},
		{"CT1000MX500SSD1 ", "CT1000MX500SSD1", "CT1000MX500SSD1"}, // complete
		{"KINGSTON SEDC600", "KINGSTON_SEDC600M960G", "KINGSTON SEDC600M960G"},
		{"Ultra           ", "Ultra", "Ultra"},
		{"ASM105x         ", "CT500MX500SSD1", "ASM105x"}, // udev looked behind the USB bridge
		{"Samsung SSD 870 ", "", "Samsung SSD 870"},       // no udev
		{"", "Generic_Reader", ""},
	} {
		const at = "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
		f, err := Parse(wrap("@@ link /sys/class/block/sda " + at + "\n@@ files /sys/class/block/sda\nsize:1000\ndev:8:0\n" +
			"device/vendor:ATA     \ndevice/model:" + c.model + "\n@@ file /run/udev/data/b8:0\n E:ID_MODEL=" + c.udev))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Device("sda").Model; got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.model, c.udev, got, c.want)
		}
	}
}

// A mapped Ceph image is below no bus and not in devices/virtual either.
func TestMappedImagesAreNotDrives(t *testing.T) {
	f, err := Parse(wrap("@@ link /sys/class/block/rbd0 /sys/devices/rbd/0/block/rbd0\n@@ files /sys/class/block/rbd0\nsize:16777216\ndev:251:0\n" +
		"@@ link /sys/class/block/rbd0p1 /sys/devices/rbd/0/block/rbd0/rbd0p1\n@@ files /sys/class/block/rbd0p1\nsize:16775168\ndev:251:1\npartition:1"))
	if err != nil {
		t.Fatal(err)
	}
	if b := f.Device("rbd0"); b == nil || b.Kind != "other" || b.Link != nil {
		t.Errorf("%+v", b)
	}
	if b := f.Device("rbd0p1"); b == nil || b.Kind != "part" || strings.Join(b.On, " ") != "rbd0" {
		t.Errorf("%+v", b)
	}
	if misses(f, "rbd0 link") || misses(f, "rbd0 power-loss protection") {
		t.Errorf("missing %+v", f.Missing)
	}
}
