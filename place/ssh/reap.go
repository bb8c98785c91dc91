package ssh

import (
	"context"

	"assay"
	"assay/place/remote"
)

// Reap kills the processes started with that mark: see [remote.Reap].
func (p *Place) Reap(ctx context.Context, mark string) (int, error) {
	return remote.Reap(ctx, p.host.Name, mark, func(ctx context.Context, c assay.Cmd) (assay.Output, error) {
		return p.run(ctx, c, "")
	})
}
