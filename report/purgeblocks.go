package report

import (
	"path"

	"assay/analysis"
	"assay/internal/prose"
	"assay/report/block"
)

// purgeWords says what each way of purging a drive means for the figures.
var purgeWords = []struct{ how, text string }{
	{"nvme-format", ": all user data erased by the drive (nvme format) before the first write, which is the purge that SNIA's specification begins with."},
	{"discard", ": discarded whole (blkdiscard) before the first write, near the purge that SNIA's specification begins with; most drives then write like new ones."},
	{"", ": none. What was on it before, if anything, still takes up its blocks, so it may write more slowly than a new one; reset=discard (reset: discard in cluster.yaml) discards it first, reset=nvme-format has an NVMe drive erase it."},
}

// purgeBlocks says how close to new overwritten drives were before the run wrote to them:
// SNIA's Performance Test Specification begins with a purge.
func purgeBlocks(all []analysis.Purge) block.Blocks {
	names := map[string][]string{}
	for _, p := range all {
		name := path.Base(p.Name)
		if p.Several {
			name = driveName(analysis.Drive{Host: p.Host, Name: p.Name})
		}
		names[p.How] = append(names[p.How], name)
	}
	var out block.Blocks
	for _, w := range purgeWords {
		if drives := names[w.how]; len(drives) > 0 {
			out = append(out, block.Sentence{Is: block.Note, Word: "purge", Text: prose.Enumerate(drives, len(drives)) + w.text})
		}
	}
	if out != nil {
		out = append(block.Blocks{block.Heading{Level: 1, Text: "Before the first write"}}, out...)
	}
	return out
}
