package audit

import "assay"

var sdEMMCCeiling = Rule{
	ID: "sd-emmc-ceiling", Number: 3, Applies: "fio, dd", Severities: "E I",
	Title:   "At or above the SD or eMMC bus",
	Formula: "bandwidth > bus: E; above 85 % of it: I. SD: HS 25, SDR50 and DDR50 50, SDR104 104 MB/s; eMMC: DDR52 104, HS200 200, HS400 400 MB/s",
	Source:  "SD Physical Layer Specification and JEDEC eMMC bus speed modes: clock x width x edges / 8",
	Example: "44.3 MB/s against sd DDR50 = 50.0 MB/s: 0.887 x",
	Check: func(e Evidence) []assay.Finding {
		return overLink(e, "sd-emmc-ceiling", func(l look, _ []assay.BlockDevice, metric, arithmetic string, share float64) []assay.Finding {
			if share <= slotBound {
				return nil
			}
			return []assay.Finding{l.finding("sd-emmc-ceiling", assay.Informs, []string{metric}, arithmetic,
				"this measures the host's slot, not the card: a faster card would do no better",
				"judge the card by its random I/O figures, or in a host with a faster slot")}
		})
	},
}
