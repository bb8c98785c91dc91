package audit

import (
	"fmt"
	"strings"

	"assay"
)

var belowAny = Rule{
	ID: "below-any", Number: 113, Applies: "hdparm, pveperf, CrystalDiskMark, KDiskMark, AS SSD", Severities: "I",
	Title:   "Slower than any drive should be",
	Formula: "sequential reads < 8 MB/s in a tool that reads a single drive, or < 300 MB/s from a single NVMe drive",
	Source:  "ATA mode PIO 4 is 16.7 MB/s, USB 1.1 1.5 MB/s; disks of 2000 read 20 MB/s and more; the slowest class of SD cards that is sold promises 10 MB/s; one lane of PCIe 2 carries 500 MB/s; 8 and 300 are a choice",
	Example: "1.36 MB/s against 8.00 MB/s: .170 x",
	Check: func(e Evidence) []assay.Finding {
		const metric = "storage.read.bandwidth"
		var found []assay.Finding
		for _, l := range e.storage() {
			tool := strings.ToLower(l.label("read", "tool"))
			v, ok := l.median(metric)
			nvme := oneNVMe.MatchString(l.file()) || oneNVMe.MatchString(l.label("read", "device"))
			limit := crawling
			if nvme {
				limit = slowNVMe
			}
			if !l.foreign() || !ok || !(v < limit) || !readsOneDrive[tool] || isRandom(l.label("read", "pattern")) {
				continue
			}
			if size, known := parseSize(l.label("read", "bs")); known && size < smallBlock {
				continue
			}
			message, advice := "a healthy drive is faster than this: look for read retries, a disk running without DMA, a USB 1.1 port, or other I/O during the test",
				"look at the kernel's log and at the drive: dmesg | grep -iE 'ata|usb|reset|error'; smartctl -x DEVICE; lsusb -t"
			if nvme {
				message, advice = "even a single PCIe 2.0 lane is faster than this: look for a provider's limit (cloud volumes show up as NVMe), a link that trained at a lower speed, an overheating drive, CPU power saving, or other I/O during the test",
					"look at the link, the temperature and the clock: lspci -vv | grep LnkSta; smartctl -x DEVICE; cpupower frequency-info"
			}
			found = append(found, l.finding("below-any", assay.Informs, []string{metric},
				fmt.Sprintf("%s against %s: %s", rate(v), rate(limit), times(v/limit)), message, advice))
		}
		return found
	},
}

// readsOneDrive are the tools that people use to measure a drive of their own.
var readsOneDrive = map[string]bool{"hdparm": true, "pveperf": true, "crystaldiskmark": true, "kdiskmark": true, "as-ssd": true}
