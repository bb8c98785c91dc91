package report

import (
	"testing"

	"assay/analysis"
	"assay/report/block"

	"github.com/google/go-cmp/cmp"
)

// Links without a figure are said, and are not among "all".
func TestLinksWithoutAFigureAreSaid(t *testing.T) {
	p := analysis.Picture{Network: "storage", Metric: "net.tcp.throughput", Expected: 1e9, Hosts: []analysis.PictureHost{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	for _, ends := range [][2]string{{"a", "b"}, {"b", "a"}, {"a", "c"}, {"c", "a"}} {
		p.Ways = append(p.Ways, analysis.PictureWay{From: ends[0], To: ends[1], Value: 1e9, Share: 1, Measured: true})
	}
	never := analysis.PictureWay{From: "b", To: "c"}
	failed := analysis.PictureWay{From: "c", To: "b", Lacks: "failed"}
	for _, c := range []struct {
		lacks []analysis.PictureWay
		want  []block.Sentence
	}{
		{[]analysis.PictureWay{never}, []block.Sentence{{Is: block.Good, Word: "all 4 links", Text: "100 %."}}},
		{[]analysis.PictureWay{never, failed}, []block.Sentence{{Word: "1 link", Text: "failed."}, {Is: block.Good, Word: "4 other links", Text: "100 %."}}},
	} {
		with := p
		with.Ways = append(p.Ways[:4:4], c.lacks...)
		if d := cmp.Diff(c.want, pictureBlock(with).Said); d != "" {
			t.Error(d)
		}
	}
}
