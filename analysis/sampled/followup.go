package sampled

import (
	"cmp"
	"slices"

	"assay/internal/order"
	"assay/plan/sampling"
)

// How suspects are followed up.
const (
	// suspectBad ways, and suspectShare of all ways of one kind that a host has, make a
	// suspect of a host that Blame does not name: two in a few rounds are no chance, and no
	// proof.
	suspectBad, suspectShare = 2, .5
	// followed suspects at most are measured again, each with partners that are sound, both
	// ways.
	followed, partners = 8, 4
)

// Suspect is a host that may have a fault, and what would tell: ways that were not
// measured.
type Suspect struct {
	Host string
	Ways []sampling.Pair
}

// Suspects are the hosts with too many bad ways for a sound one and too few to be blamed,
// those with the most first.
func Suspects(ways []Way) []Suspect {
	faults := Blame(ways)
	bad, measured := map[string]bool{}, map[sampling.Pair]bool{}
	var hosts []string
	counts := map[key]*suspect{}
	usual := usualOf(ways)
	for _, w := range ways {
		measured[sampling.Pair{From: w.From, To: w.To}] = true
		hosts = append(hosts, w.From, w.To)
		is := usual.isBad(w, Slow) || usual.isBad(w, Lossy)
		if is {
			bad[w.From], bad[w.To] = true, true
		}
		if slices.ContainsFunc(faults, func(f Fault) bool { return f.Has(w) }) {
			continue
		}
		for _, k := range []key{{Sender, w.From}, {Receiver, w.To}} {
			if counts[k] == nil {
				counts[k] = &suspect{}
			}
			if counts[k].of++; is {
				counts[k].bad++
			}
		}
	}
	slices.Sort(hosts)
	hosts = slices.Compact(hosts)
	most := map[string]int{} // bad ways of one kind
	for k, s := range counts {
		if s.bad >= suspectBad && float64(s.bad) >= suspectShare*float64(s.of) {
			most[k.name] = max(most[k.name], s.bad)
		}
	}
	var all []Suspect
	for i, h := range hosts {
		if most[h] > 0 {
			all = append(all, Suspect{h, untried(h, slices.Concat(hosts[i+1:], hosts[:i]), bad, measured)})
		}
	}
	order.Stable(all, func(a, b Suspect) int { return cmp.Compare(most[b.Host], most[a.Host]) })
	return all[:min(len(all), followed)]
}

// untried are ways between a host and those of others that have no bad way.
func untried(host string, others []string, bad map[string]bool, measured map[sampling.Pair]bool) []sampling.Pair {
	var all []sampling.Pair
	found := 0
	for _, o := range others {
		out, in := sampling.Pair{From: host, To: o}, sampling.Pair{From: o, To: host}
		if bad[o] || measured[out] || measured[in] {
			continue
		}
		if all, found = append(all, out, in), found+1; found == partners {
			break
		}
	}
	return all
}
