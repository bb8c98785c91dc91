package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"assay"
	"assay/stats"
)

var bimodal = Rule{
	ID: "bimodal", Number: 26, Applies: "fio", Severities: "W I",
	Title:   "Two kinds of operation behind one mean",
	Formula: "neighbouring deciles between p20 and p80 differ by > 1.5 x beyond print rounding, and by at least twice as much (on a logarithmic scale) as the other neighbours typically do, since one wide hump has no gap; in at least half of the repeats; and either on a linear scale too, or with a mean that is 1.25 x from the median, or by 4 x: an even spread, as of a disk's seeks, has equal steps and none of these. Of the flushes in imported output: I",
	Source:  "a choice: a lognormal distribution with sigma 1 reaches at most 1.37 there",
	Example: "p30 = 359 µs, p40 = 660 µs: 1.84 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "bimodal"
		var found []assay.Finding
		for _, l := range e.storage() {
			dirs := l.directions()
			if _, flushed := l.median("storage.sync.latency.p50"); flushed && l.foreign() {
				dirs = append(slices.Clone(dirs), "sync")
			}
			for _, dir := range dirs {
				mean := "storage." + dir + ".latency.mean"
				if _, ok := l.median(mean); !ok || l.foreign() && l.label(dir, "tool") != "fio" {
					continue // no mean to mislead, or a tool that prints nothing else
				}
				if n, ok := l.operations(dir); ok && n < humpOperations {
					continue // too few: deciles are chance
				}
				seen, wide, worst, sum := 0, 0, 0.0, ""
				for _, r := range l.reps {
					deciles := middleDeciles(r, dir)
					if deciles == nil || dir == "sync" && deciles[0].latency < shortestFlush {
						continue
					}
					seen++
					gap, text := widestGap(deciles)
					if gap > humpGap && standsOut(deciles, meanIsElsewhere(r, dir, deciles)) {
						wide++
					}
					if gap > worst {
						worst, sum = gap, text
					}
				}
				switch {
				case seen == 0 && dir == "sync":
				case seen == 0:
					found = append(found, l.unchecked(id, []string{mean}, "deciles of the latency", "fio --output-format=json+ prints the distribution"))
				case mostly(wide, seen) && dir == "sync":
					found = append(found, l.finding(id, assay.Informs, []string{mean}, sum+", "+inRepeats(wide, seen),
						"there are two kinds of flush, and the mean describes neither: a journal that commits with some of them only, or two devices",
						"quote p50 and p99, and look at which of them the drive answers: "+l.again("write", nil)+" --status-interval=1"))
				case mostly(wide, seen):
					found = append(found, l.finding(id, assay.Warns, []string{mean}, sum+", "+inRepeats(wide, seen),
						"there are two kinds of operation, and the mean describes neither",
						"look at the distribution and at the timeline: is it a cache, a second tier, or a change halfway through? "+
							l.again(dir, nil)+" --output-format=json+ --status-interval=1"))
				}
			}
		}
		return found
	},
}

// middleDeciles returns p20 to p80 of one repeat, from the tool's printed
// percentiles or its histogram; nil if neither has them.
func middleDeciles(r assay.Repeat, dir string) []point {
	var printed []point
	for _, p := range percentiles(r, dir) {
		if p.percent >= 20 && p.percent <= 80 && math.Mod(p.percent, 10) == 0 && p.latency > 0 {
			printed = append(printed, p)
		}
	}
	printed = slices.CompactFunc(printed, func(a, b point) bool { return a.percent == b.percent })
	if len(printed) == 7 {
		return printed
	}
	m := r.Measurement("storage." + dir + ".latency.mean")
	if m == nil {
		return nil
	}
	return histogramDeciles(m.Histogram)
}

func histogramDeciles(bins []assay.Bin) []point {
	sorted := slices.Clone(bins)
	slices.SortStableFunc(sorted, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	total := 0.0
	for _, b := range sorted {
		total += max(float64(b.Count), 0)
	}
	if total < 100 { // ten operations per decile
		return nil
	}
	var found []point
	sum, next := 0.0, 20.0
	for _, b := range sorted {
		sum += max(float64(b.Count), 0)
		for next <= 80 && sum >= total*next/100 {
			if !(b.Upper > 0) || math.IsInf(b.Upper, 0) {
				return nil
			}
			found = append(found, point{percent: next, latency: b.Upper})
			next += 10
		}
	}
	if len(found) != 7 {
		return nil
	}
	return found
}

// widestGap returns the greatest ratio of neighbours, less the rounding of the
// print: between 1 ms and 2 ms, both rounded, there may be no gap.
func widestGap(deciles []point) (ratio float64, text string) {
	half := printedUnit(deciles) / 2
	for i := 1; i < len(deciles); i++ {
		a, b := deciles[i-1], deciles[i]
		if r := (b.latency - half) / (a.latency + half); r > ratio {
			ratio = r
			text = fmt.Sprintf("%s = %s, %s = %s: %s", a.name(), seconds(a.latency), b.name(), seconds(b.latency), times(b.latency/a.latency))
		}
	}
	return ratio, text
}

// meanIsElsewhere reports whether the mean is far from the median: then two kinds
// of operation pull them apart.
func meanIsElsewhere(r assay.Repeat, dir string, deciles []point) bool {
	mean, ok := value(r, "storage."+dir+".latency.mean")
	median := deciles[len(deciles)/2].latency
	return ok && median > 0 && (mean > meanApart*median || median > meanApart*mean)
}

// standsOut reports whether the widest gap differs from those beside it. If all are wide, as
// with a disk that sorts a long queue, it is one hump without a gap. An even spread has its
// widest ratio at the lowest decile, at most 1.5, and equal steps; pulled is whether the mean
// is far from the median.
func standsOut(deciles []point, pulled bool) bool {
	widest, ratios, steps := 0, []float64{}, []float64{}
	for i := 1; i < len(deciles); i++ {
		ratios = append(ratios, math.Log(deciles[i].latency/deciles[i-1].latency))
		steps = append(steps, deciles[i].latency-deciles[i-1].latency)
		if ratios[i-1] > ratios[widest] {
			widest = i - 1
		}
	}
	apart := func(all []float64) bool {
		others := slices.Delete(slices.Clone(all), widest, widest+1)
		return all[widest] >= humpApart*stats.Median(others)
	}
	return apart(ratios) && (pulled || apart(steps) || ratios[widest] >= math.Log(humpFar))
}

// printedUnit returns the unit of which all values are multiples: 1 ms, 1 µs,
// or none that matters.
func printedUnit(points []point) float64 {
	for _, unit := range []float64{1e-3, 1e-6} {
		whole := true
		for _, p := range points {
			n := p.latency / unit
			whole = whole && math.Abs(n-math.Round(n)) < 1e-6*max(n, 1)
		}
		if whole {
			return unit
		}
	}
	return 0
}
