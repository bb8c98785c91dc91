package audit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
)

var radosConsistency = Rule{
	ID: "rados-consistency", Number: 43, Applies: "rados", Severities: "E",
	Title:   "Figures that cannot come from one run",
	Formula: "|operations x size / time / bandwidth - 1| > 1 % + print rounding; |minimum or maximum bandwidth / size - that of the IOPS| > one operation per client + print rounding; a sequential read of more objects than were written",
	Source:  "Ceph src/common/obj_bencher.cc: the extremes of both come from the same seconds, the IOPS truncated to whole numbers; seq ends at the last object of the write before it",
	Example: "least bandwidth 4,912 MiB/s / 4.00 MiB = 1,228 operations/s against 614 printed: 0.500 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, p := range e.pools() {
			if p.label("", "tool") != "rados" {
				continue
			}
			for _, check := range []func(pooled) *assay.Finding{countAgainstRate, extremesDisagree} {
				for _, one := range p.repeats() {
					if f := check(one); f != nil {
						found = append(found, *f)
						break
					}
				}
			}
		}
		return append(found, readMoreThanWritten(e)...)
	},
}

// roundedMiB returns half of the last digit of a bandwidth printed in MiB/s, in
// B/s. The zeros show how many digits were printed, at least three.
func roundedMiB(bandwidth float64) float64 {
	v := bandwidth / (1 << 20)
	for unit := 1000.0; unit > 1e-7; unit /= 10 {
		if unit*100 <= v && isMultiple(v, unit) {
			return .5 * unit * (1 << 20)
		}
	}
	return 0
}

func countAgainstRate(p pooled) *assay.Finding {
	metric := p.stem + "bandwidth"
	bandwidth, _ := p.median(metric)
	count, okCount := p.median(p.stem + "ios")
	time, okTime := p.median("tool.duration")
	size, okSize := p.operationSize()
	if !okCount || !okTime || !okSize || !(count > 0) || !(time > 0) || p.label("", "cut") != "" {
		return nil
	}
	made := count * float64(size) / time
	ratio := bandwidth / made
	if !(math.Abs(ratio-1) > radosSlack+roundedMiB(bandwidth)/made) || math.IsInf(made, 0) {
		return nil
	}
	message := "the bandwidth does not match the operations: one of them comes from another run, or was calculated by hand"
	if mixed := unitsMixedUp(ratio, 0); mixed != "" {
		message = "a mix-up of units: " + mixed + ". rados bench prints MB and means MiB"
	}
	f := p.finding("rados-consistency", assay.Rejects, []string{metric},
		fmt.Sprintf("%s against %s operations x %s / %s = %s: %s", rate(bandwidth), figure(count), memory(float64(size)), seconds(time), rate(made), times(ratio)),
		message, "keep the output as printed: "+p.radosAgain(againRuntime))
	return &f
}

// extremesDisagree compares the lowest and the highest per-second bandwidth
// with those of the operations, and reports the worse mismatch.
func extremesDisagree(p pooled) *assay.Finding {
	size, ok := p.operationSize()
	if !ok {
		return nil
	}
	worst, sum := 0.0, ""
	var metrics []string
	for _, c := range []struct{ extreme, word string }{{"min", "least"}, {"max", "greatest"}} {
		names := []string{p.stem + "iops." + c.extreme, p.stem + "bandwidth." + c.extreme}
		n, okN := p.median(names[0])
		b, okB := p.median(names[1])
		if !okN || !okB || n < 0 || b < 0 {
			continue
		}
		made := b / float64(size)
		off := math.Abs(made-n) - float64(p.generators()) - roundedMiB(b)/float64(size)
		if off <= radosSlack*made || off/max(n, 1) <= worst {
			continue
		}
		worst, metrics = off/max(n, 1), names
		ratio := "0 x"
		if made > 0 {
			ratio = times(n / made)
		}
		sum = fmt.Sprintf("%s bandwidth %s MiB/s / %s = %s operations/s against %s printed: %s",
			c.word, figure(b/(1<<20)), memory(float64(size)), figure(made), figure(n), ratio)
	}
	if sum == "" {
		return nil
	}
	f := p.finding("rados-consistency", assay.Rejects, metrics, sum,
		"both are extremes of the same seconds: one of them comes from another client, or was calculated by hand",
		"look at each client second by second, "+p.onEveryNode("--show-time"))
	return &f
}

// readMoreThanWritten checks sequential reads, which end at the last object of
// the preceding write. That write is known only within a comparison, or if its
// command kept the objects.
func readMoreThanWritten(e Evidence) []assay.Finding {
	type set struct{ host, pool, comparison, clients string }
	key := func(p pooled) set {
		return set{p.Trial.Subject.Host, p.label("", "pool"), p.Trial.Comparison, p.label("", "clients")}
	}
	written := map[set]float64{}
	for _, p := range e.pools() {
		bytes, ok := p.movedBytes()
		kept := slices.Contains(p.argv(), "--no-cleanup")
		if p.op == "write" && ok && p.label("", "tool") == "rados" && p.label("", "cut") == "" && (kept && p.label("", "pool") != "" || p.Trial.Comparison != "") {
			written[key(p)] = max(written[key(p)], bytes)
		}
	}
	var found []assay.Finding
	for _, p := range e.pools() {
		bytes, ok := p.movedBytes()
		most := written[key(p)]
		named := strings.Contains(strings.Join(p.argv(), " "), "--run-name")
		if p.op != "read" || p.label("", "op") != "seq" || !ok || most == 0 || bytes <= most*(1+radosSlack) || named {
			continue
		}
		found = append(found, p.finding("rados-consistency", assay.Rejects, []string{p.stem + "ios"},
			fmt.Sprintf("%s read against %s written: %s", volume(bytes), volume(most), times(bytes/most)),
			"rados bench seq ends at the last object: it cannot have read more than was written",
			"write and read again, one after the other: "+p.radosAgain(againRuntime)))
	}
	return found
}

// movedBytes returns operations times their size.
func (p pooled) movedBytes() (float64, bool) {
	n, ok := p.median(p.stem + "ios")
	size, okSize := p.operationSize()
	bytes := n * float64(size)
	return bytes, ok && okSize && n > 0 && !math.IsInf(bytes, 0)
}
