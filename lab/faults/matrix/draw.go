package matrix

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Placed is a fault placed on a host.
type Placed struct {
	Kind string `json:"kind"`
	Host string `json:"host"`
	Peer string `json:"peer,omitempty"` // the other end of its path, or another host that it needs
	Way  Way    `json:"way,omitempty"`
}

// Case is the faults planted for one run; none for a control.
type Case struct {
	ID     string   `json:"id"`
	Faults []Placed `json:"faults"`
}

// Amount is the number of cases beyond one of each kind.
type Amount struct{ Pairs, Controls int }

// Draw places each kind alone, then pairs of kinds on different hosts, and controls,
// in random order. The same seed and round give the same cases.
func Draw(seed, round uint64, kinds []Kind, hosts []string, n Amount) []Case {
	r := rand.New(rand.NewPCG(seed, round)) //nolint:gosec // must be repeatable, need not be secret
	id := func(name string) string { return fmt.Sprintf("%d.%d-%s", seed, round, name) }
	var all []Case
	for _, k := range kinds {
		all = append(all, Case{id(k.Name), []Placed{place(r, k, hosts)}})
	}
	for range min(n.Pairs, len(kinds)/2) {
		two := r.Perm(len(kinds))[:2]
		at := shuffled(r, hosts)
		a, b := place(r, kinds[two[0]], at[:2]), place(r, kinds[two[1]], at[2:])
		all = append(all, Case{id(a.Kind + "+" + b.Kind), []Placed{a, b}})
	}
	for i := range n.Controls {
		all = append(all, Case{ID: id(fmt.Sprintf("control-%d", i+1))})
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func place(r *rand.Rand, k Kind, hosts []string) Placed {
	at := shuffled(r, hosts)
	p := Placed{Kind: k.Name, Host: at[0]}
	if k.Of == "path" || k.Peer != "" {
		p.Peer = at[1]
	}
	if len(k.Ways) > 0 {
		p.Way = k.Ways[r.IntN(len(k.Ways))]
	}
	return p
}

func shuffled(r *rand.Rand, hosts []string) []string {
	at := slices.Clone(hosts)
	r.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	return at
}
