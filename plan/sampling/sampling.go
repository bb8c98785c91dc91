package sampling

import (
	"math/rand/v2"
	"slices"
)

// Most is the largest number of hosts that have all links measured.
const Most = 32

// withinEvery is how often a round stays within racks: what is slow there too is not
// an uplink's fault.
const withinEvery = 4

// Pair is a path to measure: from one host to another.
type Pair struct{ From, To string }

// Host is a machine and what it shares with others: a rack or a switch, "" if
// unknown.
type Host struct{ Name, Rack string }

// Rounds draws rounds of pairs. No host appears twice in a round, and an odd number of hosts
// leaves one out; each sends as often as it receives, give or take a few; and partners repeat
// only if others are used up. If hosts name racks, one round in four stays within them and the
// others cross them.
func Rounds(hosts []Host, rounds int, dice *rand.Rand) [][]Pair {
	d := design{hosts: slices.Clone(hosts), sent: map[string]int{}, met: map[Pair]int{}, dice: dice}
	d.racked = racked(hosts)
	var all [][]Pair
	for n := range rounds {
		all = append(all, d.round(d.racked && n%withinEvery == withinEvery-1))
	}
	return all
}

type design struct {
	hosts  []Host
	sent   map[string]int // times sent minus received
	met    map[Pair]int   // by sorted names
	dice   *rand.Rand
	racked bool
}

// racked reports whether hosts are in different racks, some of which hold several.
func racked(hosts []Host) bool {
	sizes := map[string]int{}
	for _, h := range hosts {
		sizes[h.Rack]++
	}
	for rack, n := range sizes {
		if rack != "" && n > 1 && len(sizes) > 1 {
			return true
		}
	}
	return false
}

// round pairs the hosts in random order, each with the first remaining one that is in
// a suitable rack and that it has met least.
func (d *design) round(within bool) []Pair {
	d.dice.Shuffle(len(d.hosts), func(a, b int) { d.hosts[a], d.hosts[b] = d.hosts[b], d.hosts[a] })
	left := slices.Clone(d.hosts)
	var pairs []Pair
	for len(left) > 1 {
		a := left[0]
		left = left[1:]
		at := d.partner(a, left, within)
		b := left[at]
		left = slices.Delete(left, at, at+1)
		pairs = append(pairs, d.directed(a.Name, b.Name))
	}
	return pairs
}

// looks is how many partners are considered: the best of some is as good as the best
// of a thousand.
const looks = 64

func (d *design) partner(a Host, left []Host, within bool) int {
	best, least := 0, 1<<30
	good := 0
	for i, b := range left {
		cost := 2 * d.met[pairOf(a.Name, b.Name)]
		if d.racked && within != (a.Rack != "" && a.Rack == b.Rack) {
			cost += 1000
		} else {
			good++
		}
		if (d.sent[a.Name] > 0) == (d.sent[b.Name] > 0) && d.sent[a.Name] != 0 {
			cost++ // one of them becomes more unbalanced
		}
		if cost < least {
			best, least = i, cost
		}
		if least == 0 || good >= looks {
			break
		}
	}
	return best
}

// directed makes the host that has sent less the sender.
func (d *design) directed(a, b string) Pair {
	d.met[pairOf(a, b)]++
	if d.sent[a] > d.sent[b] || d.sent[a] == d.sent[b] && d.dice.IntN(2) == 0 {
		a, b = b, a
	}
	d.sent[a]++
	d.sent[b]--
	return Pair{a, b}
}

func pairOf(a, b string) Pair { return Pair{min(a, b), max(a, b)} }
