package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
)

// link returns a one-second trial from host a to host b.
func link(probe, network string, a, b int) assay.Trial {
	return assay.Trial{
		Probe: "iperf3", Case: probe, Length: time.Second, Repeats: 1, Peer: host(b),
		Subject: assay.Subject{ID: fmt.Sprintf("%s/link/%s:%s", host(a), network, host(b)), Host: host(a), Peer: host(b), Network: network},
	}
}

func host(n int) string { return fmt.Sprintf("pve%d", n) }

// matrix returns every directed pair of n hosts on one network.
func matrix(n int, probe, network string) []assay.Trial {
	var all []assay.Trial
	for a := range n {
		for b := range n {
			if a != b {
				all = append(all, link(probe, network, a, b))
			}
		}
	}
	return all
}

// rounded returns how many pair lengths the matrix of n hosts takes.
func rounded(n int) int {
	if n%2 == 0 {
		return 2 * (n - 1)
	}
	return 2 * n
}

func TestTheMatrixTakesAsFewRoundsAsCanBe(t *testing.T) {
	for n := 2; n <= 16; n++ {
		for seed := range int64(20) {
			p := Plan{Trials: matrix(n, "tcp", "storage")}
			p.Schedule = schedule(p.Trials, seed)
			if len(p.Schedule) != n*(n-1) {
				t.Fatalf("%d hosts: %d slots for %d links", n, len(p.Schedule), n*(n-1))
			}
			if got, want := p.Course(p.Schedule), time.Duration(rounded(n))*time.Second; got != want {
				t.Errorf("%d hosts, seed %d: %s, want %s", n, seed, got, want)
			}
		}
	}
}

// Several cases of different lengths, networks and repeats: one matrix follows
// another without gaps.
func TestMatricesOfSeveralNetworks(t *testing.T) {
	for n := 2; n <= 12; n += 2 {
		var p Plan
		for _, network := range []string{"management", "storage"} {
			p.Trials = append(p.Trials, matrix(n, "tcp", network)...)
			for _, ping := range matrix(n, "rtt", network) {
				ping.Length = 300 * time.Millisecond
				p.Trials = append(p.Trials, ping)
			}
		}
		for i := range p.Trials {
			p.Trials[i].Repeats = 3
		}
		p.Schedule = schedule(p.Trials, 5)
		if got, want := p.Course(p.Schedule), 3*2*time.Duration(rounded(n))*1300*time.Millisecond; got != want {
			t.Errorf("%d hosts: %s, want %s", n, got, want)
		}
	}
}

// Each host of a ring has two neighbours, so it waits for four links; other
// hosts do not make the schedule longer.
func TestARingTakesNoMatrix(t *testing.T) {
	for n := 4; n <= 16; n++ {
		for seed := range int64(20) {
			var p Plan
			for a := range n {
				p.Trials = append(p.Trials, link("tcp", "ring", a, (a+1)%n), link("tcp", "ring", (a+1)%n, a))
			}
			p.Schedule = schedule(p.Trials, seed)
			if got := p.Course(p.Schedule); got > 7*time.Second {
				t.Errorf("a ring of %d, seed %d: %s", n, seed, got)
			}
		}
	}
}

// One trial for both directions halves the rounds.
func TestPairsInBothDirectionsAtOnce(t *testing.T) {
	for n := 2; n <= 16; n += 2 {
		var p Plan
		for a := range n {
			for b := range a {
				p.Trials = append(p.Trials, link("both", "storage", b, a))
			}
		}
		p.Schedule = schedule(p.Trials, 3)
		if got, want := p.Course(p.Schedule), time.Duration(n-1)*time.Second; got != want {
			t.Errorf("%d hosts: %s, want %s", n, got, want)
		}
	}
}

// Whatever the links: each appears once, in at most as many rounds as the
// greedy bound allows, and the same seed gives the same order.
func TestRoundsOfAnyLinks(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(r, "hosts")
		all := matrix(n, "tcp", "storage")
		keep := rapid.SliceOfNDistinct(rapid.IntRange(0, len(all)-1), 1, len(all), rapid.ID[int]).Draw(r, "links")
		var p Plan
		degree := map[string]int{}
		for _, i := range keep {
			p.Trials = append(p.Trials, all[i])
			degree[all[i].Subject.Host]++
			degree[all[i].Peer]++
		}
		seed := rapid.Int64().Draw(r, "seed")
		p.Schedule = schedule(p.Trials, seed)
		seen := map[Slot]bool{}
		for _, s := range p.Schedule {
			seen[s] = true
		}
		if len(seen) != len(keep) || len(p.Schedule) != len(keep) {
			r.Fatalf("%d slots, %d of them different, for %d links", len(p.Schedule), len(seen), len(keep))
		}
		if !slices.Equal(p.Schedule, schedule(p.Trials, seed)) {
			r.Fatal("the same seed gave another order")
		}
		most := 0
		for _, d := range degree {
			most = max(most, d)
		}
		least := min(2*most-1, rounded(n))
		if got := p.Course(p.Schedule); got > time.Duration(least)*time.Second || got < time.Duration(most)*time.Second {
			r.Fatalf("%s for hosts with up to %d links", got, most)
		}
	})
}

// Single-host trials keep their order, and links are grouped among them.
func TestLinksStandTogether(t *testing.T) {
	trials := matrix(4, "tcp", "storage")
	local := len(trials)
	for a := range 4 {
		trials = append(trials, assay.Trial{Case: "cpu", Repeats: 1, Subject: assay.Subject{ID: host(a), Host: host(a)}})
	}
	order := rand.New(rand.NewPCG(3, 3)).Perm(len(trials))
	got := inRounds(trials, order, rand.New(rand.NewPCG(1, 0)))
	isLink := func(i int) bool { return i < local }
	if want, have := slices.DeleteFunc(slices.Clone(order), isLink), slices.DeleteFunc(slices.Clone(got), isLink); !slices.Equal(want, have) {
		t.Errorf("local trials came as %v, and are %v", want, have)
	}
	first := slices.IndexFunc(got, isLink)
	if first != slices.IndexFunc(order, isLink) {
		t.Errorf("links begin at %d in %v", first, got)
	}
	for _, i := range got[first : first+local] {
		if !isLink(i) {
			t.Errorf("trial %d stands among the links: %v", i, got)
		}
	}
	// Without links nothing changes, not even the dice.
	dice := rand.New(rand.NewPCG(1, 0))
	alone := []int{local + 2, local, local + 3, local + 1}
	if !slices.Equal(inRounds(trials, alone, dice), alone) || dice.Uint64() != rand.New(rand.NewPCG(1, 0)).Uint64() {
		t.Error("an order without links was changed")
	}
}
