package agent

import (
	"sync/atomic"
	"testing"
	"time"
)

// Settling sets, for a test, how long nodes may take to agree, by a clock that
// only pass advances.
func Settling(t *testing.T, d time.Duration) (pass func(time.Duration)) {
	var passed atomic.Int64
	began := time.Now()
	settling, now = d, func() time.Time { return began.Add(time.Duration(passed.Load())) }
	t.Cleanup(func() { settling, now = 15*time.Second, time.Now })
	return func(d time.Duration) { passed.Add(int64(d)) }
}
