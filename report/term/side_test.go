package term

import (
	"fmt"
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestClusterGolden(t *testing.T) {
	for _, columns := range []int{40, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			got := written(t, reporttest.Cluster(), Options{Width: columns})
			reporttest.Golden(t, fmt.Sprintf("cluster-%d-plain.golden", columns), []byte(got))
		})
	}
}

// Tables of six hosts are tables at 80 columns, those of twenty are lists, and
// no line is too long in either.
func TestManyHostsFit(t *testing.T) {
	for _, k := range []struct {
		hosts, columns int
		table          bool
	}{{4, 80, true}, {6, 80, true}, {20, 80, false}, {20, 40, false}} {
		d := report.Document{Side: wide(k.hosts)}
		got := written(t, d, Options{Width: k.columns})
		for _, l := range strings.Split(got, "\n") {
			if width(l) > k.columns {
				t.Errorf("%d hosts: a line of %d columns: %q", k.hosts, width(l), l)
			}
		}
		is := strings.Contains(strings.Join(strings.Fields(got), " "), "node1 node2 node3")
		if is != k.table {
			t.Errorf("%d hosts at %d columns: a table is %v, want %v\n%s", k.hosts, k.columns, is, k.table, got)
		}
		if n := strings.Count(got, "9.41 G"); n != k.hosts*(k.hosts-1) {
			t.Errorf("%d hosts: %d figures of the matrix, want %d", k.hosts, n, k.hosts*(k.hosts-1))
		}
	}
}

// wide is some hosts that have all the same.
func wide(n int) *report.Side {
	f := func(metric string, v float64) report.SideCell {
		return report.SideCell{Figure: &report.Figure{Metric: metric, Value: v, Low: v, High: v, Level: .95, N: 6}}
	}
	row := report.SideRow{Title: "4 KiB random read", Label: "IOPS", Metric: "storage.read.iops"}
	m := report.Matrix{Network: "storage", Title: "TCP", Label: "throughput", Metric: "net.tcp.throughput"}
	s := &report.Side{}
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
	s.Tables, s.Networks = []report.SideTable{{Title: "Storage", Rows: []report.SideRow{row}}}, []report.Matrix{m}
	return s
}
