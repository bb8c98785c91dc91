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
