package reporttest

import (
	"fmt"

	"assay"
	"assay/analysis"
	"assay/report"
)

// Wide returns a document of n identical hosts, node1 and so on: one storage
// figure, and the throughput of each path on one network.
func Wide(n int) report.Document {
	f := func(metric string, v float64) analysis.SideCell {
		return analysis.SideCell{Figure: &report.Figure{Metric: metric, Value: v, Low: v * .999, High: v * 1.001, Level: .95, N: 6, Seconds: 5, Repeats: []float64{v * .999, v * 1.001}}}
	}
	row := analysis.SideRow{Title: "4 KiB random read", Label: "IOPS", Metric: "storage.read.iops", Unit: assay.PerSecond, Better: "higher"}
	m := analysis.Matrix{Network: "storage", Title: "TCP", Label: "throughput", Metric: "net.tcp.throughput", Unit: assay.BytesPerSecond, Better: "higher"}
	s := &report.Side{}
	d := report.Document{Schema: report.Schema, Side: s, Run: report.Header{ID: "wide", Suite: "network"}}
	for i := range n {
		host := fmt.Sprintf("node%d", i+1)
		s.Hosts, m.Hosts = append(s.Hosts, host), append(m.Hosts, host)
		row.Cells = append(row.Cells, f(row.Metric, 243e3))
		var cells []analysis.SideCell
		for j := range n {
			if i == j {
				cells = append(cells, analysis.SideCell{})
			} else {
				cells = append(cells, f(m.Metric, 9.41e9/8))
			}
		}
		m.Cells = append(m.Cells, cells)
	}
	d.Run.Hosts = s.Hosts
	s.Tables, s.Networks = []analysis.SideTable{{ID: "storage", Title: "Storage", Rows: []analysis.SideRow{row}}}, []analysis.Matrix{m}
	return d
}

// Sick is Wide with three faults: node3 receives at a tenth of the rate and loses
// packets, node1 sends to node2 at 60 %, and with more than six hosts, there is no
// figure from node6 to node5.
func Sick(n int) report.Document {
	d := Wide(n)
	m := &d.Side.Networks[0]
	lost := analysis.Matrix{Network: m.Network, Title: m.Title, Label: "retransmits", Metric: "net.tcp.retransmits", Better: "lower", Hosts: m.Hosts}
	for from := range m.Cells {
		var again []analysis.SideCell
		for to := range m.Cells[from] {
			c := analysis.SideCell{Figure: &report.Figure{Metric: lost.Metric, Value: 12, N: 6}}
			if from == to {
				c = analysis.SideCell{}
			} else if to == 2 {
				m.Cells[from][to].Figure.Value, m.Cells[from][to].Odd = 930e6/8, "worse"
				c.Figure.Value, c.Odd = 4200, "worse"
			}
			again = append(again, c)
		}
		lost.Cells = append(lost.Cells, again)
	}
	m.Cells[0][1].Figure.Value = 5.6e9 / 8
	if n > 6 {
		m.Cells[5][4] = analysis.SideCell{Absent: &assay.Absence{Word: assay.Failed, Why: "no route to host"}}
	}
	d.Side.Networks = append(d.Side.Networks, lost)
	return d
}
