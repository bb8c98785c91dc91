package audit

import (
	"fmt"

	"assay"
)

var arcReads = Rule{
	ID: "arc-reads", Number: 57, Applies: "reads on ZFS that assay ran", Severities: "E W",
	Title:   "Reads that the ARC served",
	Formula: "1 - blocks of data that came from drives / blocks of data that were read, both as arcstats counted them for the whole host, median over the repeats: over 50 % E, over 5 % W. Blocks that were read ahead of the tool count as from drives. Reads that are marked as warm are exempt",
	Source:  "OpenZFS module/zfs/arc.c: demand_data_hits, demand_data_iohits, demand_data_misses, prefetch_data_misses; the limits are a choice",
	Example: "52,000 blocks read, 1,300 from drives: 97.5 % from memory (median)",
	Check: func(e Evidence) []assay.Finding {
		const id = "arc-reads"
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.foreign() || l.lentDataset() == nil || !l.positive("storage.read.iops") && !l.positive("storage.read.bandwidth") || l.warm("read") {
				continue
			}
			metrics := l.figuresOf("read")
			c, counted := l.fromARC()
			if !counted {
				found = append(found, l.unchecked(id, metrics, "reads that the ARC served", "/proc/spl/kstat/zfs/arcstats counts them; it must be readable during the run"))
				continue
			}
			if c.share <= fewFromARC {
				continue
			}
			severity, message := assay.Warns, "part of these reads came from the ARC, which is memory, and not from the drives"
			if c.share > .5 {
				severity, message = assay.Rejects, "this measures memory: most of these reads came from the ARC and not from the drives"
			}
			found = append(found, l.finding(id, severity, metrics,
				fmt.Sprintf("%s blocks read, %s from drives: %s from memory (median)", grouped(c.reads, 0), grouped(c.drive, 0), percent(c.share)),
				message, "let the tier or the case set primarycache: metadata, or use a file of more than twice the ARC: --size "+twiceRAM(l.facts)))
		}
		return found
	},
}

// cached is what the ARC counted in the repeat with the median share.
type cached struct{ reads, drive, share float64 }

// fromARC returns how many of the reads came from memory; counted is false if most
// repeats have no counts.
func (l look) fromARC() (c cached, counted bool) {
	if l.lentDataset() == nil {
		return cached{}, false
	}
	var reads, drive, shares []float64
	watched := l.watched()
	for _, r := range watched {
		a, b := r.Watch.Before.ARC, r.Watch.After.ARC
		if a == nil || b == nil || b.Reads <= a.Reads || b.Drive < a.Drive {
			continue
		}
		all, missed := float64(b.Reads-a.Reads), float64(b.Drive-a.Drive)
		reads, drive, shares = append(reads, all), append(drive, missed), append(shares, max(0, 1-missed/all))
	}
	if !mostly(len(shares), len(watched)) {
		return cached{}, false
	}
	i := middle(shares, true)
	return cached{reads[i], drive[i], shares[i]}, true
}
