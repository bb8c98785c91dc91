package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// noise returns n values around 100 with a deviation of sd per cent.
type noise func(r *rand.Rand, n int, sd float64) []float64

func normal(r *rand.Rand, n int, sd float64) []float64 { return autoregressive(0)(r, n, sd) }

// autoregressive keeps the share phi of the previous value.
func autoregressive(phi float64) noise {
	return func(r *rand.Rand, n int, sd float64) []float64 {
		values, last := make([]float64, n), r.NormFloat64()
		for i := range values {
			if i > 0 {
				last = phi*last + math.Sqrt(1-phi*phi)*r.NormFloat64()
			}
			values[i] = 100 + sd*last
		}
		return values
	}
}

// withOutliers moves one value in ten far off, mostly to one side.
func withOutliers(r *rand.Rand, n int, sd float64) []float64 {
	values := normal(r, n, sd)
	for i := range values {
		switch u := r.Float64(); {
		case u < .08:
			values[i] -= 20 * sd * r.Float64()
		case u < .1:
			values[i] += 20 * sd * r.Float64()
		}
	}
	return values
}

// uneven is three times as noisy in its second half.
func uneven(r *rand.Rand, n int, sd float64) []float64 {
	values := normal(r, n, sd)
	for i := n / 2; i < n; i++ {
		values[i] = 100 + 3*(values[i]-100)
	}
	return values
}

// coarse rounds to few distinct values.
func coarse(r *rand.Rand, n int, sd float64) []float64 {
	values := normal(r, n, sd)
	for i, v := range values {
		values[i] = float64(int(v/sd+.5)) * sd
	}
	return values
}

func history(values []float64) []Point {
	points := make([]Point, len(values))
	for i, v := range values {
		points[i] = Point{Run: fmt.Sprintf("r%d", i), At: time.Unix(int64(i)*86400, 0), Value: v}
	}
	return points
}

// step multiplies all values from index at on.
func step(values []float64, at int, by float64) []float64 {
	for i := at; i < len(values); i++ {
		values[i] *= by
	}
	return values
}
