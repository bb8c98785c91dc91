package term

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestReading(t *testing.T) {
	for _, columns := range []int{40, 80, 200} {
		for _, color := range []bool{false, true} {
			name := fmt.Sprintf("reading-%d-%s.golden", columns, map[bool]string{false: "plain", true: "color"}[color])
			t.Run(name, func(t *testing.T) {
				var out bytes.Buffer
				if err := Render(&out, reporttest.Reading().Document(), Options{Width: columns, Color: color}); err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(withoutColor(out.String())) {
					if w := width(strings.TrimSuffix(line, "\n")); w > columns {
						t.Errorf("%d columns wide: %s", w, line)
					}
				}
				reporttest.Golden(t, name, out.Bytes())
			})
		}
	}
}

func TestReadingOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&out, report.BuildReading(report.Read{}).Document(), Options{Width: 80}); err != nil || out.String() != "No figures found.\n" {
		t.Errorf("prints %q, %v", out.String(), err)
	}
}
