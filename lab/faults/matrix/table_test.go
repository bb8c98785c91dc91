package matrix

import (
	"strings"
	"testing"
)

func TestTableOfDemos(t *testing.T) {
	found := func(heat, disk, link Ruling) (all []Found) {
		for i, r := range []Ruling{heat, disk, link} {
			all = append(all, Found{Demo(1).Faults[i], r, NotAsked, r})
		}
		return all
	}
	text := Table(nil, []Outcome{
		{Case: Demo(1), Found: found(Right, Right, Right)},
		{Case: Demo(2), Found: found(Right, Missed, Right)},
		{Case: Demo(3), Found: found(Right, Right, Right), Innocent: []string{"host2"}},
	}, nil)
	want := "3 runs: exactly its three faulty hosts named in 1; an innocent host accused in 1 (heat of host1 named 3 times, cause right 3; disk-slow of host3 named 2 times"
	if !strings.Contains(text, want) || strings.Contains(text, "| tuned |") {
		t.Errorf("%q is not in, or a half is in\n%s", want, text)
	}
}

func TestTable(t *testing.T) {
	all := []Outcome{
		{Case: Case{ID: "a", Faults: make([]Placed, 1)}, Found: []Found{{Placed{Kind: "loss"}, Right, Right, Undecided}}},
		{Case: Case{ID: "b", Faults: make([]Placed, 1)}, Found: []Found{{Placed{Kind: "loss"}, Missed, Missed, Missed}}, Innocent: []string{"host2"}},
		{Case: Case{ID: "c", Faults: make([]Placed, 2)}, Found: []Found{{Placed{Kind: "slow"}, Right, Wrong, Right}, {Placed{Kind: "loss"}, Right, NotAsked, Wrong}}},
		{Case: Case{ID: "d"}, Innocent: []string{"host1", "host4"}},
		{Case: Case{ID: "e"}},
	}
	text := Table(two, all, []string{"f: no lab"})
	for _, want := range []string{
		"| tuned | real, alone | 2 | 1 | 1 of 2 | 0 | 1 | 0 | 1 |\n",
		"| tuned | in pairs | 1 | 1 | - | 0 | 0 | 1 | 0 |\n",
		"| tuned | all | 3 | 2 | 1 of 2 | 0 | 1 | 1 | 1 |\n",
		"| kept | all | 1 | 1 | 0 of 1 | 1 | 0 | 0 | 0 |\n",
		"in 1 of 2 controls without a fault, and in 1 of 3 runs with one",
		"- d accuses host1, host4\n",
		"- f: no lab\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
