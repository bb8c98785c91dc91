package beneath

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/place/guest"
)

// Handwritten in the format of qm config (Proxmox VE 8) and virsh dumpxml (libvirt 9).
func TestGuests(t *testing.T) {
	for file, want := range map[string]assay.GuestFacts{
		"proxmox.txt": {Hypervisor: "pve1", CPU: "x86-64-v2-AES", Machine: "q35", Disks: []assay.GuestDisk{
			{Name: "scsi0", Bus: "scsi virtio-scsi-single", Storage: "local-zfs", Source: "local-zfs:vm-101-disk-0", Cache: "none", IOThread: true},
			{Name: "scsi1", Bus: "scsi virtio-scsi-single", Storage: "ceph-vms", Source: "ceph-vms:vm-101-disk-1", Serial: "DATA01", Cache: "writeback", AIO: "threads"},
		}},
		"libvirt.xml": {Hypervisor: "pve1", CPU: "host-passthrough", Machine: "pc-q35-7.2", Disks: []assay.GuestDisk{
			{Name: "vda", Bus: "virtio", Source: "/var/lib/libvirt/images/db.qcow2", Cache: "writeback"}, // QEMU's default
			{Name: "sda", Bus: "scsi", Source: "vms/db-data", Serial: "DATA02", Cache: "none", AIO: "native", IOThread: true},
		}},
	} {
		kind, _, _ := strings.Cut(file, ".")
		got, err := Ask(t.Context(), said(t, file), kind, "x")
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", file, err, d)
		}
	}
	if _, err := Ask(t.Context(), said(t, "proxmox.txt"), "libvirt", "x"); err == nil {
		t.Error("a VM of Proxmox VE is read as a domain")
	}
}

// Every reachable kind of guest is known to beneath.
func TestEveryKindIsKnown(t *testing.T) {
	for _, k := range guest.Kinds {
		if !slices.ContainsFunc(Kinds, func(known Kind) bool { return known.Word == k.Word }) {
			t.Errorf("no kind %s", k.Word)
		}
	}
}

func FuzzGuests(f *testing.F) {
	for _, file := range []string{"proxmox.txt", "libvirt.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, k := range Kinds {
			g, err := k.read(text)
			for _, d := range g.Disks {
				if err == nil && d.Cache == "" {
					t.Errorf("%s: a disk without a cache mode: %+v", k.Word, d)
				}
			}
		}
	})
}

// said returns a hypervisor that prints a file.
func said(t *testing.T, file string) assay.Place {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return speaker(text)
}

type speaker []byte

func (speaker) Host() assay.Host { return assay.Host{Name: "pve1"} }
func (speaker) Close() error     { return nil }
func (s speaker) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{Stdout: s}, nil
}
