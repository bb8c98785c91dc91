package audit

import (
	"fmt"

	"assay"
	"assay/limits"
)

var dramCeiling = Rule{
	ID: "dram-ceiling", Number: 12, Applies: "sysbench memory", Severities: "E",
	Title:   "Faster than the memory modules",
	Formula: "bandwidth > populated channels x 8 B x MT/s; figures marked as cache figures are exempt",
	Source:  "JEDEC DDR4 and DDR5: 64 data bits per channel and transfer; configured speed from the DIMM tables (dmidecode type 17)",
	Example: "117,612 MB/s against 2 channels x 8 B x 2,667 MT/s = 42,672 MB/s: 2.76 x",
	Check: func(e Evidence) []assay.Finding {
		const id = "dram-ceiling"
		var found []assay.Finding
		for _, l := range e.looks() {
			for _, metric := range []string{"memory.read.bandwidth", "memory.write.bandwidth"} {
				v, ok := l.median(metric)
				if !ok || l.label("", "scope") == "cache" {
					continue
				}
				ceiling := limits.Memory(l.facts.Memory)
				if !ceiling.Known() {
					found = append(found, l.unchecked(id, []string{metric}, ceiling.Missing,
						whyMissing(l.facts, noDIMMs(l.facts, ceiling.Hint), "dimm")))
					break
				}
				if v <= ceiling.Value {
					continue
				}
				found = append(found, l.finding(id, assay.Rejects, []string{metric},
					fmt.Sprintf("%s against %s: %s", rate(v), ceiling.Arithmetic(), times(v/ceiling.Value)),
					"faster than the memory modules: this is the CPU's cache",
					"let each thread walk a buffer too large for any cache: "+l.longer(againRuntime)))
			}
		}
		return found
	},
}

func noDIMMs(f *assay.Facts, hint string) string {
	if isVirtual(f) {
		return "a virtual machine does not see the memory modules; measure on the host"
	}
	return hint
}

// bufferMiB returns a size at which a single buffer is four last-level caches.
func bufferMiB(f *assay.Facts) int64 {
	need := int64(64)
	if llc := f.CPU.LastLevel(); llc > 0 && llc < 1<<40 {
		for need<<20 < cacheMultiple*llc {
			need *= 2
		}
	}
	return need
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
