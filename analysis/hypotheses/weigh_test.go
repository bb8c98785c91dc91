package hypotheses

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay"
)

// Each fault is complete and has a trace in the tests.
func TestFaultsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range named() {
		if plant[h.ID] == nil {
			t.Errorf("%s: nothing plants it", h.ID)
		}
		if h.Name == "" || h.Layer == "" || h.Decides == "" || !strings.Contains(h.Remedy, "{host}") || h.Usual <= 0 {
			t.Errorf("%s is not whole: %+v", h.ID, h)
		}
		if seen[h.ID] {
			t.Errorf("%s is there twice", h.ID)
		}
		seen[h.ID] = true
		for _, c := range h.Clues {
			if !(c.If > 0 && c.If < 1 && c.Else > 0 && c.Else < 1) || c.Proves && c.If <= c.Else {
				t.Errorf("%s: a clue with %v and %v", h.ID, c.If, c.Else)
			}
		}
		if h.Standing && !slices.ContainsFunc(h.Clues, func(c Clue) bool { return c.Proves }) {
			t.Errorf("%s stands without a proof", h.ID)
		}
	}
	for id := range plant {
		if !seen[id] {
			t.Errorf("%s is planted, and nobody looks for it", id)
		}
	}
}

// typical reports which loads stand out under a fault: those it is more likely to slow
// than not.
func typical(h Hypothesis) func(Load) bool {
	most := 0.
	for _, p := range h.Slows {
		most = max(most, p)
	}
	return func(l Load) bool { return h.Slows.of(l) >= min(.5, most) && h.Slows.of(l) > never }
}

// A fault that slows its loads and leaves its trace is named, and as certain if the trace
// is the mechanism itself.
func TestEachFaultIsFound(t *testing.T) {
	for _, h := range named() {
		causes := Weigh(sick(h, typical(h)))
		i := slices.IndexFunc(causes, func(c Cause) bool { return c.ID == h.ID })
		proves := slices.ContainsFunc(h.Clues, func(c Clue) bool { return c.Proves })
		switch {
		case i < 0 && (len(causes) == 0 || !slices.ContainsFunc(causes[0].Rivals, func(r Rival) bool { return r.ID == h.ID })):
			t.Errorf("%s: %s", h.ID, brief(causes))
		case proves && (i != 0 || causes[0].Certainty != Certain || len(causes[0].Evidence) == 0):
			t.Errorf("%s was seen, and is not certain: %s", h.ID, brief(causes))
		case !proves && i >= 0 && causes[i].Certainty == Certain:
			t.Errorf("%s is certain without a proof: %s", h.ID, brief(causes))
		}
	}
}

// Nobody is accused if nothing is slow and nothing differs; where another fault is
// seen, only faults that slow the same loads may be named.
func TestNoFaultIsNamedWithoutCause(t *testing.T) {
	for _, peer := range []string{"", "pve2"} {
		s := sound("pve1", peer)
		for _, l := range measuredLoads {
			s.Seen[l] = Sight{}
		}
		if got := Weigh(s); len(got) > 0 {
			t.Errorf("%q: %s", peer, brief(got))
		}
	}
	for _, h := range named() {
		odd := typical(h)
		for _, c := range Weigh(sick(h, odd)) {
			if c.ID != h.ID && c.Known() && c.Certainty == Certain {
				t.Errorf("%s is certain where %s was planted", c.ID, h.ID)
			}
			for _, l := range c.Explains {
				if !odd(l) {
					t.Errorf("%s explains %s, which is as it should be", c.ID, l)
				}
			}
		}
	}
}

// A fact that differs explains neither loads that it cannot slow nor healthy figures.
func TestAFactAloneIsNoCause(t *testing.T) {
	for _, id := range []string{"cpu-governor", "memory-channels", "drive-spins", "link-slow", "kernel-other", "cpu-other"} {
		s := sound("pve1", "")
		for _, l := range measuredLoads {
			s.Seen[l] = Sight{}
		}
		put(s, id)
		if got := Weigh(s); len(got) > 0 {
			t.Errorf("%s, and nothing is slow: %s", id, brief(got))
		}
	}
	// Slow memory is not explained by the drive.
	h := known(t, "memory-channels")
	s := sick(h, typical(h))
	put(s, "drive-spins")
	if got := Weigh(s); len(got) != 1 || got[0].ID != "memory-channels" {
		t.Errorf("memory: %s", brief(got))
	}
}

// A host that did not report a tool's version in time is not accused of a
// different one; if it did report it, it is.
func TestAVersionThatIsNotKnownIsNoOther(t *testing.T) {
	for own, want := range map[string]int{"": 0, "0.4": 1} {
		s := sound("pve1", "")
		for _, l := range measuredLoads {
			s.Seen[l] = Sight{}
		}
		f := s.Facts["pve1"]
		f.Tools = slices.Clone(f.Tools)
		for i := range f.Tools {
			switch f.Tools[i].Name {
			case "sysbench":
				f.Tools[i].Version = own
			case "iperf3":
				f.Tools[i].Version = map[bool]string{true: "3.12"}[own == ""]
			}
		}
		s.Facts["pve1"] = f
		if got := Weigh(s); len(got) != want || want == 1 && got[0].ID != "tool-version" {
			t.Errorf("sysbench %q: %s", own, brief(got))
		}
	}
}

// A standing fault's clue names the host: "its clock is ..." becomes "pve1's clock".
func TestStandingFaultsAreSaidOfTheHost(t *testing.T) {
	for _, h := range named() {
		for _, c := range h.Clues {
			if of := strings.HasPrefix(c.Says, "its ") || strings.HasPrefix(c.Says, "it "); h.Standing && c.Proves && c.Says != "" && !of {
				t.Errorf("%s: %q names nobody", h.ID, c.Says)
			}
		}
	}
}

// Standing faults are reported even without a slow figure.
func TestStandingFaults(t *testing.T) {
	for _, h := range named() {
		if !h.Standing {
			continue
		}
		got := Weigh(sick(h, func(Load) bool { return false }))
		if len(got) != 1 || got[0].ID != h.ID || got[0].Certainty != Certain || len(got[0].Explains) != 0 {
			t.Errorf("%s: %s", h.ID, brief(got))
		}
	}
}

// One cause that explains everything beats one cause per figure; two causes with nothing
// in common are both named.
func TestOneCauseForAllOrOneForEach(t *testing.T) {
	quota := known(t, "cpu-quota")
	got := Weigh(sick(quota, func(l Load) bool {
		return slices.Contains([]Load{OneThread, AllThreads, RandomReads, DeviceReads, MemoryReads, MemoryWrites, Sends, Receives}, l)
	}))
	if len(got) != 1 || got[0].ID != "cpu-quota" || len(got[0].Explains) != 8 {
		t.Errorf("a quota: %s", brief(got))
	}
	s := sick(quota, func(l Load) bool { return slices.Contains([]Load{MemoryReads, MemoryWrites, SyncWrites}, l) })
	*s = *sound("pve1", "")
	for _, l := range measuredLoads {
		s.Seen[l] = Sight{Odd: slices.Contains([]Load{MemoryReads, MemoryWrites, SyncWrites}, l), Ratio: 2}
	}
	put(s, "memory-channels")
	put(s, "drive-flush")
	ids := []string{}
	for _, c := range Weigh(s) {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"drive-flush", "memory-channels"}) {
		t.Errorf("two faults: %v", ids)
	}
}

// A drive that is slow in everything, with no other clue, is left undecided, along with
// a measurement that would decide.
func TestWhatRemainsIsSaid(t *testing.T) {
	h := known(t, "disk-throttled")
	s := sick(h, func(l Load) bool { return slices.Contains(storage, l) })
	s.Spread, s.Figure = .03, 3170
	got := Weigh(s)
	if len(got) != 1 || got[0].Certainty == Certain || got[0].Certainty == VeryLikely || len(got[0].Rivals) == 0 || len(got[0].RuledOut) == 0 {
		t.Fatalf("%s", brief(got))
	}
	for _, r := range got[0].RuledOut {
		if r.Why == "" {
			t.Errorf("%s is ruled out for nothing", r.ID)
		}
	}
}

func brief(causes []Cause) string {
	var words []string
	for _, c := range causes {
		words = append(words, fmt.Sprintf("%s %s %.2f %v", c.ID, c.Certainty, c.Probability, c.Explains))
	}
	return strings.Join(words, "; ")
}

// score counts the outcomes of randomly planted faults.
type score struct{ n, right, left, wrong, unexplained int }

// simulate plants each fault many times, slows each load with the fault's probability,
// makes a fifth of the figures too scattered to tell, and gives a tenth of the hosts an
// unrelated difference. If blind, nothing is known of the host but its figures.
func simulate(dice *rand.Rand, times int, blind bool) (sum score, by map[string]*score) {
	by = map[string]*score{}
	decoys := []string{"kernel-other", "bios-other", "cpu-mitigations", "drive-firmware", "tool-version"}
	for _, h := range named() {
		by[h.ID] = &score{}
		for range times {
			slow := map[Load]bool{}
			for len(slow) == 0 && len(h.Slows) > 0 {
				for _, l := range slices.Concat(measuredLoads, pathLoads) {
					if _, is := slow[l]; !is && dice.Float64() < h.Slows.of(l) && h.Slows.of(l) > never {
						slow[l] = true
					}
				}
			}
			s := sick(h, func(l Load) bool { return slow[l] })
			if blind {
				s.Facts[s.Host], s.Counted[s.Host] = assay.Facts{Host: s.Host}, NothingCounted()
				s.Rules, s.Silent, s.Twins, s.Strays = nil, false, nil, nil
			} else if dice.Float64() < .1 {
				put(s, decoys[dice.IntN(len(decoys))])
			}
			for l := range s.Seen {
				if !s.Seen[l].Odd && dice.Float64() < .2 {
					delete(s.Seen, l) // too scattered to tell
				}
			}
			by[h.ID].add(&sum, h.ID, Weigh(s))
		}
	}
	return sum, by
}

func (c *score) add(sum *score, id string, causes []Cause) {
	of := func(c *score) *int {
		switch {
		case slices.ContainsFunc(causes, func(x Cause) bool { return x.ID == id && x.Certainty != Undecided }):
			return &c.right
		case slices.ContainsFunc(causes, func(x Cause) bool {
			return x.ID == id || slices.ContainsFunc(x.Rivals, func(r Rival) bool { return r.ID == id })
		}):
			return &c.left
		case len(causes) > 0 && causes[0].Known() && causes[0].Certainty != Undecided && causes[0].Certainty != Possible:
			return &c.wrong
		}
		return &c.unexplained
	}
	c.n, sum.n = c.n+1, sum.n+1
	*of(c)++
	*of(sum)++
}

// Measures how often the right fault is named or stays a candidate, and how often another
// is accused: doc/diagnosis.md has the figures.
func TestHowOftenTheRightFaultIsNamed(t *testing.T) {
	times := 20
	if testing.Short() {
		times = 10
	}
	dice := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a simulation
	sum, by := simulate(dice, times, false)
	for _, id := range sortedKeys(by) {
		c := by[id]
		t.Logf("%-22s right %3d %%  left %3d %%  wrong %3d %%  none %3d %%", id, 100*c.right/c.n, 100*c.left/c.n, 100*c.wrong/c.n, 100*c.unexplained/c.n)
	}
	of := func(n int) float64 { return float64(n) / float64(sum.n) }
	t.Logf("all: right %.3f, left %.3f, wrong %.3f, none %.3f of %d", of(sum.right), of(sum.left), of(sum.wrong), of(sum.unexplained), sum.n)
	blind, _ := simulate(dice, times/4, true)
	wrongly := float64(blind.wrong) / float64(blind.n)
	t.Logf("blind: right %.3f, left %.3f, wrong %.3f", float64(blind.right)/float64(blind.n), float64(blind.left)/float64(blind.n), wrongly)
	if wrongly > .15 {
		t.Errorf("without facts %.3f are accused wrongly", wrongly)
	}
	if of(sum.right) < .75 || of(sum.wrong) > .05 {
		t.Errorf("right %.3f, want .75; wrong %.3f, want at most .05", of(sum.right), of(sum.wrong))
	}
}

// If only synchronous writes are slow and no fact says why, a few writes without a
// flush tell a drive with slow flushes from one with slow writes.
func TestWritesTellWhatAFlushCosts(t *testing.T) {
	weighed := func(tested map[string]Tested) (Cause, bool) {
		s := sound("pve1", "")
		for _, l := range measuredLoads {
			s.Seen[l] = Sight{Odd: l == SyncWrites, Ratio: 20}
		}
		for h, f := range s.Facts {
			f.Block = slices.Clone(f.Block)
			f.Block[0].PLP = nil
			s.Facts[h] = f
		}
		s.Tested = tested
		all := Weigh(s)
		if len(all) == 0 {
			return Cause{}, false
		}
		return all[0], true
	}
	open, _ := weighed(nil)
	if !slices.Contains(open.Tests(), TestWrites) {
		t.Errorf("nothing would be measured: %v, %v", brief([]Cause{open}), open.Tests())
	}
	prompt, _ := weighed(map[string]Tested{TestWrites: {Own: []float64{60e-6}, Synced: 80}})
	slow, _ := weighed(map[string]Tested{TestWrites: {Own: []float64{12e-3}, Synced: 80}})
	if prompt.ID != "drive-flush" || prompt.Probability <= open.Probability || !strings.Contains(strings.Join(prompt.Evidence, " "), "without a flush takes 60.0 µs (p10), a synchronous one 12.5 ms") {
		t.Errorf("writes are prompt without a flush: %s %q", brief([]Cause{prompt}), prompt.Evidence)
	}
	if slow.ID == "drive-flush" && slow.Probability >= prompt.Probability {
		t.Errorf("writes are slow without a flush: %s", brief([]Cause{slow}))
	}
}

func known(t *testing.T, id string) Hypothesis {
	t.Helper()
	i := slices.IndexFunc(All, func(h Hypothesis) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("there is no hypothesis %q", id)
	}
	return All[i]
}
