package agent

import (
	"context"
	"fmt"
	"time"
)

// settling is how long the nodes of a store may take to agree that something is gone, or
// to list everything in a bucket. It and its clock are variables for the tests.
var (
	settling = 15 * time.Second
	now      = time.Now
)

const again = 200 * time.Millisecond // between two questions

// patience waits for a store that still shows what was removed. It lasts for
// settling after the last removal, since emptying a large bucket takes longer than
// its nodes need to agree on it; the overall bound is the context's.
type patience struct{ since time.Time }

// renew restarts it: something was removed.
func (p *patience) renew() { p.since = now() }

// wait returns nil when it is time to ask again, and why, the store's answer, when
// time is up.
func (p *patience) wait(ctx context.Context, why error) error {
	if p.since.IsZero() {
		p.renew()
	}
	if now().Sub(p.since) > settling {
		return why
	}
	if err := pause(ctx, again); err != nil {
		return fmt.Errorf("%w; %w", why, err)
	}
	return nil
}
