package vmdisk

import (
	"context"
	_ "embed" // the scripts
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
)

var (
	//go:embed mount.sh
	mountScript string
	//go:embed unmount.sh
	unmountScript string
)

// fileSystems maps the file systems that a disk can get in the guest to the packages with
// their mkfs.
var fileSystems = map[string]string{"ext4": "e2fsprogs", "xfs": "xfsprogs"}

// formatting bounds mkfs, which writes all of its tables.
const formatting = 5 * time.Minute

// exitNoMkfs is mount.sh's exit status if the guest has no such program.
const exitNoMkfs = 127

// checkFileSystem rejects an unsupported file system; "" means none.
func checkFileSystem(name string) error {
	if _, known := fileSystems[name]; name != "" && !known {
		return fmt.Errorf("%s volumes cannot be lent with filesystem=%s: it is one of ext4, xfs", Kind, name)
	}
	return nil
}

// mountpoint returns where the file system of a disk is mounted in the guest: in memory, so
// that a reboot removes it.
func mountpoint(id string) string { return "/run/" + prefix + id }

// mount formats the disk and mounts it; bytes is the free space afterwards.
func mount(ctx context.Context, at assay.Place, fs, device, id string) (dir string, bytes int64, err error) {
	dir = mountpoint(id)
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", mountScript, "sh", fs, device, dir}, Timeout: formatting})
	host := at.Host().Name
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("make a file system in %s: %w", host, err)
	case out.Exit == exitNoMkfs:
		return "", 0, assay.WithHint("install "+fileSystems[fs]+" in the guest", "mkfs.%s in %s: %w", fs, host, assay.ErrNoCommand)
	case out.Exit != 0:
		return "", 0, fmt.Errorf("make %s on %s in %s: status %d: %s", fs, device, host, out.Exit, oneline.Brief(out.Stderr))
	}
	bytes, err = strconv.ParseInt(strings.TrimSpace(string(out.Stdout)), 10, 64)
	if err != nil || bytes <= 0 {
		return "", 0, fmt.Errorf("free space of %s in %s: unexpected reply %.100q", dir, host, out.Stdout)
	}
	return dir, bytes, nil
}

// unmount undoes mount, whatever state it was left in. A guest that can't be reached is off,
// and the mount gone with it, or lets the disk go anyway: only assay's data is on it.
func unmount(ctx context.Context, at assay.Place, id string) error {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", unmountScript, "sh", mountpoint(id)}, Timeout: time.Minute})
	switch {
	case slices.ContainsFunc([]error{assay.ErrHostGone, assay.ErrTimeout}, func(gone error) bool { return errors.Is(err, gone) }):
		return nil
	case err != nil:
		return fmt.Errorf("unmount %s in %s: %w", mountpoint(id), at.Host().Name, err)
	case out.Exit != 0:
		return assay.WithHint("see who uses it in the guest: fuser -vm "+mountpoint(id)+"; then run: assay cleanup",
			"unmount %s in %s: %w: %s", mountpoint(id), at.Host().Name, assay.ErrBusy, oneline.Brief(out.Stderr))
	}
	return nil
}
