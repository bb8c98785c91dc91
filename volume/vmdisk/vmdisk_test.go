package vmdisk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/volume"
)

func isA(err, is error) bool { return errors.Is(err, is) }

// Release deletes the volume named by a receipt, so it does not trust receipts.
func TestForgedReceipts(t *testing.T) {
	for _, k := range kinds {
		s, err := (&Storage{Storage: "images"}).Subject(volume.Client{Host: "db", Guest: words[k.word]})
		if err != nil {
			t.Fatal(err)
		}
		good, err := New().Reserve(t.Context(), nil, s, assay.Request{ID: id, Bytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		for name, forge := range map[string]func(*assay.Receipt){
			"another volume": func(r *assay.Receipt) { r.Names[roleVolume] = "vm-101-disk-0" },
			"another serial": func(r *assay.Receipt) { r.Names[roleSerial] = "S1" },
			"an option":      func(r *assay.Receipt) { r.Names[roleHow] = strings.Replace(r.Names[roleHow], `"images"`, `"--all"`, 1) },
			"another guest": func(r *assay.Receipt) {
				r.Names[roleHow] = strings.Replace(r.Names[roleHow], `"guest":"`+words[k.word].Name, `"guest":"-x`, 1)
			},
			"another file system": func(r *assay.Receipt) {
				r.Names[roleHow] = strings.Replace(r.Names[roleHow], `{"on"`, `{"filesystem":"--help","on"`, 1)
			},
			"another kind": func(r *assay.Receipt) { r.Volume = "rbd" },
			"another way":  func(r *assay.Receipt) { r.Names[roleHow] = strings.Replace(r.Names[roleHow], `"none"`, `"x'y"`, 1) },
		} {
			forged := good
			forged.Names = map[string]string{roleVolume: good.Names[roleVolume], roleSerial: good.Names[roleSerial], roleHow: good.Names[roleHow]}
			forge(&forged)
			if _, err := read(forged); err == nil {
				t.Errorf("%s, %s: released", k.word, name)
			}
		}
	}
}

// Only a guest of a hypervisor can get a disk.
func TestNoGuest(t *testing.T) {
	_, err := (&Storage{Storage: "images"}).Subject(volume.Client{Host: "kvm2"})
	if err == nil || !strings.Contains(assay.Hint(err), "vms:") {
		t.Errorf("%v (hint %q)", err, assay.Hint(err))
	}
}

// Output of virsh -q with libvirtd 9.0.0, for a domain in QEMU.
func TestReadWhatVirshPrints(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "pool-info.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPool(string(text))
	if err != nil || p != (pool{"running", 218847424512, 270553174016}) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := readPool("Name:           images\nState:          inactive\nPersistent:     yes\n"); err != nil || p.state != "inactive" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, bad := range []string{"", "State: running\n", "State: running\nCapacity: 5\nAvailable: many\n"} {
		if p, err := readPool(bad); err == nil {
			t.Errorf("%q is %+v", bad, p)
		}
	}
	domain, err := os.ReadFile(filepath.Join("testdata", "domain.xml"))
	if err != nil {
		t.Fatal(err)
	}
	targets, err := targetsOf(domain)
	if err != nil || strings.Join(targets, " ") != "vda vdx vdz" {
		t.Errorf("targets %q, %v", targets, err)
	}
	threads, err := readThreads(domain)
	if err != nil || len(threads) != 1 || threads[0] != 1001 {
		t.Errorf("threads %v, %v", threads, err)
	}
	if at, err := scsiAddress(domain); err != nil || at != nil {
		t.Errorf("a place on a SCSI controller that is not there: %+v, %v", at, err)
	}
	const controllers = `<domain><devices><controller type='scsi' index='0' model='lsilogic'/><controller type='scsi' index='1' model='virtio-scsi'/>
<disk><target dev='sda' bus='scsi'/><address type='drive' controller='1' bus='0' target='0' unit='0'/></disk>
<disk><target dev='sdb' bus='sata'/><address type='drive' controller='1' bus='0' target='0' unit='1'/></disk></devices></domain>`
	if at, err := scsiAddress([]byte(controllers)); err != nil || at == nil || *at != (address{Type: "drive", Controller: 1, Unit: 1}) {
		t.Errorf("a free place is %+v, %v", at, err)
	}
}

// Output of qm and pvesm, after the sources of Proxmox VE 8 (pve-storage's CLI/pvesm.pm,
// qemu-server's CLI/qm.pm).
func TestReadWhatProxmoxPrints(t *testing.T) {
	const status = `Name             Type     Status           Total            Used       Available        %
local             dir     active        98497780        12345678        81102556   12.53%
local-lvm     lvmthin     active       832888832       112345678       720543154   13.49%
nfs               nfs   inactive               0               0               0    0.00%
`
	if p, err := readStorage(status, "local-lvm"); err != nil || p != (pool{"active", 720543154 << 10, 832888832 << 10}) {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := readStorage(status, "nfs"); err != nil || p.state != "inactive" {
		t.Errorf("%+v, %v", p, err)
	}
	for _, name := range []string{"Name", "ceph", ""} {
		if p, err := readStorage(status, name); err == nil {
			t.Errorf("%s is %+v", name, p)
		}
	}
	const config = `boot: order=scsi0;ide2
hotplug: network,usb
ide2: local:iso/debian-12.iso,media=cdrom
name: db
scsi0: local-lvm:vm-101-disk-0,cache=writeback,size=32G
scsi30: none,media=cdrom
scsihw: virtio-scsi-single
unused0: local-lvm:vm-101-disk-7
unused1: local:101/vm-101-assay-0123456789abcdef.raw
`
	if slot, err := freeSlot(scsi, config); err != nil || slot != "scsi29" {
		t.Errorf("slot %s, %v", slot, err)
	}
	if controller, plugs := controllerOf(config); controller != "virtio-scsi-single" || plugs {
		t.Errorf("%s, takes disks: %v", controller, plugs)
	}
	if controller, plugs := controllerOf("name: db\n"); controller != "lsi" || !plugs {
		t.Errorf("%s, takes disks: %v", controller, plugs)
	}
	p := proxmox{disk: disk{how: how{Guest: "101", Storage: "local"}, Volume: proxmoxVolume("101", "0123456789abcdef")}}
	if key := unusedOf(config, p.ids()); key != "unused1" {
		t.Errorf("unused is %q", key)
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"pool-info.txt", "domain.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("vdb 67108864 /dev/disk/by-id/virtio-assay-0123456789abcd\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := readPool(string(text)); err == nil && p.state == "" {
			t.Error("a pool in no state")
		}
		_, _ = targetsOf(text)
		_, _ = readThreads(text)
		if at, err := scsiAddress(text); err != nil && at != nil {
			t.Error(at, err)
		}
		_, _ = readStorage(string(text), "local")
		_, _ = controllerOf(string(text))
		if slot, err := freeSlot(virtio, string(text)); err == nil && !strings.HasPrefix(slot, virtio) {
			t.Errorf("slot %q", slot)
		}
		if key := unusedOf(string(text), []string{"local:x"}); key != "" && !strings.HasPrefix(key, "unused") {
			t.Errorf("unused is %q", key)
		}
		found, err := parseFound(text)
		for _, s := range found {
			if err != nil || s.bytes <= 0 || !strings.HasPrefix(s.path, "/dev/") {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}
