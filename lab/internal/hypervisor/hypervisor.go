package hypervisor

import (
	"context"
	_ "embed" // the script
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/lab/hosts"
	"assay/lab/internal/command"
)

//go:embed host.sh
var hostScript string

// Where a host keeps its guests' boot files.
const (
	Kernel = "/var/lib/lab/vmlinuz"
	Initrd = "/var/lib/lab/initrd"
)

// Missing returns an error with the programs for hypervisors that this machine lacks, or
// nil if it has all. The error has a hint.
func Missing() error {
	return command.Missing("a hypervisor", []command.Needed{
		{Program: "libvirtd", Package: "libvirt-daemon"}, {Program: "virsh", Package: "libvirt-clients"}, {Program: "qemu-img", Package: "qemu-utils"},
		{Program: "cpio", Package: "cpio"}, {Program: "debugfs", Package: "e2fsprogs"},
	})
}

// Boot describes what guests boot from.
type Boot struct {
	Init    string   // script run as their first process
	Modules []string // besides those of disks, below /lib/modules/VERSION/kernel, without .ko; a module after those that it needs
	Files   []string // of this machine: programs, with their libraries, and directories
}

// Start turns a host into a hypervisor whose libvirtd has that UUID. image is the directory
// of the boot files that lab/guest uses.
func Start(ctx context.Context, l *hosts.Lab, host, uuid, image string, b Boot) error {
	memory, err := b.initrd(ctx, image)
	if err != nil {
		return err
	}
	if _, err := l.Feed(ctx, host, hostScript, "sh", "-c", `cat >/run/host.sh && sh /run/host.sh "$0" "$1"`, l.Address(host, hosts.Storage), uuid); err != nil {
		return fmt.Errorf("%s: %w", host, err)
	}
	kernel, err := os.Open(filepath.Join(image, "vmlinuz"))
	if err != nil {
		return err
	}
	defer kernel.Close()
	if _, err := l.Pour(ctx, host, kernel, "sh", "-c", "cat >"+Kernel); err != nil {
		return err
	}
	_, err = l.Feed(ctx, host, memory, "sh", "-c", "cat >"+Initrd)
	return err
}

//go:embed initrd.sh
var initrdScript string

// initrd builds the initial RAM disk from that of the guests of lab/guest: BusyBox and the
// disk modules.
func (b Boot) initrd(ctx context.Context, image string) (string, error) {
	dir, err := os.MkdirTemp("", "assay-initrd-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	text, err := command.Output(ctx, b.Init, slices.Concat([]string{"sh", "-euc", initrdScript, "sh", dir, image}, b.Modules, []string{"--"}, b.Files)...)
	if err != nil {
		return "", fmt.Errorf("the guests' initial RAM disk: %w", err)
	}
	return text, nil
}
