package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/volume/dir"
)

// Check refuses a device that is not the intended one, that is in use, or that is not known to
// be empty. Of several reasons it gives the first: identity comes before contents.
func Check(want Identity, f Facts) error { return check(want, f, "overwrite") }

// check is Check, with word as the key that confirms that data on the device may be lost.
func check(want Identity, f Facts, word string) error {
	if err := checkDevice(want, f); err != nil {
		return err
	}
	confirm := "if nothing on it is needed, confirm it with " + word + ": " + want.Serial + want.Backing
	data := f.data()
	switch {
	case want.Overwrite || data == "":
		return nil
	case len(f.Signatures) == 0 && !f.Since:
		confirm = "a run that was killed leaves such data; " + confirm
	}
	return f.refuse(confirm, "%s", data)
}

// data describes what on the device may be user data; "" if there is nothing.
func (f Facts) data() string {
	switch {
	case len(f.Signatures) > 0:
		return "it has a signature of " + strings.Join(f.Signatures, ", ")
	case f.Since:
		return "it bears assay's mark, but something was written to it after that"
	case !f.Blank && !f.Own:
		return fmt.Sprintf("it is not blank: there is unknown data at byte %d", f.Written)
	}
	return ""
}

// Inspect examines a device before anybody confirms anything. data describes contents that
// may be lost only if confirmed, "" if there are none; err is why the device is not lent
// whatever is confirmed. It writes nothing.
func Inspect(ctx context.Context, at assay.Place, path string, want Identity) (f Facts, data string, err error) {
	if f, err = ask(ctx, at, path); err == nil {
		err = checkDevice(want, f)
	}
	if err != nil {
		return f, "", fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	if err = f.examine(ctx, at, newSeed()); err != nil {
		return f, "", err
	}
	data = f.data()
	// Only its contents show which tables and members there are.
	if err := checkDevice(want, f); err != nil {
		return f, data, fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	return f, data, untilFree(ctx, 0, func() error { return unused(ctx, at, path, "stop them") })
}

func (f Facts) refuse(hint, format string, args ...any) error {
	return assay.WithHint(hint, "block device %s: %w", f.Path, fmt.Errorf(format, args...))
}

// checkDevice refuses a device that is not the intended one or is in use, whatever
// is on it.
func checkDevice(want Identity, f Facts) error {
	if err := checkNamed(want, f); err != nil {
		return err
	}
	return checkUse(f, f.refuse)
}

// checkNamed refuses a device that is not the intended one.
func checkNamed(want Identity, f Facts) error {
	refuse := f.refuse
	switch {
	case f.Absent:
		return assay.WithHint("list devices with: lsblk -o NAME,SERIAL,MODEL,SIZE", "block device %s is %w", f.Path, assay.ErrNotFound)
	case f.Other:
		return refuse("give a device such as /dev/sdb", "not a block device")
	case want.Serial == "" && want.Backing == "":
		return refuse("give its serial number", "it is not clear which device is meant")
	case want.Serial != "" && !slices.Contains(f.Serials, want.Serial):
		return refuse("check with: lsblk -o NAME,SERIAL,MODEL,SIZE",
			"serial mismatch: given %s, but %s has %s", want.Serial, f.Name, oneOf(f.Serials, "none known to the node"))
	case want.Backing != "" && f.Backing != want.Backing:
		return refuse("check with: losetup --list",
			"backing file mismatch: given %s, but %s is backed by %s", want.Backing, f.Name, oneOf([]string{f.Backing}, "none"))
	}
	if twins := f.twins(want.Serial); len(twins) > 0 {
		return refuse("give something unique, such as its world-wide name (lsblk -o NAME,SERIAL,WWN), or unplug the other",
			"serial %s is not unique: %s and %s have it", want.Serial, f.Name, strings.Join(twins, " and "))
	}
	return nil
}

// twins returns the names of the other disks with that serial, sorted.
func (f Facts) twins(serial string) []string {
	var all []string
	for disk, serials := range f.Others {
		if serial != "" && slices.Contains(serials, serial) {
			all = append(all, disk)
		}
	}
	slices.Sort(all)
	return all
}

// checkUse refuses what no confirmation can override.
func checkUse(f Facts, refuse func(hint, format string, args ...any) error) error {
	switch {
	case f.Partition:
		return refuse("give a whole device that may be overwritten", "%s is a partition", f.Name)
	case len(f.Mounts) > 0:
		return refuse("unmount it", "%s is %w: it is mounted at %s", f.Name, assay.ErrBusy, strings.Join(f.Mounts, ", "))
	case f.Swap:
		return refuse("swapoff it", "%s is %w: it is swap", f.Name, assay.ErrBusy)
	case len(f.Holders) > 0:
		return refuse("stop what uses it", "%s is %w: used by %s", f.Name, assay.ErrBusy, strings.Join(f.Holders, ", "))
	case len(f.Partitions) > 0:
		return refuse("if nothing on it is needed, remove them on the node: wipefs --all "+f.Path,
			"%s has partitions: %s", f.Name, strings.Join(f.Partitions, ", "))
	case len(f.Tables) > 0:
		return refuse("if nothing on it is needed, remove it on the node: wipefs --all "+f.Path,
			"%s has a partition table: %s", f.Name, strings.Join(f.Tables, ", "))
	case f.ReadOnly:
		return refuse("check for write protection", "%s is %w: the kernel reports it as read-only", f.Name, assay.ErrReadOnly)
	case f.Exclusive == nil && f.Failed != "":
		return refuse("the pod must be privileged", "cannot open %s for writing: %s", f.Name, f.Failed)
	case f.Exclusive == nil:
		return assay.WithHint("use an image with wipefs (package util-linux in Debian, wipefs in Alpine)",
			"block device %s: cannot tell whether it is in use: wipefs: %w", f.Path, assay.ErrNoCommand)
	case !*f.Exclusive:
		return refuse("check on the node with: lsblk; fuser -v "+f.Path,
			"%s is %w: the kernel reports that it, or a part of it, is held open", f.Name, assay.ErrBusy)
	case f.Bytes < dir.Least:
		return refuse("use a larger one", "%w: it has %d KiB", assay.ErrNoSpace, f.Bytes>>10)
	}
	return nil
}

func oneOf(all []string, none string) string {
	if len(all) == 0 || all[0] == "" {
		return none
	}
	return strings.Join(all, " or ")
}
