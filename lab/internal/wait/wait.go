package wait

import (
	"context"
	"time"

	"assay/internal/sleep"
)

// Until calls done, at intervals of every, until it returns nil. When ctx ends,
// last is the last error from done, and err is that of ctx.
func Until(ctx context.Context, every time.Duration, done func() error) (last, err error) {
	for {
		last := done()
		if last == nil {
			return nil, nil
		}
		if err := sleep.For(ctx, every); err != nil {
			return last, err
		}
	}
}
