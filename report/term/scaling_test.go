package term

import (
	"fmt"
	"strings"
	"testing"

	"assay/report/reporttest"
)

// The section alone, so that what else a report says of tiers does not change it.
func TestScalingGolden(t *testing.T) {
	d := reporttest.Scaling()
	for _, columns := range []int{40, 80} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			p := newPage(Options{Width: columns})
			p.scaling(d.Scaling)
			for _, l := range strings.Split(p.String(), "\n") {
				if width(l) > columns {
					t.Errorf("a line of %d columns: %q", width(l), l)
				}
			}
			reporttest.Golden(t, fmt.Sprintf("scaling-%d-plain.golden", columns), p.Bytes())
			if whole := written(t, d, Options{Width: columns}); !strings.Contains(whole, p.String()) {
				t.Error("the report does not have the section")
			}
		})
	}
	p := newPage(Options{})
	if p.scaling(nil); p.Len() > 0 {
		t.Errorf("a section without curves: %q", p.String())
	}
}
