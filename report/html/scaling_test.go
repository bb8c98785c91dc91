package html

import (
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestScalingHasATableAndAPlotForEachCurve(t *testing.T) {
	var page strings.Builder
	if err := Write(&page, reporttest.Scaling()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<a href="#scaling">Several hosts at once</a>`, `<b>longhorn: 4 KiB random write, IOPS</b>`,
		`longhorn: 4 KiB random write stops growing at 2 hosts: 5.10k IOPS in total.`,
		`title="node1, node2, node3">3 hosts</th>`, `<b>5.11k IOPS</b>`, `[65 %, 66 %]`, `host node3: fio: input/output error`, `data-plot="scaling" data-index="2"`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	var other strings.Builder
	if err := Write(&other, reporttest.Document()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(other.String(), `id="scaling"`) || strings.Contains(other.String(), `"scaling":[`) {
		t.Error("a run of one host has the section")
	}
}

// What is not believed is struck out and not drawn, and one point is no curve.
func TestARejectedTotalIsNotDrawn(t *testing.T) {
	d := reporttest.Scaling()
	d.Scaling = d.Scaling[2:]
	d.Scaling[0].Points[1].Figure.Rejected = true
	views, plots := newScaling(d.Scaling)
	if len(plots) != 0 || views[0].Index != -1 || !views[0].Rows[1].Rejected {
		t.Errorf("%+v, %+v", views, plots)
	}
	if p := newPlotScaling(report.Scaling{}); len(p.Totals)+len(p.Alone) != 0 {
		t.Errorf("nothing is drawn as %+v", p)
	}
}

func TestScalingIsDrawn(t *testing.T) {
	d := reporttest.Scaling()
	d.Plots = report.Plots{}
	dom := browse(t, d)
	if head := root.FindString(dom); strings.Contains(head, "data-errors") || !strings.Contains(head, `data-plots="3"`) {
		t.Errorf("the page says: %s", head)
	}
	for _, p := range strings.Split(dom, `data-plot="scaling"`)[1:] {
		svg, _, _ := strings.Cut(p[strings.Index(p, "<svg"):], "</svg>")
		if strings.Count(svg, "<path") < 5 || strings.Contains(svg, "NaN") || !strings.Contains(svg, "hosts at once") {
			t.Errorf("it is drawn as %s", svg)
		}
	}
}
