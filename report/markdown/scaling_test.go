package markdown

import (
	"strings"
	"testing"

	"assay/report/reporttest"
)

func TestScalingGolden(t *testing.T) {
	d := reporttest.Scaling()
	p := &page{}
	p.scaling(d.Scaling)
	reporttest.Golden(t, "scaling.golden", p.Bytes())
	if whole := written(t, d); !strings.Contains(whole, p.String()) {
		t.Error("the report does not have the section")
	}
}
