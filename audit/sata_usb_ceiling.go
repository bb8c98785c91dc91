package audit

import "assay"

var sataUSBCeiling = Rule{
	ID: "sata-usb-ceiling", Number: 2, Applies: "fio, dd", Severities: "E",
	Title:   "Faster than the SATA, SAS or USB link",
	Formula: "bandwidth > what the link carries: SATA 6 Gb/s 600 MB/s, 3 Gb/s 300; USB 2 53.2; USB 5 Gb/s 500; USB 10 Gb/s 1,212",
	Source:  "Serial ATA: 8b/10b at 3 and 6 Gb/s; USB 2.0: 13 bulk packets of 512 B per microframe of 125 µs; USB 3: 8b/10b at 5 Gb/s, 128b/132b at 10 Gb/s",
	Example: "5,187 MB/s against usb 480 Mb/s = 53.2 MB/s: 97.5 x",
	Check: func(e Evidence) []assay.Finding {
		return overLink(e, "sata-usb-ceiling", func(look, []assay.BlockDevice, string, string, float64) []assay.Finding { return nil })
	},
}
