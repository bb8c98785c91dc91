package limits

import (
	"fmt"
	"math"

	"assay"
	"assay/internal/quantity"
)

// InFlight returns the throughput of n requests of size bytes in flight if none
// is faster than least, the fastest one, in s (Little's law).
func InFlight(n int, size int64, least float64) Limit {
	switch {
	case n <= 0:
		return missing("requests in flight", "")
	case size <= 0:
		return missing("size of a request", "")
	case !(least > 0) || math.IsInf(float64(n)*float64(size)/least, 0):
		return missing("least latency", "")
	}
	return Limit{
		Name: "queue depth", Value: float64(n) * float64(size) / least, Unit: assay.BytesPerSecond,
		Sum: fmt.Sprintf("%d x %s / %s", n, quantity.Size(size), quantity.Time(least)),
	}
}
