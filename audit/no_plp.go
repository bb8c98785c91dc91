package audit

import (
	"fmt"
	"strings"

	"assay"
)

var noPLP = Rule{
	ID: "no-plp", Number: 30, Applies: "fio", Severities: "I",
	Title:   "Flushes on a drive without power-loss protection",
	Formula: "synchronous writes on flash with a volatile write cache, median latency > .5 ms",
	Source:  "a drive without capacitors must write out its cache before it can acknowledge a flush",
	Example: "p50 = 2.94 ms with a write back cache",
	Check: func(e Evidence) []assay.Finding {
		const id = "no-plp"
		var found []assay.Finding
		for _, l := range e.storage() {
			metric := assay.PercentileMetric("storage.write.", 50)
			p50, ok := l.median(metric)
			if !ok || p50 <= slowFlush || !flushesEachWrite(l.label("write", "sync")) || l.Trial.Lend["write_cache"] == "off" {
				continue
			}
			drives, missing, hint := l.drives()
			if missing != "" {
				found = append(found, l.unchecked(id, []string{metric}, orFact(missing, "write cache of the drive"), hint))
				continue
			}
			for _, d := range drives {
				plp := powerLossProtection(d)
				if d.Rotational != nil && *d.Rotational || plp != nil && *plp {
					continue
				}
				if l.virtual(d) || d.WriteCache == "" {
					found = append(found, l.unchecked(id, []string{metric}, "write cache of "+d.Name, l.shownBy("/sys/block/"+d.Name+"/queue/write_cache", "Get-PhysicalDisk | Get-StorageAdvancedProperty")+" for a physical drive"))
					break
				}
				if strings.Contains(d.WriteCache, "back") {
					found = append(found, l.finding(id, assay.Informs, []string{metric},
						fmt.Sprintf("p50 = %s with a %s cache on %s", seconds(p50), d.WriteCache, orDefault(d.Model, d.Name)),
						"this is a consumer SSD's flush: it writes out its cache each time",
						"for databases, etcd and replicated storage use a drive with power-loss protection"))
					break
				}
			}
		}
		return found
	},
}
