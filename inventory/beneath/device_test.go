package beneath

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"assay"
	"assay/place/local"
)

// pools is a hypervisor that knows where its storages keep disks, and runs all other
// commands on this machine.
type pools struct {
	assay.Place
	at map[string]string // by the last word of the query
}

func (p pools) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if path, known := p.at[c.Argv[len(c.Argv)-1]]; known {
		return assay.Output{Stdout: []byte(path + "\n")}, nil
	}
	if c.Argv[0] != "sh" {
		return assay.Output{Exit: 1}, nil
	}
	return p.Place.Run(ctx, c)
}

// A disk is on the device of its file, wherever a storage keeps it; one that only QEMU
// can open is on none.
func TestDevicesOfDisks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b'c.raw")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var is syscall.Stat_t
	if err := syscall.Stat(file, &is); err != nil {
		t.Fatal(err)
	}
	want := ""
	if link, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(is.Dev), unix.Minor(is.Dev))); err == nil {
		want = filepath.Base(link)
	}
	t.Logf("%s is on %q", file, want)
	at := pools{local.New("pve1", ""), map[string]string{"db.raw": file, "local:101/db.raw": file, "ceph:vm-101-disk-0": "rbd:vms/vm-101-disk-0"}}
	for name, c := range map[string]struct {
		kind string
		disk assay.GuestDisk
		want string
	}{
		"a file":                        {"libvirt", assay.GuestDisk{Source: file}, want},
		"a volume of a pool of libvirt": {"libvirt", assay.GuestDisk{Storage: "images", Source: "db.raw"}, want},
		"a volume of Proxmox VE":        {"proxmox", assay.GuestDisk{Storage: "local", Source: "local:101/db.raw"}, want},
		"an image of Ceph":              {"proxmox", assay.GuestDisk{Storage: "ceph", Source: "ceph:vm-101-disk-0"}, ""},
		"an image without a storage":    {"libvirt", assay.GuestDisk{Source: "vms/db-data"}, ""},
		"a file that is not there":      {"libvirt", assay.GuestDisk{Source: file + ".gone"}, ""},
		"what looks like an option":     {"proxmox", assay.GuestDisk{Storage: "local", Source: "--help"}, ""},
	} {
		if got := Device(t.Context(), at, c.kind, c.disk); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWhatIsNoDevice(t *testing.T) {
	for text, want := range map[string]string{"sda1\n": "sda1", "dm-3": "dm-3", "": "", "sda sdb": "", "../x": "", "-x": ""} {
		if got := parseDevice(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
