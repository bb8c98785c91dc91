package agent

import (
	"testing"
	"time"
)

// Settling is how long nodes may take to agree, for the time of a test.
func Settling(t *testing.T, d time.Duration) {
	was := settling
	settling = d
	t.Cleanup(func() { settling = was })
}
