package run

import "time"

// tolerableJump is more than a clock that is slewed gains or loses in a repeat.
const tolerableJump = time.Second

// clockJump is by how much the wall clock went otherwise than the monotonic one
// between two readings of time.Now.
func clockJump(from, to time.Time) time.Duration {
	return wallBetween(from, to) - to.Sub(from)
}

// wallBetween is the time between two moments by the wall clock alone.
func wallBetween(from, to time.Time) time.Duration { return to.Round(0).Sub(from.Round(0)) }
