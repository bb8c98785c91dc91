package reporttest

import (
	"assay/analysis"
	"assay/report"
)

// Drives returns a document of overwritten drives, side by side.
func Drives() report.Document {
	spare, used, heat := .75, .02, 48.
	name := func(serial string) string { return "/dev/disk/by-id/ata-SAMSUNG_MZ7KM480_" + serial }
	twin := analysis.Drive{Host: "pve1", Name: name("S3BU"), Model: "SAMSUNG MZ7KM480", Firmware: "GXM1103Q", Link: "SATA 6.0 Gb/s",
		Spare: &spare, Used: &used, Heat: &heat, Values: []float64{17600, 520e6}, Score: 1.31}
	odd := twin
	odd.Name, odd.Firmware, odd.Link, odd.Values, odd.Score = name("S3BV"), "GXM1003Q", "SATA 3.0 Gb/s", []float64{9800, 270e6}, .69
	odd.Slow = &analysis.SlowTwin{Share: .54, Worst: 1, Twins: 1, Unlike: []analysis.Unlikeness{
		{What: "firmware", Its: odd.Firmware, Most: twin.Firmware}, {What: "link", Its: odd.Link, Most: twin.Link},
	}}
	return report.Document{Schema: report.Schema, Run: report.Header{Suite: "ssd"}, Drives: &analysis.Drives{
		Tests:  []analysis.DriveTest{{Case: "syncwrite-4k-seq", Metric: "storage.write.iops"}, {Case: "fill-1m", Metric: "storage.write.bandwidth"}},
		Drives: []analysis.Drive{twin, odd},
	}, Purges: []analysis.Purge{{Host: "pve1", Name: twin.Name, How: "discard", Several: true}, {Host: "pve1", Name: odd.Name, Several: true}}}
}
