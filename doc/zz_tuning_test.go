package doc_test

import "testing"

func TestZZ(t *testing.T) {
	all := cases(t)
	var found []verdict
	var some []judged
	for _, c := range all {
		if c.Third && !c.Apart {
			some = append(some, c)
			found = append(found, verdicts(t, c))
		}
	}
	s, _, _ := newTally(some, found, func(judged) bool { return true })
	t.Logf("figures %d of %d, traps %d of %d (nameable %d), E %v ought %v arg %v wrong %v\n%s", s.read, s.figures, s.caught, s.traps, s.nameable, s.right, s.ought, s.arguable, s.wrong, s.misses.String())
}
