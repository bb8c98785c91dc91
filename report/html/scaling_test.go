package html

import (
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestScalingHasBarsAndAPlotForEachCurve(t *testing.T) {
	page := render(t, reporttest.Scaling())
	seen := text(page)
	for _, want := range []string{
		"longhorn: 4 KiB random write, IOPS", "longhorn: 4 KiB random write stops growing at 2 hosts: 5.10k IOPS in total.",
		"3 hosts 5.11k IOPS ± 0.25 % [5.10k IOPS, 5.13k IOPS] 65 % [65 %, 66 %]", "failed host node3: fio: input/output error",
	} {
		if !strings.Contains(seen, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, want := range []string{`data-plot="2"`, `"scale":"counts"`, `"low":[[1,719.`, `"title":"one at a time"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if other := render(t, reporttest.Document()); strings.Contains(other, "Several hosts at once") || strings.Contains(other, `"counts"`) {
		t.Error("a run of one host has the section")
	}
}

func TestScalingIsDrawn(t *testing.T) {
	d := reporttest.Scaling()
	d.Plots = report.Plots{}
	dom := browse(t, d)
	if head := root.FindString(dom); strings.Contains(head, "data-errors") || !strings.Contains(head, `data-plots="3"`) {
		t.Errorf("the page says: %s", head)
	}
	for _, p := range strings.Split(dom, `data-plot="`)[1:] {
		svg, _, _ := strings.Cut(p[strings.Index(p, "<svg"):], "</svg>")
		// A line, both ends of its intervals, and the figures of the hosts one at a
		// time.
		if strings.Count(svg, `stroke="var(--c0)"`) < 3 || !strings.Contains(svg, `stroke="var(--muted)"`) || strings.Contains(svg, "NaN") || !strings.Contains(svg, "hosts at once") {
			t.Errorf("it is drawn as %s", svg)
		}
	}
}
