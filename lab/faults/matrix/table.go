package matrix

import (
	"fmt"
	"slices"
	"strings"
)

// tally counts the results for the faults of one or more kinds.
type tally struct {
	faults, culprit                 int
	directed, direction             int
	cause, undecided, wrong, missed int
}

func (t *tally) add(f Found) {
	t.faults++
	if f.Culprit == Right {
		t.culprit++
	}
	if f.Direction != NotAsked {
		t.directed++
	}
	if f.Direction == Right {
		t.direction++
	}
	switch f.Cause {
	case Right:
		t.cause++
	case Undecided:
		t.undecided++
	case Wrong:
		t.wrong++
	default:
		t.missed++
	}
}

func (t tally) cells() string {
	directed := "-"
	if t.directed > 0 {
		directed = fmt.Sprintf("%d of %d", t.direction, t.directed)
	}
	return fmt.Sprintf("%d | %d | %s | %d | %d | %d | %d", t.faults, t.culprit, directed, t.cause, t.undecided, t.wrong, t.missed)
}

// Table formats the scores as Markdown: totals first, then by kind.
func Table(kinds []Kind, all []Outcome, failed []string) string {
	var b strings.Builder
	demos, all := apart(all)
	b.WriteString(sums(kinds, all))
	b.WriteString(controls(all))
	b.WriteString(ofDemos(demos))
	for _, half := range []Half{Tuned, Kept} {
		b.WriteString(byKind(half, kinds, all))
	}
	if len(failed) > 0 {
		fmt.Fprintf(&b, "\nWithout a report, and in no row:\n\n- %s\n", strings.Join(failed, "\n- "))
	}
	return b.String()
}

const columns = "faults | culprit | direction | cause | undecided | wrong | missed |\n"

// sums returns the totals of each half: of real effects and planted facts, alone and
// in pairs.
func sums(kinds []Kind, all []Outcome) string {
	var b strings.Builder
	b.WriteString("| half | faults are | " + columns + "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, half := range []Half{Tuned, Kept} {
		for _, group := range []struct {
			name string
			has  func(k Kind, o Outcome) bool
		}{
			{"real, alone", func(k Kind, o Outcome) bool { return !k.Planted && len(o.Faults) == 1 }},
			{"with a planted fact, alone", func(k Kind, o Outcome) bool { return k.Planted && len(o.Faults) == 1 }},
			{"in pairs", func(_ Kind, o Outcome) bool { return len(o.Faults) > 1 }},
			{"all", func(Kind, Outcome) bool { return true }},
		} {
			var t tally
			each(kinds, all, func(k Kind, o Outcome, f Found) {
				if k.Half == half && group.has(k, o) {
					t.add(f)
				}
			})
			if t.faults > 0 {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", half, group.name, t.cells())
			}
		}
	}
	return b.String()
}

// controls reports how often an innocent host was accused, with and without a
// fault elsewhere.
func controls(all []Outcome) string {
	n, accused, sick, besides := 0, 0, 0, 0
	var whom []string
	for _, o := range all {
		bad := len(o.Innocent) > 0
		if len(o.Faults) == 0 {
			n++
		} else {
			sick++
		}
		switch {
		case bad && len(o.Faults) == 0:
			accused++
		case bad:
			besides++
		}
		if bad {
			whom = append(whom, fmt.Sprintf("%s accuses %s", o.ID, strings.Join(o.Innocent, ", ")))
		}
	}
	text := fmt.Sprintf("\nAn innocent host accused: in %d of %d controls without a fault, and in %d of %d runs with one.\n", accused, n, besides, sick)
	if len(whom) > 0 {
		text += "\n- " + strings.Join(whom, "\n- ") + "\n"
	}
	return text
}

func byKind(half Half, kinds []Kind, all []Outcome) string {
	var b strings.Builder
	for _, k := range kinds {
		var t tally
		each(kinds, all, func(of Kind, _ Outcome, f Found) {
			if of.Name == k.Name {
				t.add(f)
			}
		})
		if k.Half != half || t.faults == 0 {
			continue
		}
		fact := ""
		if k.Planted {
			fact = " (planted fact)"
		}
		fmt.Fprintf(&b, "| %s%s | %s | %s |\n", k.Name, fact, k.Says, t.cells())
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s kinds:\n\n| kind | what it is | %s| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n%s", half, columns, b.String())
}

// each calls visit for every fault of every case.
func each(kinds []Kind, all []Outcome, visit func(Kind, Outcome, Found)) {
	for _, o := range all {
		for _, f := range o.Found {
			if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == f.Kind }); i >= 0 {
				visit(kinds[i], o, f)
			}
		}
	}
}
