package sampled

import (
	"cmp"
	"slices"

	"assay/internal/order"
	"assay/plan/sampling"
)

// Limits for following up suspects.
const (
	// suspectBad ways, and suspectShare of all of a host's ways of one kind, make a host
	// that Blame does not name a suspect: two in a few rounds are neither chance nor proof.
	suspectBad, suspectShare = 2, .5
	// followed is the most suspects to measure again, partners how many healthy hosts each
	// is paired with, both ways.
	followed, partners = 8, 4
)

// Suspect is a host that may be faulty, with the unmeasured ways that would settle
// it.
type Suspect struct {
	Host string
	Ways []sampling.Pair
}

// Suspects returns the hosts with too many bad ways to be healthy and too few to be
// blamed, those with the most first.
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

// untried returns unmeasured ways between a host and others that have no bad
// way.
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
