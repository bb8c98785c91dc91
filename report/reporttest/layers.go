package reporttest

import (
	"assay/analysis"
	"assay/analysis/fitness"
	"assay/limits"
	"assay/report"
	"assay/stats"
)

// Layers returns a report of where the time goes: DRBD on ZFS on a drive with a slow
// flush, and a claim about which too little is known.
func Layers() report.Document {
	cost := func(v float64) stats.Interval {
		return stats.Interval{Center: v, Low: .93 * v, High: 1.08 * v, Level: .95}
	}
	drbd := analysis.Waterfall{
		Top: "drbd", Load: analysis.LayerDurable, Size: 4096,
		Layers: []analysis.LayerTotal{
			{Name: "tank", Trial: "fio/syncwrite-4k@pve1/directory//tank", Latency: 6.3e-3, P99: 12e-3, P999: 19e-3, IOPS: 158},
			{Name: "drbd", Trial: "fio/syncwrite-4k@pve1/block//dev/drbd0", Latency: 7.24e-3, P99: 16e-3, P999: 23e-3, IOPS: 138, Lost: 20},
		},
		Steps: []analysis.LayerStep{
			{Layer: "tank", Part: analysis.PathStep, Cost: cost(.2e-3), Share: .0276, Pairs: 6},
			{Layer: "tank", Part: analysis.FlushStep, Cost: cost(6.1e-3), Share: .8425, Pairs: 6},
			{Layer: "drbd", Part: analysis.PathStep, Cost: cost(.9e-3), Share: .1243, Pairs: 6},
			{Layer: "drbd", Part: analysis.FlushStep, Cost: stats.Interval{Center: .04e-3, Low: -.02e-3, High: .1e-3, Level: .95}, Share: .0055, Pairs: 6},
		},
		Left:   []analysis.LayerLeft{{Name: "drive nvme0n1", Why: "it is only read, since a write would destroy what is on it"}},
		Assume: []string{"the replicas of drbd are on storage like tank"},
		Model: &analysis.Modelled{Latency: limits.Latency{Value: 6.43e-3, Terms: []limits.Term{
			{Name: "network to the remote replica", Value: .13e-3, Sum: "125 µs + 4 KiB / 1,177 MB/s"}, {Name: "remote replica", Value: 6.3e-3},
		}}, Residual: .112},
		Trip: &analysis.Trip{Layer: "drbd", Over: "eth1", RTT: .125e-3, Replica: cost(.94e-3), Peer: &analysis.PeerStorage{Name: "tank on pve2", Latency: 7.1e-3, Beyond: .8e-3}},
	}
	claim := analysis.Waterfall{
		Top: "claim", Load: analysis.LayerRead, Size: 4096, Mean: true,
		Layers: []analysis.LayerTotal{{Name: "local", Latency: 110e-6, IOPS: 9090}, {Name: "claim", Latency: 480e-6, IOPS: 2083, Lost: 7007}},
		Steps:  []analysis.LayerStep{{Layer: "local", Cost: stats.Interval{Center: 110e-6, Low: 110e-6, High: 110e-6}, Share: .23, Pairs: 3}, {Layer: "claim", Cost: stats.Interval{Center: 370e-6, Low: 370e-6, High: 370e-6}, Share: .77, Pairs: 3}},
		Model:  &analysis.Modelled{Latency: limits.Latency{Missing: []string{"round-trip time between the nodes"}}},
	}
	return report.Document{
		Schema: report.Schema, Run: report.Header{ID: "20261124-230000-abcdef", Suite: "layers", Hosts: []string{"pve1"}},
		Waterfalls: []analysis.Waterfall{drbd, claim},
		Waits: []report.Wait{
			{Storage: "drbd", Use: "etcd", Grade: "unfit", Trial: "fio/wal-etcd@pve1/block//dev/drbd0", Size: 2300, Median: 6.2e-3, P99: 16e-3, P999: 23e-3, Rate: 137, Measure: "log-flush-p99", Most: 10e-3, Source: fitness.Source{Name: "etcd FAQ", URL: "https://etcd.io/docs/v3.6/faq/"},
				Text: "etcd on drbd waits 16.0 ms for fdatasync at p99, 23.0 ms at p99.9, too slow: at most 10 ms wanted (etcd FAQ); expect leader elections and slow API calls."},
			{Storage: "drbd", Use: "databases", Grade: "good", Trial: "fio/wal-postgres@pve1/block//dev/drbd0", Size: 8192, Median: 6.2e-3, P99: 16e-3, P999: 23e-3, Rate: 137, Measure: "log-commits", Least: 100, Source: fitness.Source{Name: "SQL Server I/O guide"},
				Group: []analysis.GroupCommit{{Writers: 4, Rate: 401}, {Writers: 16, Rate: 1234}},
				Text:  "A database on drbd commits 137 times a second in one session (7.30 ms each, 23.0 ms at p99.9), 1,234 times in 16 sessions together, enough: at least 100 a second wanted (SQL Server I/O guide)."},
		},
	}
}
