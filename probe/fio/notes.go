package fio

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

// preparing is the prefix of Prepare's steps in a repeat's transcript.
const preparing = "prepare: "

// mostSaid is how much of a line from fio is kept, in bytes.
const mostSaid = 160

// Notes returns the remarks that fio printed beside its figures, and deviations
// from what was requested. A command repeated without direct I/O yields one note
// instead of its own words.
func (*Probe) Notes(tr assay.Transcript) []assay.Note {
	var notes []assay.Note
	seen := map[assay.Note]bool{}
	add := func(id, text string) {
		n := assay.Note{ID: id, Text: text}
		if !seen[n] {
			seen[n] = true
			notes = append(notes, n)
		}
	}
	buffered := tr.Step(stepPrepareBuffered) != nil || tr.Step(preparing+stepPrepareBuffered) != nil
	for _, step := range tr.Steps {
		switch strings.TrimPrefix(step.Name, preparing) {
		case stepMeasureDirect:
			add("fio-measured-buffered", "the file system does not support direct I/O: measured through the page cache")
			continue
		case stepPrepareBuffered:
			add("fio-prepared-buffered", "the file system does not support direct I/O: the file was written through the page cache")
		case stepPrepare:
			if buffered {
				continue
			}
		case stepMeasure:
			if slices.Contains(step.Argv, readonly) {
				add("fio-read-only", "the device was read as it is: reads of blocks that were never written, or were trimmed, are unrealistically fast")
			}
		default:
			continue
		}
		o := takeApart(step.Output.Stdout)
		for _, l := range o.lines {
			if id, text := noteOf(l.text); id != "" {
				add(id, text)
			}
		}
		for line := range strings.SplitSeq(string(step.Output.Stderr), "\n") {
			if id, text := noteOf(line); id != "" {
				add(id, text)
			}
		}
		if o.unread > 0 && o.broken == nil {
			add("fio-status-unreadable", fmt.Sprintf("%d of fio's status documents could not be parsed", o.unread))
		}
	}
	return notes
}

// noteOf picks the notes out of fio's output: it returns "" for any other line,
// including those that begin with a process number.
func noteOf(line string) (id, text string) {
	line = strings.TrimSpace(line)
	low := strings.ToLower(line)
	switch {
	case strings.Contains(low, "queue depth will be capped at 1"),
		strings.Contains(low, "synchronous i/o engine are selected"):
		return "fio-depth-capped", "fio reports that its engine is synchronous: the queue depth was 1"
	case strings.Contains(low, "laying out io file"):
		return "fio-laid-out", "fio laid out a file before it started"
	case strings.HasPrefix(low, "fio: pid="), strings.HasPrefix(line, stopping): // steady repeats are stopped; the audit judges others
		return "", ""
	case strings.HasPrefix(low, "note:"), strings.HasPrefix(low, "fio:"), strings.HasPrefix(low, "warning"),
		strings.HasPrefix(low, "verify:"):
		return "fio-said", strings.ToValidUTF8(line[:min(len(line), mostSaid)], "")
	}
	return "", ""
}
