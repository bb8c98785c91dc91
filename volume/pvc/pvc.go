package pvc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stacks/kube"
	"assay/volume/dir"
	"assay/volume/guard"
)

// Kind is the volume's name in receipts and suites.
const Kind = "pvc"

// Volume lends what is in a claim: directories, or the claim's device.
type Volume struct{ files dir.Volume }

// New returns the volume.
func New() Volume {
	return Volume{dir.Inside(Kind, "raise the size of the tier in cluster.yaml")}
}

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

var (
	device = lazyregexp.New(`^/dev/[a-z0-9][a-z0-9-]{0,62}$`)
)

// Reserve names a directory inside the subject's, or the subject's device if its
// kind is block.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	asked := askedFor(s)
	if asked != "" {
		s.Source = "" // of this pod: another pod has the device by another name
	}
	var r assay.Receipt
	if s.Kind == assay.KindBlock {
		if err := want.Way.Check(Kind); err != nil {
			return assay.Receipt{}, err
		}
		r = assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Names: map[string]string{"device": s.Name}}
		if _, err := deviceOf(r); err != nil {
			return assay.Receipt{}, err
		}
	} else {
		var err error
		if r, err = v.files.Reserve(ctx, at, s, want); err != nil {
			return assay.Receipt{}, err
		}
	}
	r.Names = maps.Clone(r.Names)
	r.Names["asked"] = asked
	return r, nil
}

// deviceOf returns a receipt's device, and refuses one that Reserve would not have
// made.
func deviceOf(r assay.Receipt) (string, error) {
	name := r.Names["device"]
	if r.Volume != Kind || !assay.SafeID(r.ID) || !device.MatchString(name) || path.Clean(name) != name {
		return "", fmt.Errorf("receipt %q is not for the device of a claim: %q", r.ID, name)
	}
	return name, nil
}

func isBlock(r assay.Receipt) bool { return r.Names["device"] != "" }

// Lend lends a directory, or the device after checking it.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	lend := v.files.Lend
	if isBlock(r) {
		lend = lendDevice
	}
	s, err := lend(ctx, at, r)
	if errors.Is(err, assay.ErrNoSpace) && r.Names["asked"] != "" {
		return s, fmt.Errorf("%s: %w", r.Names["asked"], err)
	}
	return s, err
}

func lendDevice(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	file, err := deviceOf(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	f, err := guard.Look(ctx, at, file)
	if err != nil {
		return assay.Scratch{}, err
	}
	if err := check(f, r.Bytes); err != nil {
		return assay.Scratch{}, fmt.Errorf("on %s: %w", at.Host().Name, err)
	}
	return assay.Scratch{File: file, Bytes: min(r.Bytes, f.Bytes), Devices: []string{f.Name}}, nil
}

// check refuses anything but a fresh device of enough bytes. The cluster has
// decided whose it is: nobody else gets it.
func check(f guard.Facts, wanted int64) error {
	switch {
	case f.Absent:
		return assay.WithHint("the claim must be of mode Block", "device %s is %w", f.Path, assay.ErrNotFound)
	case f.Other:
		return fmt.Errorf("%s is not a block device", f.Path)
	case f.ReadOnly:
		return fmt.Errorf("device %s is %w: the kernel reports it as read-only", f.Path, assay.ErrReadOnly)
	case f.Bytes < min(dir.Least, wanted):
		return assay.WithHint("raise the size of the tier in cluster.yaml",
			"device %s: %w: it has %d MiB", f.Path, assay.ErrNoSpace, f.Bytes>>20)
	}
	if found := slices.Concat(f.Tables, f.Signatures); len(found) > 0 {
		return assay.WithHint("the class bound a used volume: wipe it, or choose another class",
			"device %s is not empty: %s", f.Path, strings.Join(found, ", "))
	}
	return nil
}

// Release removes the directory. For a device, it only checks that no process
// has it open. If the pod is gone, so is everything.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	release := v.files.Release
	if isBlock(r) {
		release = releaseDevice
	}
	err := release(ctx, at, r)
	if errors.Is(err, kube.ErrRemoved) {
		return nil
	}
	return err
}

func releaseDevice(ctx context.Context, at assay.Place, r assay.Receipt) error {
	file, err := deviceOf(r)
	if err != nil {
		return err
	}
	users, err := guard.InUse(ctx, at, file)
	if err == nil && len(users) > 0 {
		err = assay.WithHint("stop them and run: assay cleanup", "device %s on %s is %w by processes %s",
			file, at.Host().Name, assay.ErrBusy, guard.Processes(ctx, at, users))
	}
	return err
}
