package fio

import (
	"fmt"
	"strings"

	"assay"
)

// Notes gives what fio said about itself beside its figures, and what the
// preparation had to do differently. Pure.
func Notes(tr assay.Transcript) []assay.Note {
	var notes []assay.Note
	seen := map[assay.Note]bool{}
	add := func(id, text string) {
		n := assay.Note{ID: id, Text: text}
		if !seen[n] {
			seen[n] = true
			notes = append(notes, n)
		}
	}
	for _, step := range tr.Steps {
		switch step.Name {
		case stepPrepareBuffered:
			add("fio-prepared-buffered", "the file system refuses direct I/O: the file was written through the page cache")
		case stepMeasure, stepPrepare:
		default:
			continue
		}
		o := takeApart(step.Output.Stdout)
		for _, line := range append(o.lines, strings.Split(string(step.Output.Stderr), "\n")...) {
			if id := noteID(line); id != "" {
				add(id, strings.TrimSpace(line))
			}
		}
		if o.unread > 0 && o.broken == nil {
			add("fio-status-unreadable", fmt.Sprintf("%d of fio's status documents could not be read", o.unread))
		}
	}
	return notes
}

// noteID tells a note from the rest of what fio prints; "" for the rest.
func noteID(line string) string {
	low := strings.ToLower(strings.TrimSpace(line))
	switch {
	case strings.Contains(low, "queue depth will be capped at 1"),
		strings.Contains(low, "synchronous i/o engine are selected"):
		return "fio-depth-capped"
	case strings.Contains(low, "laying out io file"):
		return "fio-laid-out"
	case strings.HasPrefix(low, "note:"), strings.HasPrefix(low, "fio:"), strings.HasPrefix(low, "warning"),
		strings.HasPrefix(low, "verify:"):
		return "fio-said"
	}
	return ""
}
