package guard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay"
	"assay/place/local"
)

// machine is a fake tree of /sys, /run/udev and a node's /dev, with one real
// device in it.
type machine struct {
	assay.Place
	t      *testing.T
	root   string
	device uint64
}

// Run makes the script look below root.
func (m machine) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if len(c.Stdin) > 0 {
		script := string(c.Stdin)
		for _, top := range []string{"/sys/", "/run/udev/", "/node/"} {
			script = strings.ReplaceAll(script, top, m.root+top)
		}
		c.Stdin = []byte(script)
	}
	return m.Place.Run(ctx, c)
}

// disk adds a disk as a device in the kernel's tree, with files next to it.
func (m machine) disk(name, number, parent string, files map[string]string) {
	m.t.Helper()
	dir := filepath.Join(m.root, "sys/devices", parent, "block", name)
	m.put(dir+"/size", fmt.Sprint(deviceBytes/sectorBytes))
	m.put(dir+"/ro", "0")
	m.put(dir+"/dev", number)
	for file, text := range files {
		m.put(filepath.Join(dir, "..", "..", file), text)
	}
	m.link("../..", dir+"/device")
	m.link(dir, filepath.Join(m.root, "sys/block", name))
	m.link(dir, filepath.Join(m.root, "sys/dev/block", number))
}

func (m machine) put(file, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) link(to, file string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(to, file); err != nil {
		m.t.Fatal(err)
	}
}

// named gives a disk a device node in the node's /dev, and a udev link to it.
func (m machine) named(name, link string, device uint64) {
	m.t.Helper()
	dev := filepath.Join(m.root, "node/usb/dev")
	m.link("../../"+name, filepath.Join(dev, "disk/by-id", link))
	if err := syscall.Mknod(filepath.Join(dev, name), syscall.S_IFBLK|0o600, int(device)); err != nil && !os.IsExist(err) {
		m.t.Fatal(err)
	}
}

// dock returns a machine with a USB dock for two SATA disks, of which the first
// is the real device: the kernel sees the dock's serial for both, and only udev
// knows those of the disks themselves.
func dock(t *testing.T) (m machine, device string) {
	t.Helper()
	device, _ = loop(t, deviceBytes)
	info, err := os.Stat(device)
	if err != nil {
		t.Fatal(err)
	}
	m = machine{local.New("here", ""), t, t.TempDir(), info.Sys().(*syscall.Stat_t).Rdev}
	number := fmt.Sprintf("%d:%d", m.device>>8&0xfff, m.device&0xff|m.device>>12&0xfff00)
	m.disk("sdb", number, "usb1/1-1/host0/lun0", nil)
	m.disk("sdc", "8:32", "usb1/1-1/host0/lun1", nil)
	m.put(filepath.Join(m.root, "sys/devices/usb1/1-1/idVendor"), "152d")
	m.put(filepath.Join(m.root, "sys/devices/usb1/1-1/serial"), "DOCK0001")
	m.named("sdb", "ata-WD_Red_WCC7K0AB", m.device)
	m.named("sdb", "usb-Dock_DOCK0001-0:0", m.device)
	m.named("sdc", "ata-WD_Red_WCC7K0CD", 8<<8|32)
	m.named("sdc", "usb-Dock_DOCK0001-0:1", 8<<8|32)
	return m, device
}

// TestDock: the serial shown by lsblk is accepted, unless two disks have it.
func TestDock(t *testing.T) {
	m, device := dock(t)
	lent := func(device, serial string) (assay.Scratch, error) {
		v := New(Kind)
		r := assay.Receipt{ID: "0123456789abcdef", Volume: Kind, Bytes: 1 << 40,
			Names: receiptNames(device, Identity{Serial: serial})}
		return v.Lend(context.Background(), m, r)
	}
	link := filepath.Join(m.root, "node/usb/dev/disk/by-id/ata-WD_Red_WCC7K0AB")
	for _, serial := range []string{"WCC7K0AB", "WD_Red_WCC7K0AB"} {
		f, err := Look(context.Background(), m, device)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(Identity{Serial: serial}, f); err != nil {
			t.Errorf("%s: %v", serial, err)
		}
		if len(f.Links) != 2 || f.Links[0] != link {
			t.Errorf("its links are %v", f.Links)
		}
	}
	for serial, words := range map[string]string{"DOCK0001": "not unique: sdb and sdc have it", "WCC7K0CD": "serial mismatch: given WCC7K0CD, but sdb has"} {
		if s, err := lent(device, serial); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: lent %+v, %v", serial, s, err)
		}
	}

	// Empty disks, and those that are part of another, are no duplicates.
	same := map[string]string{"serial": "WCC7K0AB"}
	m.disk("sdd", "8:48", "pci/sdd", same)
	m.put(filepath.Join(m.root, "sys/devices/pci/sdd/block/sdd/size"), "0")
	m.disk("nvme0c0n1", "259:1", "pci/nvme", same)
	m.put(filepath.Join(m.root, "sys/devices/pci/nvme/block/nvme0c0n1/hidden"), "1")
	m.disk("mmcboot", "179:8", "usb1/1-1/host0/lun0/block/sdb/inner", same)
	if s, err := lent(device, "WCC7K0AB"); err != nil {
		t.Errorf("lent %+v, %v", s, err)
	}
	// udev's database, if visible.
	m.put(filepath.Join(m.root, "run/udev/data/b8:32"), "S:disk/by-id/x\nE:ID_SERIAL_SHORT=WCC7K0AB")
	if s, err := lent(device, "WCC7K0AB"); err == nil || !strings.Contains(err.Error(), "sdb and sdc have it") {
		t.Errorf("lent %+v, %v", s, err)
	}
}

// TestLinkThatOutlivedItsDisk: without udev, a link outlives its disk and leads
// to the one that took its name. The serial in it is not that disk's.
func TestLinkThatOutlivedItsDisk(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string // where the kernel has the disk's serial
		true, gone string // links; a dock has its true one
	}{
		"virtio": {"block/sdb/serial", "WCC7K0AB", "virtio-WCC7K0AB", "virtio-GONE0001"},
		"NVMe":   {"serial", "WCC7K0AB   ", "nvme-WD_Black_WCC7K0AB_1", "nvme-WD_Black_GONE0001"},
		"SCSI":   {"vpd_pg80", "\x00\x80\x00\x08WCC7K0AB", "scsi-0QEMU_QEMU_HARDDISK_WCC7K0AB", "scsi-0QEMU_QEMU_HARDDISK_GONE0001"},
		"USB":    {"", "", "", "usb-Stick_GONE0001-0:0"},
	} {
		t.Run(name, func(t *testing.T) {
			m, device := dock(t)
			disk := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0")
			if c.file != "" {
				if err := os.RemoveAll(filepath.Join(m.root, "sys/devices/usb1/1-1/idVendor")); err != nil {
					t.Fatal(err)
				}
				m.put(filepath.Join(disk, c.file), c.text)
			}
			if c.true != "" {
				m.named("sdb", c.true, m.device)
			}
			m.named("sdb", c.gone, m.device)
			// BusyBox may lack character classes.
			for tools, at := range map[string]assay.Place{"": m, "BusyBox: ": with(t, m, "wipefs")} {
				f, err := Look(t.Context(), at, device)
				if err != nil {
					t.Fatal(err)
				}
				if err := Check(Identity{Serial: "GONE0001", Overwrite: true}, f); err == nil || !strings.Contains(err.Error(), "serial mismatch: given GONE0001") {
					t.Errorf("%s%v; its serials are %q", tools, err, f.Serials)
				}
				if c.true == "" {
					continue
				}
				for _, serial := range append(linkSerials(c.true), "WCC7K0AB") {
					if err := Check(Identity{Serial: serial, Overwrite: true}, f); err != nil {
						t.Errorf("%s%v", tools, err)
					}
				}
			}
		})
	}
}
