package sampling_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"assay/plan/sampling"
)

func hosts(n, rack int) []sampling.Host {
	var all []sampling.Host
	for i := range n {
		h := sampling.Host{Name: fmt.Sprintf("h%d", i)}
		if rack > 0 {
			h.Rack = fmt.Sprintf("r%d", i/rack)
		}
		all = append(all, h)
	}
	return all
}

func TestEveryHostIsInOnePairOfEachRound(t *testing.T) {
	for _, k := range []struct{ n, rack int }{{33, 0}, {40, 10}, {64, 16}, {65, 13}} {
		const rounds = 24
		sends, gets, met := map[string]int{}, map[string]int{}, map[sampling.Pair]int{}
		for n, round := range sampling.Rounds(hosts(k.n, k.rack), rounds, rand.New(rand.NewPCG(1, 2))) {
			in := map[string]bool{}
			for _, p := range round {
				if p.From == p.To || in[p.From] || in[p.To] {
					t.Fatalf("%d hosts, round %d: %v has a host that is busy", k.n, n, p)
				}
				in[p.From], in[p.To] = true, true
				sends[p.From]++
				gets[p.To]++
				met[sampling.Pair{From: min(p.From, p.To), To: max(p.From, p.To)}]++
			}
			if len(round) != k.n/2 {
				t.Errorf("%d hosts, round %d: %d pairs", k.n, n, len(round))
			}
		}
		for _, h := range hosts(k.n, 0) {
			if sends[h.Name] < 8 || gets[h.Name] < 8 {
				t.Errorf("%d hosts: %s sends %d times and receives %d times", k.n, h.Name, sends[h.Name], gets[h.Name])
			}
		}
		again := 0
		for _, times := range met {
			again += times - 1
		}
		if most := rounds * k.n / 2 / 5; again > most {
			t.Errorf("%d hosts: %d pairs are measured again, want at most %d", k.n, again, most)
		}
	}
}

// A quarter of the rounds stays within racks, to tell uplinks from hosts.
func TestRoundsKnowRacks(t *testing.T) {
	racks := map[string]string{}
	all := hosts(80, 20)
	for _, h := range all {
		racks[h.Name] = h.Rack
	}
	for n, round := range sampling.Rounds(all, 8, rand.New(rand.NewPCG(3, 4))) {
		within := 0
		for _, p := range round {
			if racks[p.From] == racks[p.To] {
				within++
			}
		}
		if n%4 == 3 && within != len(round) || n%4 != 3 && within > len(round)/5 {
			t.Errorf("round %d: %d of %d pairs are within a rack", n, within, len(round))
		}
	}
}
