package audit

import (
	"fmt"
	"math"

	"assay"
	"assay/stats"
)

var bwIOPSBs = Rule{
	ID: "bw-iops-bs", Number: 22, Applies: "fio, rados", Severities: "E",
	Title:   "Bandwidth is not IOPS times block size",
	Formula: "|bandwidth / (IOPS x block) - 1| > .5 % + the rounding of the printed IOPS; a ratio within .002 of a power of 1.024 is a mix-up of decimal and binary units",
	Source:  "arithmetic: both are counts of the same operations",
	Example: "22.7 MB/s against 22.7 IOPS x 1.00 MiB = 23.8 MB/s: 0.955 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "bw-iops-bs"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				iops, bandwidth := "storage."+dir+".iops", "storage."+dir+".bandwidth"
				if !l.positive(iops) || !l.positive(bandwidth) {
					continue // one of them alone cannot disagree
				}
				metrics := []string{iops, bandwidth}
				bs, ok := parseSize(l.label(dir, "bs"))
				if !ok {
					found = append(found, l.unchecked(id, metrics, "block size", "the tool's command line has it"))
					continue
				}
				if f := l.againstBlock(metrics, float64(bs)); f != nil {
					found = append(found, *f)
				}
			}
		}
		return found
	},
}

func (l look) againstBlock(metrics []string, bs float64) *assay.Finding {
	var ratios []float64
	worst, sum := -1.0, ""
	slack := bwSlack
	for _, r := range l.reps {
		iops, okIOPS := value(r, metrics[0])
		bandwidth, okBandwidth := value(r, metrics[1])
		if !okIOPS || !okBandwidth || iops <= 0 || bandwidth <= 0 {
			continue
		}
		ratio := bandwidth / (iops * bs)
		ratios = append(ratios, ratio)
		slack = max(slack, bwSlack+printRounding(iops))
		if gap := math.Abs(ratio - 1); gap > worst {
			worst, sum = gap, fmt.Sprintf("%s against %s IOPS x %s = %s: %s", rate(bandwidth), figure(iops), memory(bs), rate(iops*bs), times(ratio))
		}
	}
	ratio := stats.Median(ratios)
	if !(math.Abs(ratio-1) > slack) {
		return nil
	}
	message, advice := "the two figures do not count the same operations", "look at the tool's raw output: one of them was worked out by hand or is of another block size"
	if mixed := unitsMixedUp(ratio); mixed != "" {
		message, advice = "a mix-up of units: "+mixed, "give bytes a second: MB is 1,000,000 B, MiB is 1,048,576 B"
	}
	f := l.finding("bw-iops-bs", assay.Rejects, metrics, sum, message, advice)
	return &f
}

// printRounding is half of the last digit that was printed, as a share: IOPS
// that are whole numbers are taken to be rounded to one, those with one decimal
// to a tenth. More decimals round to nothing that matters.
func printRounding(iops float64) float64 {
	for _, unit := range []float64{1, .1} {
		if n := iops / unit; math.Abs(n-math.Round(n)) < 1e-9*max(n, 1) {
			return .5 * unit / iops
		}
	}
	return 0
}

// unitsMixedUp names the prefixes that make a ratio of a power of 1.024.
func unitsMixedUp(ratio float64) string {
	for i, pair := range []string{"kB and KiB", "MB and MiB", "GB and GiB"} {
		power := math.Pow(1.024, float64(i+1))
		if math.Abs(ratio-power) <= unitMixUp || math.Abs(ratio-1/power) <= unitMixUp {
			return pair
		}
	}
	return ""
}
