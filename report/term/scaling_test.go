package term

import (
	"fmt"
	"strings"
	"testing"

	"assay/report"
	"assay/report/block"
	"assay/report/reporttest"
)

// Only this section, so that the rest of the report on tiers does not change it.
func TestScalingGolden(t *testing.T) {
	whole := report.Blocks(reporttest.Scaling())
	for _, columns := range []int{40, 80} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			section := rendered(t, block.Document{Blocks: partOf(t, whole, "Several hosts at once")}, Options{Width: columns})
			reporttest.Golden(t, fmt.Sprintf("scaling-%d-plain.golden", columns), []byte(section))
			if !strings.Contains(rendered(t, whole, Options{Width: columns}), section) {
				t.Error("the report does not have the section")
			}
		})
	}
}

// partOf returns the blocks under a heading.
func partOf(t *testing.T, d block.Document, heading string) block.Blocks {
	t.Helper()
	for i, b := range d.Blocks {
		if h, is := b.(block.Heading); !is || h.Text != heading {
			continue
		}
		end := i + 1
		for end < len(d.Blocks) && d.Blocks[end].Kind() != b.Kind() {
			end++
		}
		return d.Blocks[i:end]
	}
	t.Fatalf("no heading %q", heading)
	return nil
}
