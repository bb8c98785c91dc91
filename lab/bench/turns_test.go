package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTurnsAlternate(t *testing.T) {
	var order []string
	record := func(name string) work {
		return func(context.Context) error { order = append(order, name); return nil }
	}
	times, err := turns(t.Context(), 3, record("a"), record("b"), record("c"))
	if err != nil {
		t.Fatal(err)
	}
	// The first three are not counted.
	if got, want := strings.Join(order, ""), "abc"+"cba"+"abc"+"cba"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	for i, of := range times {
		if len(of) != 3 {
			t.Errorf("work %d has %d times, want 3", i, len(of))
		}
	}
}

func TestTurnsEndWithTheFirstError(t *testing.T) {
	broke, calls := errors.New("broke"), 0
	if _, err := turns(t.Context(), 3, func(context.Context) error { calls++; return broke }); !errors.Is(err, broke) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broke)
	if _, err := turns(ctx, 3, func(context.Context) error { calls++; return nil }); !errors.Is(err, broke) || calls != 1 {
		t.Errorf("cancelled: %v after %d calls", err, calls)
	}
}

func TestRatios(t *testing.T) {
	got, err := ratios([]float64{1, 9}, []float64{2, 3})
	if err != nil || !slices.Equal(got, []float64{.5, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range [][2][]float64{{{1}, {0}}, {{0}, {1}}, {{0}, {0}}, {{-1}, {1}}, {{1}, {1, 2}}} {
		if got, err := ratios(c[0], c[1]); err == nil {
			t.Errorf("%v against %v gave %v", c[0], c[1], got)
		}
	}
}
