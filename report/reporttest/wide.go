package reporttest

import (
	"fmt"

	"assay"
	"assay/report"
)

// Wide is a document of n hosts, node1 and so on, that have all the same: one
// figure of storage, and the throughput of each way on one network.
func Wide(n int) report.Document {
	f := func(metric string, v float64) report.SideCell {
		return report.SideCell{Figure: &report.Figure{Metric: metric, Value: v, Low: v * .999, High: v * 1.001, Level: .95, N: 6, Seconds: 5, Repeats: []float64{v * .999, v * 1.001}}}
	}
	row := report.SideRow{Title: "4 KiB random read", Label: "IOPS", Metric: "storage.read.iops", Unit: assay.PerSecond, Better: "higher"}
	m := report.Matrix{Network: "storage", Title: "TCP", Label: "throughput", Metric: "net.tcp.throughput", Unit: assay.BytesPerSecond, Better: "higher"}
	s := &report.Side{}
	d := report.Document{Schema: report.Schema, Side: s, Run: report.Header{ID: "wide", Suite: "network"}}
	for i := range n {
		host := fmt.Sprintf("node%d", i+1)
		s.Hosts, m.Hosts = append(s.Hosts, host), append(m.Hosts, host)
		row.Cells = append(row.Cells, f(row.Metric, 243e3))
		var cells []report.SideCell
		for j := range n {
			if i == j {
				cells = append(cells, report.SideCell{})
			} else {
				cells = append(cells, f(m.Metric, 9.41e9/8))
			}
		}
		m.Cells = append(m.Cells, cells)
	}
	d.Run.Hosts = s.Hosts
	s.Tables, s.Networks = []report.SideTable{{ID: "storage", Title: "Storage", Rows: []report.SideRow{row}}}, []report.Matrix{m}
	return d
}
