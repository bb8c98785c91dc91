package ephemeral

import (
	"context"
	"errors"

	"assay"
	"assay/kube"
	"assay/volume/dir"
)

// Kind is the volume's name in receipts and suites.
const Kind = "ephemeral"

// Volume lends directories inside an ephemeral volume.
type Volume struct{ dir.Volume }

// New gives the volume.
func New() Volume { return Volume{dir.Inside(Kind, "raise the size of the tier in cluster.yaml")} }

// Release is that of a directory. With the pod its volume is gone.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	err := v.Volume.Release(ctx, at, r)
	if errors.Is(err, kube.ErrRemoved) {
		return nil
	}
	return err
}
