package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
)

// Space names the scratch space that a trial on one subject uses. Trials with the same name
// share it: those readied by one probe and lent in the same way, or in any way if the ways
// take turns.
func Space(t assay.Trial) string {
	words := []string{t.Subject.ID, t.Volume, cmp.Or(t.FilledBy, t.Probe)}
	if !t.Subject.Turns {
		words = append(words, t.Lend.Words()...)
	}
	return strings.Join(words, "\x00")
}

// inItsWay adds the way of lending, if the case has one, to its name and title, to
// tell it from the same case lent another way wherever trials are looked up,
// compared and shown: randwrite-4k+sync=always.
func inItsWay(c assay.Case) assay.Case {
	words := c.Lend.Words()
	if len(words) > 0 {
		c.Name += "+" + strings.Join(words, "+")
		c.Title += ", " + strings.Join(words, ", ")
	}
	return c
}

// saySettings notes which settings of its subjects the run changes for a time.
func (p *Plan) saySettings() {
	for _, t := range p.Trials {
		if t.Absent != nil || !t.Subject.Turns || len(t.Lend) == 0 {
			continue
		}
		note := assay.Note{ID: "settings", Text: fmt.Sprintf("the run sets %s on %s of %s for some of its tests, if it can be set there, and restores it afterwards",
			strings.Join(t.Lend.Words(), " and "), t.Subject.Name, t.Subject.Host)}
		if !slices.Contains(p.Notes, note) {
			p.Notes = append(p.Notes, note)
		}
	}
}
