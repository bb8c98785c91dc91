package ephemeral

import (
	"context"
	"errors"
	"maps"

	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	"assay/stacks/kube"
	"assay/volume/dir"
)

// Kind is the volume's name in receipts and suites.
const Kind = "ephemeral"

// Volume lends directories inside an ephemeral volume.
type Volume struct{ dir.Volume }

// elsewhere ends hints about too little space.
const elsewhere = "raise the size of the tier in cluster.yaml"

// New returns the volume.
func New() Volume { return Volume{dir.Inside(Kind, elsewhere)} }

// roleSize names the size limit of an emptyDir in a receipt.
const roleSize = "size"

// Reserve names a directory inside the subject's.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	size, is := bound(s)
	if is {
		s.Source = ""
	}
	r, err := v.Volume.Reserve(ctx, at, s, want)
	if err == nil && is {
		r.Names = maps.Clone(r.Names)
		r.Names[roleSize] = size
	}
	return r, err
}

// Lend lends a directory. In an emptyDir with a size, it leaves assay.KeepFree of
// that size free: everything in the volume counts, and above the size the kubelet
// evicts the pod.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	size, is := r.Names[roleSize]
	if !is {
		return v.Volume.Lend(ctx, at, r)
	}
	q, err := resource.ParseQuantity(size)
	if err != nil {
		return assay.Scratch{}, err
	}
	room := q.Value() - assay.KeepFree(q.Value())
	if room < min(dir.Least, r.Bytes) {
		return assay.Scratch{}, assay.WithHint(elsewhere, "%s on %s: %w: needs at least %d MiB, and assay keeps %d MiB free",
			bounded+size, at.Host().Name, assay.ErrNoSpace, min(dir.Least, r.Bytes)>>20, assay.KeepFree(q.Value())>>20)
	}
	r.Bytes = min(r.Bytes, room)
	return v.Volume.Lend(ctx, at, r)
}

// Release removes the directory. If the pod is gone, so is its volume.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	err := v.Volume.Release(ctx, at, r)
	if errors.Is(err, kube.ErrRemoved) {
		return nil
	}
	return err
}
