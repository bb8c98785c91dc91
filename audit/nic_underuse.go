package audit

import (
	"fmt"

	"assay"
	"assay/stats"
)

var nicUnderuse = Rule{
	ID: "nic-underuse", Number: 6, Applies: "iperf3, iperf2", Severities: "W",
	Title:   "Slower than the line",
	Formula: "payload < 95 % of the ceiling of rule nic-ceiling; not if the tool was told to send less, nor for UDP at an unknown rate",
	Source:  "the ceiling: rule nic-ceiling; 95 % is a choice: well-tuned hosts come within 2 %",
	Example: "4.12 Gb/s against 10.0 Gb/s x 1,448/1,538 = 9.41 Gb/s: 0.438 x",
	Check:   checkNICUnderuse,
}

func checkNICUnderuse(e Evidence) []assay.Finding {
	const id = "nic-underuse"
	var found []assay.Finding
	for _, f := range e.network() {
		if f.protocol == "udp" || f.held() {
			continue
		}
		l, missing := f.line()
		if missing != "" {
			found = append(found, f.uncheckedNIC(id, missing))
			continue
		}
		share := f.bits() / l.ceiling
		if !stats.Finite(share) || share >= lineUnderuse {
			continue
		}
		found = append(found, f.finding(id, assay.Warns, []string{f.metric},
			fmt.Sprintf("%s against %s: %s", bitRate(f.bits()), l.sum, times(share)),
			"the line is not the limit: check the CPU at both ends, the TCP window, packet loss and other traffic on the line",
			"check whether more streams carry more, and how busy the CPUs are meanwhile: "+f.command("-P 4")))
	}
	return found
}
