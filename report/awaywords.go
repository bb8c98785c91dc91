package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
)

// otherNotes leaves out the notes of which the list of hosts that were away says
// the same.
func otherNotes(notes []assay.Note, away []Away) []assay.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n assay.Note) bool {
		return n.ID == assay.NoteHostGone && slices.ContainsFunc(away, func(a Away) bool {
			return strings.HasPrefix(n.Text, assay.WentAway(a.Host, ""))
		})
	})
}

// awaySentences sums up who was away, one sentence for each way of it.
func awaySentences(d Document) []Sentence {
	var out []Sentence
	for _, during := range []bool{false, true} {
		var of []analysis.Away
		for _, a := range d.Away {
			if a.During() == during {
				of = append(of, a)
			}
		}
		if len(of) > 0 {
			out = append(out, Sentence{"doubt", awaySentence(of)})
		}
	}
	return out
}

// awaySentence speaks of hosts that were away in the same way.
func awaySentence(of []Away) string {
	first := of[0]
	if len(of) == 1 {
		if !first.During() {
			return fmt.Sprintf("%s could not be queried and has no figures: %s.", first.Host, first.Absent.Why)
		}
		return fmt.Sprintf("%s went away during the run (%s): %s.", first.Host, first.Absent.Why, first.Cost())
	}
	sum, names := Away{Absent: first.Absent}, []string{}
	for _, a := range of {
		names = append(names, a.Host)
		sum.None, sum.Fewer = sum.None+a.None, sum.Fewer+a.Fewer
	}
	if !first.During() {
		return fmt.Sprintf("%s could not be queried and have no figures; the first: %s.", prose.Few(names), first.Absent.Why)
	}
	return fmt.Sprintf("%s went away during the run (the first: %s): %s.", prose.Few(names), first.Absent.Why, sum.Cost())
}

// awayAdvice is what would give the figures of the hosts that were away.
func awayAdvice(d Document) []Sentence {
	for _, a := range d.Away {
		if a.Absent.Hint == "" {
			continue
		}
		if a.During() {
			return []Sentence{{"next", prose.Sentence(a.Absent.Hint) + "."}}
		}
		return []Sentence{{"next", fmt.Sprintf("To measure %s too: %s.", a.Host, strings.TrimSuffix(a.Absent.Hint, "."))}}
	}
	return nil
}
