package plan

import (
	"fmt"
	"slices"

	"assay"
)

// sayMoves notes which guests the run moves.
func (p *Plan) sayMoves() {
	for _, t := range p.Trials {
		if t.Absent != nil || t.Subject.Kind != assay.KindGuest {
			continue
		}
		note := assay.Note{ID: "moves", Text: fmt.Sprintf("the run moves VM %s from %s to %s and back while it runs; in the end it is on %s again (after a kill -9: assay cleanup)",
			t.Subject.Name, t.Subject.Host, t.Subject.Peer, t.Subject.Host)}
		if t.Subject.Params["disks"] != "" {
			note.Text += "; its disks are copied with it, each time"
		}
		if !slices.Contains(p.Notes, note) {
			p.Notes = append(p.Notes, note)
		}
	}
}
