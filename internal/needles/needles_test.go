package needles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/internal/needles"
)

func TestFindsOverlappingNeedles(t *testing.T) {
	all := []string{"he", "she", "his", "hers", "", "x"}
	got := needles.New(all).In([]byte("ushers"), nil)
	slices.Sort(got)
	if want := []int32{0, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// States are numbered in 16 bits: excess needles must not silently be taken for others.
func TestTooManyNeedles(t *testing.T) {
	var all []string
	for i := range 10_000 {
		all = append(all, fmt.Sprintf("%04d states", i))
	}
	defer func() {
		if recover() == nil {
			t.Error("a set of more states than it can number was built")
		}
	}()
	needles.New(all)
}

func FuzzIn(f *testing.F) {
	f.Add("ab bc abc", "zabcab bc")
	f.Fuzz(func(t *testing.T, words, text string) {
		all := strings.Fields(words)
		if len(words) > 1000 {
			return
		}
		got := needles.New(all).In([]byte(text), nil)
		for i, n := range all {
			if has := strings.Contains(text, n); has != slices.Contains(got, int32(i)) {
				t.Errorf("%q in %q: %v", n, text, !has)
			}
		}
	})
}
