package markdown

import (
	"testing"

	"assay/report/reporttest"
)

func TestTiersGolden(t *testing.T) {
	reporttest.Golden(t, "tiers.golden", []byte(written(t, reporttest.Tiers())))
}
