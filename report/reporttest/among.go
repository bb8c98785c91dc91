package reporttest

import (
	"assay"
	"assay/report"
)

// among places two figures: one among measurements, one among ratings.
func among() []report.Among {
	return []report.Among{
		{
			Trial: "fio/fsync-4k@" + dir, Title: "4 KiB write, fsync after each", Metric: "storage.write.iops",
			Low: 412, High: 412, Unit: assay.PerSecond, N: 1,
			Text:  "412 IOPS ± 8.3 % (n=6), like a consumer SSD without PLP (195–1.86k IOPS, 17 published), far from a Micron 9300 (51k IOPS)",
			Apart: "on the bare device; some one address after the other, with the write cache off",
			Nearest: []report.Published{{Name: "a consumer SSD without PLP", Low: 195.3, High: 1855, N: 17, Sources: []string{
				"Ceph Benchmark: Hyper-converged infrastructure with Proxmox VE virtualization platform and integrated Ceph Storage",
				"Choosing the right SSD for Ceph"}}},
		},
		{
			Trial: "fio/randread-4k@" + dir, Title: "4 KiB random read", Metric: "storage.read.iops",
			Low: 243e3, High: 243e3, Unit: assay.PerSecond, N: 1,
			Text: "243k IOPS ± 1.2 % (n=6), like an NVMe SSD on PCIe Gen3 x4 (rated 200k–620k IOPS, 17 published)",
			Nearest: []report.Published{{Name: "an NVMe SSD on PCIe Gen3 x4", Low: 200e3, High: 620e3, N: 17, Rated: true, Sources: []string{
				`ssdwiki.com, "Western Digital PC SN730"`}}},
		},
	}
}
