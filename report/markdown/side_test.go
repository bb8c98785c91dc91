package markdown

import (
	"testing"

	"assay/report/reporttest"
)

func TestClusterGolden(t *testing.T) {
	reporttest.Golden(t, "cluster.golden", []byte(written(t, reporttest.Cluster())))
}
