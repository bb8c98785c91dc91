package wait

import (
	"context"
	"time"

	"assay/internal/sleep"
)

// Until calls done until it gives nil, and says how often it looks by every. When
// ctx ends, last is the error that done gave last, and err is that of ctx.
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
