package report

import (
	"fmt"
	"math"
	"path"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// driveBlocks compares overwritten drives, the best first, and names those slower
// than others of their model.
func driveBlocks(d *analysis.Drives) block.Blocks {
	if d == nil {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Drives, ranked"}}
	for _, one := range d.Drives {
		if one.Slow != nil {
			all = append(all, block.Sentence{Is: block.Bad, Word: "slower", Text: slowTwinWords(*d, one)})
		}
	}
	header := []string{"test"}
	model, score := []string{"model"}, []string{"all tests, against the median drive"}
	for i, one := range d.Drives {
		header = append(header, fmt.Sprintf("%d. %s", i+1, driveName(one)))
		model = append(model, one.Model)
		score = append(score, fmt.Sprintf("%.2f ×", one.Score))
	}
	rows := [][]string{model}
	for t, test := range d.Tests {
		row := []string{quantity.Heading(test.Case, test.Metric)}
		for _, one := range d.Drives {
			text := string(assay.NoData)
			if v := one.Values[t]; !math.IsNaN(v) {
				text = quantity.Of(test.Metric, v)
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return append(all, block.Texts(header, append(rows, score)))
}

func driveName(d analysis.Drive) string { return d.Host + " " + path.Base(d.Name) }

func slowTwinWords(all analysis.Drives, d analysis.Drive) string {
	s := d.Slow
	text := fmt.Sprintf("%s runs at %.0f %% of the speed of the other %s", driveName(d), 100*s.Share, d.Model)
	if s.Twins > 1 {
		text += fmt.Sprintf(" (%d of them)", s.Twins)
	}
	text += ", worst in " + all.Tests[s.Worst].Case + "."
	if len(s.Unlike) == 0 {
		return text + " Nothing known about its firmware, link, spare blocks or temperature explains it. Move it to another slot: if it stays slow, replace the drive; if not, check the first slot."
	}
	var ways []string
	for _, u := range s.Unlike {
		ways = append(ways, fmt.Sprintf("%s %s (the others: %s)", u.What, u.Its, u.Most))
	}
	return text + " It differs in " + prose.Enumerate(ways, len(ways)) + "."
}
