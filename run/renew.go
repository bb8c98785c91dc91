package run

import (
	"context"
	"errors"
	"time"

	"assay"
)

// renew has the clients' volumes hold again what they lost hold of since the last repeat.
// Space that is refused is not used again.
func (e *Engine) renew(ctx context.Context, clients []client) error {
	bounded, cancel := context.WithTimeoutCause(ctx, time.Until(e.deadline)+slack, assay.ErrTimeout)
	defer cancel()
	for _, c := range clients {
		v, can := c.lease.volume.(assay.Holder)
		if !can {
			continue
		}
		err := v.Renew(bounded, c.lease.place, c.lease.receipt)
		if err == nil {
			continue
		}
		if ctx.Err() == nil && !errors.Is(err, assay.ErrHostGone) {
			c.lease.err = err
		}
		return ofClient(c.host, err, len(clients))
	}
	return nil
}
