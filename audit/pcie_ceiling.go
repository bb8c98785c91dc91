package audit

import (
	"slices"

	"assay"
)

var pcieCeiling = Rule{
	ID: "pcie-ceiling", Number: 1, Applies: "fio, dd", Severities: "E W",
	Title:   "Faster than the PCIe link",
	Formula: "bandwidth > GT/s x lanes x encoding / 8: E; above 93 % of it (96 % from 16 GT/s on): W, not where the kernel counted the bytes at the drive. Encoding 8/10 up to 5 GT/s, 128/130 from 8 GT/s, 242/256 at 64; the slowest hop to the root complex counts; several drives add up",
	Source:  "PCI Express Base Specification: 8b/10b encoding for 2.5 and 5 GT/s, 128b/130b for 8 to 32 GT/s, flits at 64; Linux current_link_speed and current_link_width",
	Example: "8,031 MB/s against 8 GT/s x 4 x 128/130 / 8 = 3,938 MB/s: 2.04 x",
	Check: func(e Evidence) []assay.Finding {
		return overLink(e, "pcie-ceiling", func(l look, drives []assay.BlockDevice, metric, arithmetic string, share float64) []assay.Finding {
			limit := busSuspect
			if slices.ContainsFunc(drives, func(d assay.BlockDevice) bool { return d.Link.GTs >= fastLinkGTs }) {
				limit = busSuspectFast
			}
			if share <= limit || l.reached(directionOf(metric)) {
				return nil
			}
			return []assay.Finding{l.finding("pcie-ceiling", assay.Warns, []string{metric}, arithmetic,
				"this close to the link rate there is little room for packet headers: part of it may come from a cache",
				"compare with what the kernel counted at the drive during the run (rule device-reconcile), or measure with a file too large for any cache: "+
					l.again(directionOf(metric), map[string]string{"size": twiceRAM(l.facts)}))}
		})
	},
}
