package term

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAHistoryFitsAndShowsItsBreaks(t *testing.T) {
	values := make([]float64, 120)
	for i := range values {
		values[i] = 100
		if i >= 50 && i < 70 {
			values[i] = 90
		}
	}
	got := history(values, []int{50, 70}, 40)
	if strings.Count(got, "│") != 2 || len([]rune(got)) > 40 || !strings.HasPrefix(got, "█") || !strings.Contains(got, "│▁") {
		t.Errorf("%q", got)
	}
	if got := history([]float64{7, 7, 7}, nil, 40); got != "▄▄▄" {
		t.Errorf("what never changes is drawn as %q", got)
	}
}

// The difference of the smallest numbers must not vanish in the arithmetic.
func TestAHistoryOfTheSmallestNumbers(t *testing.T) {
	for _, values := range [][]float64{{0, 5e-324}, {-math.MaxFloat64, math.MaxFloat64}} {
		if got := history(values, nil, 40); !strings.HasPrefix(got, "▁") || !strings.HasSuffix(got, "█") {
			t.Errorf("%v is drawn as %q", values, got)
		}
	}
}

func TestEveryHistoryCanBeDrawn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, -1, math.MaxFloat64, -math.MaxFloat64, 5e-324}))
		values := rapid.SliceOfN(value, 0, 60).Draw(rt, "values")
		breaks := rapid.SliceOf(rapid.IntRange(-3, 70)).Draw(rt, "breaks")
		got := history(values, breaks, 40)
		if strings.Contains(got, "\n") || len(values) > 0 && got == "" {
			rt.Fatalf("%q", got)
		}
	})
}
