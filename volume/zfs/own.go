package zfs

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/zfs"
)

// propertyScratch marks a dataset as assay's, with the receipt's id. Nothing without it
// is destroyed.
const propertyScratch = "assay:scratch"

// created returns the command that creates a dataset, up to its name. Tools that take
// snapshots of everything skip the dataset if they know this property.
func created(id string, set map[string]string) []string {
	words := []string{"zfs", "create", "-o", propertyScratch + "=" + id, "-o", "com.sun:auto-snapshot=false"}
	for _, setting := range assay.Way(set).Words() {
		words = append(words, "-o", setting)
	}
	return words
}

// makeFileSystem creates and mounts a file system. It is not remounted when its pool
// is imported after a crash.
func makeFileSystem(ctx context.Context, at assay.Place, id, dataset string, set map[string]string, bytes int64) (assay.Scratch, error) {
	words := append(created(id, set), "-o", "canmount=noauto", "-o", "mountpoint="+mountpoint(id), dataset)
	if err := taken(zfs.Ask(ctx, at, words...)); err != nil {
		return assay.Scratch{}, err
	}
	if _, err := zfs.Ask(ctx, at, "zfs", "mount", dataset); err != nil {
		return assay.Scratch{}, err
	}
	dir, err := mounted(ctx, at, dataset)
	if err != nil {
		return assay.Scratch{}, err
	}
	return assay.Scratch{Dir: dir, File: path.Join(dir, "data"), Bytes: bytes}, nil
}

func mountpoint(id string) string { return "/run/" + prefix + id }

// taken adds assay.ErrBusy to the error that a dataset already exists.
func taken(_ []byte, err error) error {
	if err != nil && strings.Contains(err.Error(), "already exists") {
		return fmt.Errorf("%w: %w", assay.ErrBusy, err)
	}
	return err
}

// mounted returns where a file system is mounted.
func mounted(ctx context.Context, at assay.Place, dataset string) (string, error) {
	all, err := get(ctx, at, dataset, "mounted", "mountpoint")
	if err != nil {
		return "", err
	}
	dir := all["mountpoint"].Value
	if all["mounted"].Value != "yes" || !path.IsAbs(dir) {
		return "", assay.WithHint("zfs mount "+dataset+"; one with mountpoint=legacy or none has no directory that ZFS knows", "%s is not mounted on %s (mountpoint=%s)", dataset, at.Host().Name, dir)
	}
	return dir, nil
}

// get returns properties of a dataset, by name.
func get(ctx context.Context, at assay.Place, dataset string, names ...string) (map[string]zfs.Property, error) {
	text, err := zfs.Ask(ctx, at, "zfs", "get", "-H", "-p", "-o", "name,property,value,source", strings.Join(names, ","), dataset)
	if err != nil {
		return nil, err
	}
	all := map[string]zfs.Property{}
	for _, p := range zfs.ReadProperties(text) {
		if p.Of == dataset {
			all[p.Name] = p
		}
	}
	for _, name := range names {
		if _, told := all[name]; !told {
			return nil, fmt.Errorf("%s: zfs get tells no %s of %s: %w", at.Host().Name, name, dataset, assay.ErrNoOutput)
		}
	}
	return all, nil
}

// space is the free and used space of a dataset.
type space struct {
	free, used int64
	kind       string
}

func readSpace(all []zfs.Property) (space, error) {
	var s space
	for _, p := range all {
		var err error
		switch p.Name {
		case "available":
			s.free, err = strconv.ParseInt(p.Value, 10, 64)
		case "used":
			s.used, err = strconv.ParseInt(p.Value, 10, 64)
		case "type":
			s.kind = p.Value
		}
		if err != nil || s.free < 0 || s.used < 0 {
			return space{}, fmt.Errorf("%s is %q", p.Name, p.Value)
		}
	}
	if s.kind == "" {
		return space{}, assay.ErrNoOutput
	}
	return s, nil
}

// makeZvol creates a zvol and waits for its device. It is sparse: the room was checked,
// and a reservation would take space from others.
func makeZvol(ctx context.Context, at assay.Place, id, dataset string, set map[string]string, bytes int64) (assay.Scratch, error) {
	const unit = 1 << 20
	size := (bytes + unit - 1) / unit * unit
	words := append(created(id, set), "-s", "-V", strconv.FormatInt(size, 10), dataset)
	if err := taken(zfs.Ask(ctx, at, words...)); err != nil {
		return assay.Scratch{}, err
	}
	link := "/dev/zvol/" + dataset
	for range 60 {
		out, err := at.Run(ctx, zfs.Command("sh", "-c", `[ -b "$1" ] && readlink -f -- "$1"`, "sh", link))
		if err != nil {
			return assay.Scratch{}, err
		}
		if device := strings.TrimSuffix(string(out.Stdout), "\n"); out.Exit == 0 && strings.HasPrefix(device, "/dev/") {
			return assay.Scratch{File: device, Bytes: bytes, Devices: []string{strings.TrimPrefix(device, "/dev/")}}, nil
		}
		if err := sleep.For(ctx, pause); err != nil {
			return assay.Scratch{}, err
		}
	}
	return assay.Scratch{}, assay.WithHint("check that udev runs there and that volmode is not none", "%s on %s did not appear: %w", link, at.Host().Name, assay.ErrTimeout)
}

// destroy removes a dataset of assay's, with the snapshots that others took of it.
// A device is busy for a moment after use, because udev probes it.
func destroy(ctx context.Context, at assay.Place, id, dataset string, zvol bool) error {
	var busy error
	for range 40 {
		all, err := get(ctx, at, dataset, propertyScratch)
		if errors.Is(err, zfs.ErrMissing) {
			return unmounted(ctx, at, id, zvol)
		}
		if err != nil {
			return err
		}
		if mark := all[propertyScratch]; mark.Value != id || !mark.Set() {
			return assay.WithHint("look at it, and remove it by hand", "%s on %s is not destroyed: its %s is %q (%s), not the receipt's id", dataset, at.Host().Name, propertyScratch, mark.Value, mark.Source)
		}
		if busy != nil {
			if err := sleep.For(ctx, pause); err != nil {
				return err
			}
		}
		if _, busy = zfs.Ask(ctx, at, "zfs", "destroy", "-r", dataset); busy != nil && !strings.Contains(busy.Error(), "busy") {
			return assay.WithHint("remove it by hand: zfs destroy -r "+dataset, "%s is left: %w", dataset, busy)
		}
	}
	return assay.WithHint("see what uses it (fuser -vm), then run: assay cleanup", "%s is left: %w", dataset, busy)
}

// unmounted removes the mount point of a file system that is gone.
func unmounted(ctx context.Context, at assay.Place, id string, zvol bool) error {
	if zvol {
		return nil
	}
	const remove = `[ ! -e "$1" ] || rmdir -- "$1"`
	out, err := at.Run(ctx, zfs.Command("sh", "-c", remove, "sh", mountpoint(id)))
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("%s", strings.TrimSpace(string(out.Stderr)))
	}
	if err != nil {
		return fmt.Errorf("remove %s on %s: %w", mountpoint(id), at.Host().Name, err)
	}
	return nil
}
