package order_test

import (
	"cmp"
	"slices"
	"testing"

	"assay/internal/order"
)

// Equal elements keep their order.
func TestStable(t *testing.T) {
	type one struct{ rank, was int }
	all := []one{{2, 0}, {1, 1}, {2, 2}, {1, 3}, {0, 4}, {2, 5}}
	order.Stable(all, func(a, b one) int { return cmp.Compare(a.rank, b.rank) })
	if want := []one{{0, 4}, {1, 1}, {1, 3}, {2, 0}, {2, 2}, {2, 5}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	order.Stable([]one(nil), func(one, one) int { return 0 })
}
