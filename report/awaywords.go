package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
)

// otherNotes drops the notes that repeat the list of hosts that were away.
func otherNotes(notes []assay.Note, away []analysis.Away) []assay.Note {
	return slices.DeleteFunc(slices.Clone(notes), func(n assay.Note) bool {
		return n.ID == assay.NoteHostGone && slices.ContainsFunc(away, func(a analysis.Away) bool {
			return strings.HasPrefix(n.Text, assay.WentAway(a.Host, ""))
		})
	})
}

// awayWhen returns how a host was away.
func awayWhen(a analysis.Away) string {
	if a.During() {
		return "went away during the run"
	}
	return "could not be queried"
}

// awayCost returns what the report lacks because of that.
func awayCost(a analysis.Away) string {
	if !a.During() {
		return "it has no figures"
	}
	var parts []string
	if a.None > 0 {
		parts = append(parts, prose.WithVerb(a.None, "trial", "has", "have")+" no number")
	}
	if a.Fewer > 0 {
		parts = append(parts, prose.WithVerb(a.Fewer, "trial", "has", "have")+" fewer repeats than planned")
	}
	return strings.Join(parts, " and ")
}

// withShortfalls explains in the rows why not all of their repeats count.
func withShortfalls(sections []Section, short map[analysis.RowID]analysis.Shortfall) []Section {
	for _, s := range sections {
		for i := range s.Rows {
			if f, is := short[analysis.RowID{Trial: s.Rows[i].Trial, Title: s.Rows[i].Title}]; is {
				s.Rows[i].Fewer = shortfallWords(f)
			}
		}
	}
	return sections
}

func shortfallWords(s analysis.Shortfall) string {
	counted := fmt.Sprintf("%d of %d repeats: ", s.Counted, s.Planned)
	switch {
	case s.Gone != "":
		return counted + s.Gone + " went away"
	case s.Failed.N == 0:
		return "the warm-up failed: " + s.Failed.Error
	}
	return fmt.Sprintf("%srepeat %d failed: %s", counted, s.Failed.N, s.Failed.Error)
}

// awaySentence describes hosts that were away in the same way.
func awaySentence(of []analysis.Away) string {
	first := of[0]
	if len(of) == 1 {
		if !first.During() {
			return fmt.Sprintf("%s could not be queried and has no figures: %s.", first.Host, first.Absent.Why)
		}
		return fmt.Sprintf("%s went away during the run (%s): %s.", first.Host, first.Absent.Why, awayCost(first))
	}
	sum, names := analysis.Away{Absent: first.Absent}, []string{}
	for _, a := range of {
		names = append(names, a.Host)
		sum.None, sum.Fewer = sum.None+a.None, sum.Fewer+a.Fewer
	}
	if !first.During() {
		return fmt.Sprintf("%s could not be queried and have no figures; the first: %s.", prose.Few(names), first.Absent.Why)
	}
	return fmt.Sprintf("%s went away during the run (the first: %s): %s.", prose.Few(names), first.Absent.Why, awayCost(sum))
}
