package markdown

import (
	"testing"

	"assay/report/reporttest"
)

func TestScalingGolden(t *testing.T) {
	reporttest.Golden(t, "scaling.golden", []byte(written(t, reporttest.Scaling())))
}
