package diskspd

import (
	"fmt"
	"strings"

	"assay"
)

// Notes returns DiskSpd's warnings.
func (*Probe) Notes(tr assay.Transcript) []assay.Note {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil
	}
	var notes []assay.Note
	for line := range strings.Lines(string(step.Output.Stderr)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "WARNING") && len(notes) < 10 {
			notes = append(notes, assay.Note{ID: "diskspd-said", Text: fmt.Sprintf("%.160s", strings.ToValidUTF8(line, "?"))})
		}
	}
	return notes
}
