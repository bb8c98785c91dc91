package s3

import (
	"fmt"
	"strings"

	"assay"
	"assay/stacks/s3/loadgen"
)

// preparing is the prefix of the names of Prepare's steps in a repeat's
// transcript.
const preparing = "prepare: "

// Notes reports which kinds of operation failed and how, that a load ended
// early, and that there was time for fewer objects than requested.
func (probe) Notes(tr assay.Transcript) []assay.Note {
	var notes []assay.Note
	for i := range tr.Steps {
		step := &tr.Steps[i]
		reply, err := replyOf(step)
		if strings.TrimPrefix(step.Name, preparing) != stepMeasure || err != nil && reply.Result == nil {
			continue
		}
		if r := reply.Result; r != nil {
			notes = append(notes, ofFailures(*r)...)
			if r.Stopped != "" && !step.Output.Asked {
				notes = append(notes, assay.Note{ID: "s3-stopped", Text: "the load ended early: " + r.Stopped})
			}
			if list, ok := r.Figure(loadgen.List); ok && list.Keys < list.Ops*int64(pageOf(r.Load)) {
				notes = append(notes, assay.Note{ID: "s3-short-pages", Text: fmt.Sprintf("there were too few objects for every LIST to return %d keys: object.list.keys is the number it returned", pageOf(r.Load))})
			}
			if r.Unsent > 0 {
				notes = append(notes, assay.Note{ID: "s3-unsent", Text: "the rate was not sustained: some operations that were due had not started by the end; latencies are lower bounds"})
			}
			if asked, err := readSettings("", tr.Settings); err == nil && asked.objects > int64(r.Load.Objects) && r.Load.Objects > 0 {
				notes = append(notes, assay.Note{ID: "s3-fewer-objects", Text: "there was only time to write part of the objects"})
			}
		}
	}
	return notes
}

// ofFailures returns a note for each way in which operations failed.
func ofFailures(r loadgen.Result) []assay.Note {
	var notes []assay.Note
	for _, f := range r.Ops {
		if !known(f.Op) {
			continue
		}
		for _, e := range f.Errors {
			text := fmt.Sprintf("%s failed: %s; they are not included in the latencies", f.Op, e.Class.Says())
			if hint := e.Class.Hint(); hint != "" {
				text += " (" + hint + ")"
			}
			notes = append(notes, assay.Note{ID: "s3-failed-" + strings.ToLower(string(f.Op)) + "-" + string(e.Class), Text: text})
		}
	}
	return notes
}

// pageOf returns how many keys a LIST of the load requests.
func pageOf(l loadgen.Load) int {
	if l.PageSize == 0 {
		return 1000
	}
	return l.PageSize
}
