package plan

import (
	"math/rand/v2"
	"slices"

	"assay"
)

// inRounds orders the trials of several hosts within a round of all: those on
// several at once run one after another, and those between two in rounds.
func inRounds(trials []assay.Trial, order []int, dice *rand.Rand) []int {
	return jointly(trials, linksInRounds(trials, order, dice))
}

// jointly moves the trials on several hosts at once to the start or end of the
// round, whichever is nearer to the first of them. Each begins when all of its
// hosts are free: mixed with the others, hosts would wait for each other once per
// such trial.
func jointly(trials []assay.Trial, order []int) []int {
	var together, alone []int
	first := -1
	for at, i := range order {
		if len(trials[i].Others) == 0 {
			alone = append(alone, i)
			continue
		}
		if first < 0 {
			first = at
		}
		together = append(together, i)
	}
	if first >= 0 && first < len(alone)-first {
		return slices.Concat(together, alone)
	}
	return slices.Concat(alone, together)
}

// linksInRounds puts the trials between two hosts in rounds in which no host
// appears twice: N hosts get through all their directed pairs in 2(N-1) rounds,
// or 2N if N is odd and one must wait in each. They stay together where the
// first of them was, case by case and network by network, since rounds end
// together only if their trials take the same time. All other trials keep their
// order, and without link trials no dice are cast.
func linksInRounds(trials []assay.Trial, order []int, dice *rand.Rand) []int {
	type group struct{ probe, name, network string }
	groups := map[group][]int{}
	var names []group
	first := -1
	for at, i := range order {
		t := trials[i]
		if t.Peer == "" || t.Peer == t.Subject.Host {
			continue
		}
		if first < 0 {
			first = at
		}
		name := group{t.Probe, t.Case, t.Subject.Network}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], i)
	}
	if first < 0 {
		return order
	}
	var out []int
	for at, i := range order {
		if at == first {
			for _, name := range names {
				out = append(out, rounds(trials, groups[name], dice)...)
			}
		}
		if t := trials[i]; t.Peer == "" || t.Peer == t.Subject.Host {
			out = append(out, i)
		}
	}
	return out
}

// rounds orders the trials of one case on one network. The rounds are those of a
// round-robin tournament (the circle method: one host stays, the others rotate
// around it), then the same again for the way back. If not every pair exists, as
// in a ring, a trial moves to the first round in which both of its hosts are
// free.
func rounds(trials []assay.Trial, links []int, dice *rand.Rand) []int {
	seats := seated(trials, links, dice)
	n := len(seats) + len(seats)%2 // an odd one out plays against nobody
	tournament := make([][]int, 2*(n-1))
	met := map[[2]int]bool{}
	for _, i := range links {
		a, b := seats[trials[i].Subject.Host], seats[trials[i].Peer]
		r := meet(a, b, n)
		if pair := [2]int{min(a, b), max(a, b)}; met[pair] {
			r += n - 1
		} else {
			met[pair] = true
		}
		tournament[r] = append(tournament[r], i)
	}
	var packed [][]int
	var busy [][]bool // by round and seat
	for _, round := range tournament {
		for _, i := range round {
			a, b := seats[trials[i].Subject.Host], seats[trials[i].Peer]
			at := slices.IndexFunc(busy, func(seat []bool) bool { return !seat[a] && !seat[b] })
			if at < 0 {
				at = len(busy)
				busy, packed = append(busy, make([]bool, n)), append(packed, nil)
			}
			busy[at][a], busy[at][b] = true, true
			packed[at] = append(packed[at], i)
		}
	}
	dice.Shuffle(len(packed), func(a, b int) { packed[a], packed[b] = packed[b], packed[a] })
	return slices.Concat(packed...)
}

// seated assigns each host of the links a random number from 0 on.
func seated(trials []assay.Trial, links []int, dice *rand.Rand) map[string]int {
	var hosts []string
	seats := map[string]int{}
	for _, i := range links {
		for _, h := range []string{trials[i].Subject.Host, trials[i].Peer} {
			if _, known := seats[h]; !known {
				seats[h] = 0
				hosts = append(hosts, h)
			}
		}
	}
	dice.Shuffle(len(hosts), func(a, b int) { hosts[a], hosts[b] = hosts[b], hosts[a] })
	for seat, h := range hosts {
		seats[h] = seat
	}
	return seats
}

// meet returns the round, of n-1, in which seats a and b of an even number n of
// them meet: rotating seats meet in the round that their sum gives, and the
// last, which stays, meets a in the round in which a would meet itself.
func meet(a, b, n int) int {
	switch n - 1 {
	case a:
		return 2 * b % (n - 1)
	case b:
		return 2 * a % (n - 1)
	}
	return (a + b) % (n - 1)
}
