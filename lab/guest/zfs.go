package guest

import (
	"context"
	"fmt"
)

// ZFS returns the disk with the modules and tools of OpenZFS (and of DRBD), built by
// zfs.sh, for use with InstallZFS. The error has a hint.
func ZFS() (Disk, error) {
	return made("zfs", "make lab-guest-zfs builds it, once, in some fifteen minutes")
}

// InstallZFS copies ZFS into a guest that has its disk, and loads it.
func (g *Guest) InstallZFS(ctx context.Context) error { return g.install(ctx, "zfs") }

// InstallDRBD is InstallZFS for DRBD 8.4, which the guest's kernel has. State changes
// call no helper.
func (g *Guest) InstallDRBD(ctx context.Context) error {
	return g.install(ctx, "drbd", "usermode_helper=/bin/true")
}

// install copies the disk's contents into the guest, and loads a module.
func (g *Guest) install(ctx context.Context, module ...string) error {
	d, err := ZFS()
	if err != nil {
		return err
	}
	const script = `set -e
mount -o ro "$1" /mnt
cp -a /mnt/etc /mnt/usr /
umount /mnt
ldconfig
depmod
udevadm control --reload
shift
modprobe "$@"`
	if _, err := g.Run(ctx, append([]string{"sh", "-c", script, "sh", d.Link()}, module...)...); err != nil {
		return fmt.Errorf("install %s: %w", module[0], err)
	}
	return nil
}
