package run

import "time"

// tolerableJump is more than slewing moves a clock during a repeat.
const tolerableJump = time.Second

// clockJump returns how far the wall clock deviated from the monotonic clock
// between two readings of time.Now.
func clockJump(from, to time.Time) time.Duration {
	return wallBetween(from, to) - to.Sub(from)
}

// wallBetween returns the time between two moments by the wall clock alone.
func wallBetween(from, to time.Time) time.Duration { return to.Round(0).Sub(from.Round(0)) }
