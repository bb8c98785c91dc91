package agent

import (
	"context"
	"fmt"
	"time"
)

// settling is how long the nodes of a store may take to agree that something is
// gone, or to list all that is in a bucket. It and the clock that it is measured with are
// variables for the tests.
var (
	settling = 15 * time.Second
	now      = time.Now
)

const again = 200 * time.Millisecond // between two questions

// patience is with a store that still shows what was removed. It lasts for settling
// after the last removal, since emptying a large bucket takes longer than its nodes
// do to agree on it; the bound over all is the context's.
type patience struct{ since time.Time }

// renew has it last from now on: something was removed.
func (p *patience) renew() { p.since = now() }

// wait returns nil when it is time to ask again, and what the store has said, why,
// when there is no more time to.
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
