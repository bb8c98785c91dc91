package plan

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/probe/probetest"
)

// twoDirectories plans a suite on a machine with two directories to compare.
func twoDirectories(t *testing.T, name string, seed int64) Plan {
	t.Helper()
	s, err := suite.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	inv := probetest.Inventory()
	inv.Subjects = slices.DeleteFunc(inv.Subjects, func(s assay.Subject) bool { return s.Kind != assay.KindDirectory })
	other := inv.Subjects[0]
	other.ID, other.Name = "box/directory//other", "/other"
	inv.Subjects = append(inv.Subjects, other)
	f := inv.Facts["box"]
	dir := f.Dirs[0]
	dir.Path = other.Name
	f.Dirs = append(slices.Clone(f.Dirs), dir)
	inv.Facts["box"] = f
	p, err := Make(inv, s, probeall.Probes(), Options{Seed: seed, Budget: time.Hour, Repeats: 6})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Two directories alternate: every round runs each case once on both, and over
// a hundred seeds neither directory comes first in more rounds than chance
// allows. The same seed gives the same order.
func TestTwoDirectoriesTakeTurns(t *testing.T) {
	const seeds = 100
	firsts, rounds := map[string]int{}, map[string]int{}
	for seed := range int64(seeds) {
		p := twoDirectories(t, "baseline", seed)
		type key struct {
			name  string
			round int
		}
		seen := map[key][]string{}
		last := 0
		for _, s := range p.Schedule {
			trial := p.Trials[s.Trial]
			if s.Repeat == 0 || trial.Order != "" {
				continue
			}
			if s.Repeat < last {
				t.Fatalf("seed %d: round %d stands in round %d", seed, s.Repeat, last)
			}
			last = s.Repeat
			k := key{trial.Probe + "/" + trial.Case, s.Repeat}
			seen[k] = append(seen[k], trial.Subject.Name)
		}
		if last != 6 {
			t.Fatalf("seed %d: %d rounds", seed, last)
		}
		for k, dirs := range seen {
			if len(dirs) != 2 || dirs[0] == dirs[1] {
				t.Fatalf("seed %d: round %d has %s on %q", seed, k.round, k.name, dirs)
			}
			if rounds[k.name]++; dirs[0] == "/other" {
				firsts[k.name]++
			}
		}
		if !slices.Equal(p.Schedule, twoDirectories(t, "baseline", seed).Schedule) {
			t.Fatalf("seed %d gave two orders", seed)
		}
	}
	if len(rounds) < 3 {
		t.Fatalf("only %d cases are on directories", len(rounds))
	}
	for name, n := range rounds {
		// Four standard deviations of a coin toss.
		if off := math.Abs(float64(firsts[name]) - float64(n)/2); n != 6*seeds || off > 4*math.Sqrt(float64(n))/2 {
			t.Errorf("%s: /other is first in %d of %d rounds", name, firsts[name], n)
		}
	}
}

// Whatever shares a machine, each trial takes each position in a round, and follows
// each other trial, about equally often.
func TestNoTrialHasAPlaceOfItsOwn(t *testing.T) {
	const trials, rounds = 4, 2000
	var all []assay.Trial
	for i := range trials {
		d := directory("box", fmt.Sprint("/", i))
		d.Repeats = rounds
		all = append(all, d)
	}
	var places, follows [trials][trials]int
	slots := schedule(all, 11)
	for i, s := range slots {
		places[s.Trial][i%trials]++
		if i%trials > 0 {
			follows[slots[i-1].Trial][s.Trial]++
		}
	}
	for a := range trials {
		for b := range trials {
			if n := places[a][b]; math.Abs(float64(n)-rounds/trials) > 4*math.Sqrt(rounds*.25*.75) {
				t.Errorf("trial %d has place %d in %d of %d rounds", a, b, n, rounds)
			}
			// In a round, three of the twelve ordered pairs are adjacent.
			if n := follows[a][b]; a != b && math.Abs(float64(n)-rounds/4) > 4*math.Sqrt(rounds*.25*.75) {
				t.Errorf("trial %d follows trial %d in %d of %d rounds", b, a, n, rounds)
			}
		}
	}
}

// Whatever the trials and hosts: a slot needs only the host of its trial and its
// peer, each trial has all its repeats, and the single-host trials of each host
// alternate.
func TestTrialsStayOnTheirHosts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var all []assay.Trial
		for i := range rapid.IntRange(1, 10).Draw(r, "trials") {
			d := directory(fmt.Sprint("h", rapid.IntRange(0, 3).Draw(r, "host")), fmt.Sprint("/", i))
			d.Repeats = 3
			all = append(all, d)
		}
		p := sharing(r, all, nil, Options{Seed: rapid.Int64().Draw(r, "seed")})
		onHost := map[string][]Slot{}
		for _, s := range p.Schedule {
			want := all[s.Trial].Subject.Host
			if needs := Needs(p.Trials[s.Trial]); !slices.Equal(needs, []string{"host/" + want}) {
				r.Fatalf("%s was to be on %s and needs %v", all[s.Trial].ID, want, needs)
			}
			onHost[want] = append(onHost[want], s)
		}
		for host, slots := range onHost {
			trials := len(slots) / 3
			for i, s := range slots {
				if s.Repeat != i/trials+1 || slices.Contains(slots[i/trials*trials:i], s) {
					r.Fatalf("the slots of %s are no rounds: %v", host, slots)
				}
			}
		}
	})
}
