package report

import (
	"math"

	"assay/internal/prose"
	"assay/report/block"
)

// scalingBlocks show how the total of several hosts grows.
func scalingBlocks(curves []Scaling) block.Blocks {
	if len(curves) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Several hosts at once"}, block.Sentence{Text: ScalingNote, Quiet: true}}
	for _, s := range curves {
		kind := block.Note
		if s.Saturated > 0 {
			kind = block.Limit
		}
		all = append(all, curveBars(s), block.Sentence{Is: kind, Text: s.Text + "."})
	}
	return all
}

// curveBars are the totals of one curve, from nothing to the greatest.
func curveBars(s Scaling) block.Bars {
	out := block.Bars{}
	most := 0.
	for _, p := range s.Points {
		if p.Figure != nil {
			most = math.Max(most, p.Figure.Value)
		}
	}
	for _, p := range s.Points {
		bar := block.Bar{Group: s.Name(), Title: prose.Plural(p.Hosts, "host"), Absent: absentOf(p.Absent), Aside: joinWords(" ", p.Share(), p.ShareInterval())}
		if p.Figure != nil {
			bar.Cell = figureCell("", *p.Figure)
			if most > 0 {
				bar.Share = block.Number(p.Figure.Value / most)
				if p.Figure.Level > 0 {
					bar.Low, bar.High = block.Number(p.Figure.Low/most), block.Number(p.Figure.High/most)
				}
			}
		}
		out.Bars = append(out.Bars, bar)
	}
	return out
}
