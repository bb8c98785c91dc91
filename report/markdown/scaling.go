package markdown

import (
	"strconv"

	"assay/report"
)

// scaling writes how the total of several hosts grows: a table, and a line for
// each curve that says where it stops.
func (p *page) scaling(curves []report.Scaling) {
	if len(curves) == 0 {
		return
	}
	p.block("## Several hosts at once")
	p.block(escape(report.ScalingNote))
	var rows [][]string
	var verdicts []string
	for _, s := range curves {
		name := escape(s.Name())
		for _, point := range s.Points {
			row := []string{name, strconv.Itoa(point.Hosts), "", "", "", ""}
			if f := point.Figure; f != nil {
				row[2], row[3], row[4] = escape(report.Quantity(s.Metric, f.Value)), escape(report.Interval(*f)), escape(report.Count(*f))
				if f.Rejected {
					row[2] = "✗ ~~" + row[2] + "~~"
				}
			} else {
				row[2] = escape(string(point.Absent.Word) + ": " + point.Absent.Why)
			}
			row[5] = escape(join(" ", point.Share(), point.ShareInterval()))
			rows, name = append(rows, row), "" // said once
		}
		verdicts = append(verdicts, "- "+escape(s.Text))
	}
	p.table([]string{"figure", "hosts", "total", "interval", "repeats", "of what they have alone"},
		[]bool{false, true, true, false, false, true}, rows)
	p.block(verdicts...)
}
