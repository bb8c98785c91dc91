package zfs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"assay"
	"assay/stacks/zfs"
	"assay/volume/dir"
)

// propertyLent marks an existing dataset as lent, with the receipt's id. It is set
// before any other setting changes, and removed after all are restored: if it is not
// the receipt's own, this receipt has changed nothing.
const propertyLent = "assay:lent"

// before returns the current values of the settings that Lend changes in an existing
// dataset. A dataset is lent only once at a time: its settings apply to everything
// measured in it.
func before(ctx context.Context, at assay.Place, h how) ([]assay.Property, error) {
	names := slices.Sorted(maps.Keys(h.Set))
	all, err := get(ctx, at, h.Below, append(names, propertyLent)...)
	if err != nil {
		return nil, err
	}
	if lent := all[propertyLent]; lent.Set() {
		return nil, inUse(at, h.Below, lent.Value)
	}
	was := []assay.Property{{Of: h.Below, Name: propertyLent}}
	for _, name := range names {
		p := assay.Property{Of: h.Below, Name: name}
		if all[name].Set() {
			p.Value = all[name].Value
		}
		was = append(was, p)
	}
	return was, nil
}

func inUse(at assay.Place, dataset, id string) error {
	return assay.WithHint("an existing dataset is measured in one way at a time: choose one case with --only, or leave out existing: so that each way has a dataset of its own; after a run that was killed, run: assay cleanup",
		"%s on %s is lent already (%s=%s): %w", dataset, at.Host().Name, propertyLent, id, assay.ErrBusy)
}

// lendExisting makes a directory in the dataset, marks it, and changes its settings.
func lendExisting(ctx context.Context, at assay.Place, r assay.Receipt, h how) (assay.Scratch, error) {
	all, err := get(ctx, at, h.Below, propertyLent)
	if err != nil {
		return assay.Scratch{}, err
	}
	if lent := all[propertyLent]; lent.Set() {
		return assay.Scratch{}, inUse(at, h.Below, lent.Value)
	}
	mount, err := mounted(ctx, at, h.Below)
	if err != nil {
		return assay.Scratch{}, err
	}
	if _, err := zfs.Ask(ctx, at, "zfs", "set", propertyLent+"="+r.ID, h.Below); err != nil {
		return assay.Scratch{}, err
	}
	for _, setting := range assay.Way(h.Set).Words() {
		if _, err := zfs.Ask(ctx, at, "zfs", "set", setting, h.Below); err != nil {
			return assay.Scratch{}, err
		}
	}
	return dir.New().Lend(ctx, at, inside(r, h.Below, mount))
}

// inside returns the receipt for the directory in a dataset.
func inside(r assay.Receipt, dataset, mount string) assay.Receipt {
	return assay.Receipt{ID: r.ID, Volume: dir.Kind, Host: r.Host, Subject: r.Subject, Bytes: r.Bytes,
		Names: map[string]string{"dir": path.Join(mount, ".assay-"+r.ID), "source": dataset}}
}

// releaseExisting restores the settings first, because they affect everybody. The mark
// goes last, so that the next Release finishes one that was killed.
func releaseExisting(ctx context.Context, at assay.Place, r assay.Receipt, h how, dataset string) error {
	all, err := get(ctx, at, dataset, append(slices.Sorted(maps.Keys(h.Set)), propertyLent)...)
	if errors.Is(err, zfs.ErrMissing) {
		return nil // gone with all that was in it
	}
	if err != nil {
		return err
	}
	if lent := all[propertyLent]; lent.Value != r.ID || !lent.Set() {
		return nil // nothing made yet, or all removed
	}
	for _, was := range r.Restore {
		if was.Name == propertyLent {
			continue
		}
		if err := restore(ctx, at, dataset, was, all[was.Name], h.Set[was.Name]); err != nil {
			return err
		}
	}
	mount, err := mounted(ctx, at, dataset)
	if err != nil {
		return err
	}
	if err := dir.New().Release(ctx, at, inside(r, dataset, mount)); err != nil {
		return err
	}
	_, err = zfs.Ask(ctx, at, "zfs", "inherit", propertyLent, dataset)
	return err
}

// restore sets a setting back. A value that somebody else set meanwhile is theirs,
// and stays.
func restore(ctx context.Context, at assay.Place, dataset string, was assay.Property, now zfs.Property, set string) error {
	if !now.Set() || !same(now.Value, set) {
		return nil
	}
	words := []string{"zfs", "set", was.Name + "=" + was.Value, dataset}
	if was.Value == "" {
		words = []string{"zfs", "inherit", "-S", was.Name, dataset} // -S: or the received value
	}
	if _, err := zfs.Ask(ctx, at, words...); err != nil {
		return fmt.Errorf("restore %s of %s: %w", was.Name, dataset, err)
	}
	return nil
}
