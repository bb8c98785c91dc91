package guest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay"
)

// Tools returns the disk with the tools that measure a cluster host, built by tools.sh,
// for use with InstallTools. The error has a hint.
func Tools() (Disk, error) {
	return made("tools", "make lab-guest-tools makes it, once, in a minute")
}

// Ceph returns the disk with Ceph's clients, built by tools.sh, for use with InstallCeph.
// The error has a hint.
func Ceph() (Disk, error) {
	return made("ceph", "make lab-guest-ceph makes it, once, in a minute")
}

// Agent returns the disk with qemu-guest-agent, built by tools.sh, for guests from outside
// this package. The error has a hint.
func Agent() (Disk, error) {
	return made("agent", "make lab-guest-agent makes it, once, in a minute")
}

// ISCSI returns the disk with open-iscsi, built by tools.sh, for use with InstallISCSI.
// The error has a hint.
func ISCSI() (Disk, error) {
	return made("iscsi", "make lab-guest-iscsi makes it, once, in a minute")
}

// Cloud returns the cloud image, a qcow2 with cloud-init, built by cloud.sh. The error has a
// hint.
func Cloud() (file string, err error) {
	dir, err := Image()
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "cloud.qcow2")
	if _, err := os.Stat(file); err != nil {
		return "", assay.WithHint("make lab-guest-cloud makes it, once, in two minutes", "a cloud image: %w", err)
	}
	return file, nil
}

// made returns a disk that a script has put beside the image.
func made(name, hint string) (Disk, error) {
	dir, err := Image()
	if err != nil {
		return Disk{}, err
	}
	file := filepath.Join(dir, name+".ext4")
	info, err := os.Stat(file)
	if err != nil {
		return Disk{}, assay.WithHint(hint, "%s for a guest: %w", name, err)
	}
	return Disk{Bus: Virtio, Serial: strings.ToUpper(name), Bytes: info.Size(), From: file}, nil
}

// InstallTools copies the tools into a guest that has their disk. It does not
// replace existing files.
func (g *Guest) InstallTools(ctx context.Context) error {
	d, err := Tools()
	if err != nil {
		return err
	}
	return g.copied(ctx, d, "the tools")
}

// InstallISCSI copies open-iscsi into a guest that has its disk.
func (g *Guest) InstallISCSI(ctx context.Context) error {
	d, err := ISCSI()
	if err != nil {
		return err
	}
	return g.copied(ctx, d, "open-iscsi")
}

// copied copies the contents of a disk into the guest's /usr.
func (g *Guest) copied(ctx context.Context, d Disk, what string) error {
	const script = `set -e
mount -o ro "$1" /mnt
cp -an /mnt/usr /
umount /mnt
ldconfig`
	if _, err := g.Run(ctx, "sh", "-c", script, "sh", d.Link()); err != nil {
		return fmt.Errorf("install %s: %w", what, err)
	}
	return nil
}

// InstallCeph overlays a guest's files on Ceph's clients, if it has their disk: copying
// them would take a minute. Its /usr is read-only from then on.
func (g *Guest) InstallCeph(ctx context.Context) error {
	d, err := Ceph()
	if err != nil {
		return err
	}
	const script = `set -e
mount -o ro "$1" /mnt
mount -t overlay -o lowerdir=/usr:/mnt/usr overlay /usr
ldconfig`
	if _, err := g.Run(ctx, "sh", "-c", script, "sh", d.Link()); err != nil {
		return fmt.Errorf("install Ceph's clients: %w", err)
	}
	return nil
}

// DRBD returns the disk with drbd-utils, built by tools.sh, for machines of lab/uml. The
// error has a hint.
func DRBD() (Disk, error) {
	return made("drbd", "make lab-uml makes it, once, in a minute")
}
