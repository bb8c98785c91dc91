package guest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"assay"
)

const toolsFile = "tools.ext4"

// Tools is the disk with what a host of a cluster is measured with, which tools.sh made,
// for a guest that InstallTools is called on. The error has a hint.
func Tools() (Disk, error) {
	dir, err := Image()
	if err != nil {
		return Disk{}, err
	}
	file := filepath.Join(dir, toolsFile)
	info, err := os.Stat(file)
	if err != nil {
		return Disk{}, assay.WithHint("make lab-guest-tools makes it, once, in a minute", "tools for a guest: %w", err)
	}
	return Disk{Bus: Virtio, Serial: "TOOLS", Bytes: info.Size(), From: file}, nil
}

// InstallTools copies the tools into a guest that has their disk. What the guest has
// already stays as it is.
func (g *Guest) InstallTools(ctx context.Context) error {
	d, err := Tools()
	if err != nil {
		return err
	}
	const script = `set -e
mount -o ro "$1" /mnt
cp -an /mnt/usr /
umount /mnt
ldconfig`
	if _, err := g.Run(ctx, "sh", "-c", script, "sh", d.Link()); err != nil {
		return fmt.Errorf("install the tools: %w", err)
	}
	return nil
}
