package term

import (
	"fmt"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestLayersGolden(t *testing.T) {
	for _, columns := range []int{40, 80, 200} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			reporttest.Golden(t, fmt.Sprintf("layers-%d-plain.golden", columns), []byte(rendered(t, report.Blocks(reporttest.Layers()), Options{Width: columns})))
		})
	}
}
