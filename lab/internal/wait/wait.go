package wait

import (
	"context"
	"time"
)

// Pause waits between two looks at something; the error is that of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Until calls done until it gives nil, and says how often it looks by every. When
// ctx ends, last is the error that done gave last, and err is that of ctx.
func Until(ctx context.Context, every time.Duration, done func() error) (last, err error) {
	for {
		last := done()
		if last == nil {
			return nil, nil
		}
		if err := Pause(ctx, every); err != nil {
			return last, err
		}
	}
}
