package analysis

import (
	"fmt"
	"slices"
	"testing"

	"assay"
)

// Hosts are compared by a trial's headline metric, bandwidth from 64 KiB on
// whatever the pattern, and by what tells hosts apart.
func TestSideShowsHeadlines(t *testing.T) {
	for bs, want := range map[int]string{64<<10 - 512: "storage.read.iops", 64 << 10: "storage.read.bandwidth"} {
		for _, title := range []string{"random read", "sequential read"} {
			run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
			for _, host := range []string{"pve1", "pve2"} {
				run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: host})
				subject := assay.Subject{ID: host + ":/d", Kind: assay.KindDirectory, Host: host, Name: "/d"}
				labels := map[string]string{"bs": fmt.Sprint(bs)}
				run.Results = append(run.Results, assay.Result{
					Trial: assay.Trial{ID: host, Title: title, Subject: subject},
					Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
						{Metric: "storage.read.iops", Value: 1000, Labels: labels},
						{Metric: "storage.read.bandwidth", Value: float64(1000 * bs), Labels: labels},
						{Metric: "storage.read.latency.mean", Value: 1e-3, Labels: labels},
					}}},
				})
			}
			found := Of(run)
			var got []string
			for _, table := range found.Side.Tables {
				for _, row := range table.Rows {
					got = append(got, row.Metric)
				}
			}
			if !slices.Equal(got, []string{want}) {
				t.Errorf("%s of %d B: %v, want %s", title, bs, got, want)
			}
		}
	}
}

// Rejected figures are compared with nothing.
func TestRejectedFiguresAreNotComparable(t *testing.T) {
	figures := func(rejected string, values ...float64) (cells []SideCell) {
		for i, v := range values {
			cells = append(cells, SideCell{Figure: &Figure{Metric: "storage.read.iops", Value: v, Rejected: rejected[i] == 'r'}})
		}
		return cells
	}
	const metric = "storage.read.iops"
	for _, c := range []struct {
		name        string
		rejected    string // r for each host whose figure is
		rows, alike int
	}{
		{"none", "....", 1, 1},
		{"the odd one", "...r", 1, 1},
		{"two of four", ".r.r", 0, 0},
		{"all", "rrrr", 0, 0},
	} {
		values := []float64{100, 101, 102, 103}
		if c.rejected[3] == 'r' {
			values[3] = 10
		}
		row := Side{Tables: []SideTable{{Rows: []SideRow{{Metric: metric, Cells: figures(c.rejected, values...)}}}}}
		matrix := Side{Networks: []Matrix{{Metric: metric}}}
		for i, v := range values {
			matrix.Networks[0].Cells = append(matrix.Networks[0].Cells, figures(c.rejected[i:i+1], v))
		}
		for what, s := range map[string]*Side{"row": &row, "matrix": &matrix} {
			if got := s.comparable(); got.Rows != c.rows || got.Alike != c.alike {
				t.Errorf("%s rejected, %s: %+v", c.name, what, got)
			}
		}
	}
}
