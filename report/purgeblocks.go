package report

import (
	"path"

	"assay/analysis"
	"assay/internal/prose"
	"assay/report/block"
)

// purgeBlocks say how near overwritten drives were to new before the run wrote to them: SNIA's
// Performance Test Specification begins with a purge.
func purgeBlocks(all []analysis.Purge) block.Blocks {
	names := map[bool][]string{}
	for _, p := range all {
		name := path.Base(p.Name)
		if p.Several {
			name = driveName(analysis.Drive{Host: p.Host, Name: p.Name})
		}
		names[p.How != ""] = append(names[p.How != ""], name)
	}
	var out block.Blocks
	if done := names[true]; len(done) > 0 {
		out = append(out, block.Sentence{Is: block.Note, Word: "purge", Text: prose.Enumerate(done, len(done)) + ": discarded whole (blkdiscard) before the first write, as near as assay comes to the purge that SNIA's specification begins with; most drives then write like new ones."})
	}
	if none := names[false]; len(none) > 0 {
		out = append(out, block.Sentence{Is: block.Note, Word: "purge", Text: prose.Enumerate(none, len(none)) + ": none. What was on it before, if anything, still takes up its blocks, so it may write more slowly than a new one; reset=discard (reset: discard in cluster.yaml) discards it first."})
	}
	if out != nil {
		out = append(block.Blocks{block.Heading{Level: 1, Text: "Before the first write"}}, out...)
	}
	return out
}
