package term

import (
	"fmt"
	"testing"

	"assay/report/reporttest"
)

func TestTiersGolden(t *testing.T) {
	for _, columns := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			got := written(t, reporttest.Tiers(), Options{Width: columns})
			reporttest.Golden(t, fmt.Sprintf("tiers-%d-plain.golden", columns), []byte(got))
		})
	}
}
