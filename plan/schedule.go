package plan

import (
	"math/rand/v2"
	"slices"

	"assay"
)

// schedule puts trials marked first at the start and those marked last at the end; the others
// are interleaved: a warm-up round, then every repeat of all of them in random order, so that
// drift affects all alike. If each has one repeat, it follows its warm-up, so that a budget
// that ends early yields some figures. Links are in rounds in which no host appears twice, and
// trials on several hosts at once run one after another, so that hosts wait for each other
// only once.
func schedule(trials []assay.Trial, seed int64) []Slot {
	// #nosec G404 -- an order to be reproduced, not a secret
	dice := rand.New(rand.NewPCG(uint64(seed), 0))
	var first, middle, last []int
	for i, t := range trials {
		switch {
		case t.Absent != nil:
		case t.Order == "first":
			first = append(first, i)
		case t.Order == "last":
			last = append(last, i)
		default:
			middle = append(middle, i)
		}
	}
	var out []Slot
	oneByOne := func(which []int) {
		for _, i := range which {
			for n := 1; n <= trials[i].Repeats; n++ {
				out = append(out, Slot{i, n})
			}
		}
	}
	oneByOne(inRounds(trials, first, dice))
	most := 0
	for _, i := range middle {
		most = max(most, trials[i].Repeats)
	}
	warmUp := func(i int) {
		if trials[i].Warmup > 0 {
			out = append(out, Slot{i, 0})
		}
	}
	if most > 1 {
		for _, i := range inRounds(trials, middle, dice) {
			warmUp(i)
		}
	}
	for n := 1; n <= most; n++ {
		round := slices.Clone(middle)
		dice.Shuffle(len(round), func(a, b int) { round[a], round[b] = round[b], round[a] })
		for _, i := range inRounds(trials, round, dice) {
			if most == 1 {
				warmUp(i)
			}
			if n <= trials[i].Repeats {
				out = append(out, Slot{i, n})
			}
		}
	}
	oneByOne(inRounds(trials, last, dice))
	return out
}
