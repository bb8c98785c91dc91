// Package sleep waits, and never past the end of a context.
package sleep

import (
	"context"
	"time"
)

// For returns after d, or with ctx's error if that ends first.
func For(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
