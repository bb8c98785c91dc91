package hostpath

import (
	"context"
	"errors"

	"assay"
	"assay/stacks/kube"
	"assay/volume/dir"
)

// Kind is the volume's name in receipts and suites.
const Kind = "hostpath"

// Volume lends directories inside a directory of a node.
type Volume struct{ dir.Volume }

// New returns the volume.
func New() Volume {
	return Volume{dir.Inside(Kind, "choose another path: for the tier in cluster.yaml")}
}

// Release removes the directory. If the pod is gone, the directory is still on
// its node.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	err := v.Volume.Release(ctx, at, r)
	if errors.Is(err, kube.ErrRemoved) {
		return assay.WithHint("run: assay cleanup, or remove .assay-"+r.ID+" from that directory on the node by hand",
			"files may remain on the node where the pod of %s ran: %w", r.Host, err)
	}
	return err
}
