package main

import (
	"context"
	"fmt"
	"time"

	"assay/stats"
)

// work is something to time.
type work func(ctx context.Context) error

// turns runs all works in turn, for a number of rounds after an uncounted first
// one, and returns their times in seconds: times[work][round]. Every other
// round runs in reverse order, so that drift affects all alike.
func turns(ctx context.Context, rounds int, works ...work) ([][]float64, error) {
	times := make([][]float64, len(works))
	for round := range rounds + 1 {
		for i := range works {
			if round%2 == 1 {
				i = len(works) - 1 - i
			}
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			began := time.Now()
			if err := works[i](ctx); err != nil {
				return nil, err
			}
			if round > 0 {
				times[i] = append(times[i], time.Since(began).Seconds())
			}
		}
	}
	return times, nil
}

// ratios divides values measured in the same turn. A zero in b is an error:
// that measurement failed unnoticed.
func ratios(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("%d measurements against %d", len(a), len(b))
	}
	out := make([]float64, len(a))
	for i := range a {
		if out[i] = a[i] / b[i]; !stats.Finite(out[i]) || out[i] <= 0 {
			return nil, fmt.Errorf("turn %d: %v against %v is no ratio", i+1, a[i], b[i])
		}
	}
	return out, nil
}

// each returns f applied to every value.
func each(values []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}
