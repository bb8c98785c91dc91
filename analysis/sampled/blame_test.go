package sampled_test

import (
	"math/rand/v2"
	"testing"

	"assay/analysis/sampled"
	"assay/analysis/sampled/sampledtest"
)

// In a thousand hosts in racks with five faults, 40 rounds find 95 in 100 and blame no
// innocent host: doc/diagnosis.md has more rates.
func TestAThousandHostsInFortyRounds(t *testing.T) {
	found, of, innocent := 0, 0, 0
	for seed := range uint64(4) {
		ways, planted, _ := sampledtest.Simulate(sampledtest.Cluster{Hosts: 1000, PerRack: 40, Faults: 5, Rounds: 40}, rand.New(rand.NewPCG(seed, 7)))
		right, wrong := sampledtest.Scores(planted, sampled.Blame(ways))
		for i, is := range right {
			of++
			if is {
				found++
			} else {
				t.Logf("seed %d: not found: %s at %s; %+v", seed, sampledtest.Kinds[planted[i].Kind], planted[i].Name, sampled.Blame(ways))
			}
		}
		innocent += wrong
	}
	if found < of*95/100 || innocent > 0 {
		t.Errorf("%d of %d found, %d innocent blamed", found, of, innocent)
	}
}

// After a few rounds some faulty hosts stay unnamed; following up the suspects settles them
// with as many paths as a fraction of a round.
func TestSuspectsAreFollowedUp(t *testing.T) {
	before, after, of, innocent := 0, 0, 0, 0
	for seed := range uint64(20) {
		c := sampledtest.Cluster{Hosts: 200, Faults: 3, Rounds: 8}
		ways, planted, measure := sampledtest.Simulate(c, rand.New(rand.NewPCG(seed, 9)))
		right, _ := sampledtest.Scores(planted, sampled.Blame(ways))
		more := sampledtest.FollowUp(ways, measure)
		if n := len(more) - len(ways); n > 64 {
			t.Fatalf("seed %d: %d ways more than %d", seed, n, len(ways))
		}
		settled, wrong := sampledtest.Scores(planted, sampled.Blame(more))
		for i := range planted {
			of++
			before += map[bool]int{true: 1}[right[i]]
			after += map[bool]int{true: 1}[settled[i]]
		}
		innocent += wrong
	}
	t.Logf("%d of %d found, %d with the suspects followed up", before, of, after)
	if after < before+of/5 || after < of*9/10 || innocent > 0 {
		t.Errorf("%d of %d found, then %d; %d innocent blamed", before, of, after, innocent)
	}
}

// Without a fault nobody is blamed, however few the rounds.
func TestNobodyIsBlamedOfASoundCluster(t *testing.T) {
	for _, rounds := range []int{4, 12, 40} {
		for seed := range uint64(10) {
			ways, _, measure := sampledtest.Simulate(sampledtest.Cluster{Hosts: 100, PerRack: 20, Rounds: rounds}, rand.New(rand.NewPCG(seed, 8)))
			if got := sampled.Blame(ways); len(got) > 0 {
				t.Errorf("%d rounds, seed %d: %+v", rounds, seed, got)
			}
			if got := sampled.Blame(sampledtest.FollowUp(ways, measure)); len(got) > 0 {
				t.Errorf("%d rounds and suspects, seed %d: %+v", rounds, seed, got)
			}
		}
	}
}

// A slow receiver is told from a bad cable, uplink or switch.
func TestThePartIsTheOneThatExplains(t *testing.T) {
	rack := func(host string) string { return "rack" + string('1'+(host[0]-'a')/3) } // three hosts each
	for _, k := range []struct {
		slow func(from, to string) bool
		want sampled.Fault
	}{
		{func(_, to string) bool { return to == "c" }, sampled.Fault{Part: sampled.Receiver, Name: "c", Bad: 11, Of: 11}},
		{func(from, _ string) bool { return from == "c" }, sampled.Fault{Part: sampled.Sender, Name: "c", Bad: 11, Of: 11}},
		{func(from, to string) bool { return from == "c" || to == "c" }, sampled.Fault{Part: sampled.Host, Name: "c", Bad: 22, Of: 22}},
		{func(from, to string) bool { return rack(from) != "rack2" && rack(to) == "rack2" }, sampled.Fault{Part: sampled.UplinkTo, Name: "rack2", Bad: 27, Of: 27}},
		{func(from, to string) bool { return rack(from) == "rack2" && rack(to) != "rack2" }, sampled.Fault{Part: sampled.Uplink, Name: "rack2", Bad: 27, Of: 27}},
		{func(from, to string) bool { return rack(from) == "rack2" || rack(to) == "rack2" }, sampled.Fault{Part: sampled.Rack, Name: "rack2", Bad: 60, Of: 60}},
	} {
		var ways []sampled.Way
		for _, from := range "abcdefghijkl" {
			for _, to := range "abcdefghijkl" {
				if from == to {
					continue
				}
				w := sampled.Way{From: string(from), To: string(to), FromRack: rack(string(from)), ToRack: rack(string(to)), Rate: 1e9}
				if k.slow(w.From, w.To) {
					w.Rate = 2e8
				}
				ways = append(ways, w)
			}
		}
		k.want.Symptom, k.want.Share, k.want.Usual = sampled.Slow, .2, 1e9
		if got := sampled.Blame(ways); len(got) != 1 || got[0] != k.want {
			t.Errorf("%+v, want %+v", got, k.want)
		}
	}
}
