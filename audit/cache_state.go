package audit

import (
	"fmt"
	"strings"

	"assay"
)

var cacheState = Rule{
	ID: "cache-state", Number: 18, Applies: "fio, dd", Severities: "W",
	Title:   "A read of unknown temperature",
	Formula: "a buffered read of which nothing says whether the cache was dropped before it; or a warm read of a file larger than the available memory",
	Source:  "Linux Documentation/admin-guide/sysctl/vm.rst, drop_caches",
	Example: "a warm read of 1.00 GiB with 402 MiB available",
	Check: func(e Evidence) []assay.Finding {
		const id = "cache-state"
		var found []assay.Finding
		for _, l := range e.storage() {
			if direct, _ := isOn(l.label("read", "direct")); direct || !l.positive("storage.read.bandwidth") {
				continue
			}
			metrics := l.figuresOf("read")
			cache := l.label("read", "cache")
			switch {
			case cache == "warm":
				file, available := l.fileBytes("read"), l.facts.Memory.Available
				if file <= 0 || available <= 0 {
					found = append(found, l.unchecked(id, metrics, "size of the file and available memory", "the command line and /proc/meminfo give them"))
				} else if file > available {
					found = append(found, l.finding(id, assay.Warns, metrics,
						fmt.Sprintf("a warm read of %s with %s available", memory(float64(file)), memory(float64(available))),
						"memory cannot hold the file: reading it again says nothing about caching",
						"use a file of less than half of the available memory"))
				}
			case strings.HasPrefix(cache, "cold"):
			case l.reached("read"):
			case l.label("read", "direct") == "" && cache == "":
				found = append(found, l.unchecked(id, metrics, "state of the cache before the read", "the tool's command line, and what was run before it, say it"))
			default:
				found = append(found, l.finding(id, assay.Warns, metrics,
					"cache: "+orDefault(cache, "nothing was dropped")+"; buffered",
					"part of this may have been in memory already, and nothing says how much",
					"drop the caches as root right before the read: sync; echo 3 > /proc/sys/vm/drop_caches"))
			}
		}
		return found
	},
}
