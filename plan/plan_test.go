package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/probe/probetest"
)

// probe is a probe that makes one trial of a case.
type probe struct {
	name   string
	absent *assay.Absence
	tools  []assay.Tool
}

func (p probe) Spec() assay.Spec { return assay.Spec{Name: p.name, Tools: p.tools} }
func (p probe) Trials(_ assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	s := assay.Subject{ID: "box/cpu/cpu", Host: "box", Kind: assay.KindCPU}
	return []assay.Trial{{ID: p.name + "/" + c.Name + "@" + s.ID, Probe: p.name, Case: c.Name, Subject: s, Absent: p.absent}}, nil
}
func (probe) Run(context.Context, assay.Trial, assay.Bench) (assay.Transcript, error) {
	return assay.Transcript{}, nil
}
func (probe) Parse(assay.Transcript) ([]assay.Measurement, error) { return nil, nil }

func cases(n int, seconds float64) []assay.Case {
	var out []assay.Case
	for i := range n {
		out = append(out, assay.Case{Probe: "p", Name: fmt.Sprintf("c%d", i), Title: "t", On: assay.KindCPU, Seconds: seconds})
	}
	return out
}

func mustMake(t *testing.T, s suite.Suite, o Options, p probe) Plan {
	t.Helper()
	got, err := Make(assay.Inventory{Facts: map[string]assay.Facts{"box": {Host: "box", Packager: "apt"}}}, s, []assay.Probe{p}, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func five(n int, seconds float64) suite.Suite {
	return suite.Suite{Name: "s", Budget: 5 * time.Minute, Repeats: 6, Cases: cases(n, seconds)}
}

func TestRepeatsAreStretchedToTheBudget(t *testing.T) {
	p := mustMake(t, five(4, 5), Options{Seed: 1}, probe{name: "p"})
	if p.Estimate > p.Budget || p.Estimate < p.Budget-15*time.Second {
		t.Errorf("the plan takes %s of %s", p.Estimate, p.Budget)
	}
	if p.Trials[0].Length < 10*time.Second || p.Trials[0].Quick {
		t.Errorf("four cases of six repeats in five minutes measure %s each, quick %v", p.Trials[0].Length, p.Trials[0].Quick)
	}
}

func TestShortRepeatsAreAQuickLook(t *testing.T) {
	p := mustMake(t, five(40, 5), Options{Seed: 1}, probe{name: "p"})
	if p.Trials[0].Length < time.Second {
		t.Errorf("repeats of %s would be rejected", p.Trials[0].Length)
	}
	if !p.Trials[0].Quick || p.Estimate > p.Budget {
		t.Errorf("quick %v, estimate %s of %s", p.Trials[0].Quick, p.Estimate, p.Budget)
	}
}

func TestABudgetThatIsTooLittleMeansFewerRepeats(t *testing.T) {
	p := mustMake(t, five(10, 5), Options{Seed: 1, Budget: 30 * time.Second}, probe{name: "p"})
	if p.Trials[0].Repeats >= 6 || len(p.Notes) != 1 || p.Estimate > p.Budget {
		t.Errorf("%d repeats, notes %v, estimate %s of %s", p.Trials[0].Repeats, p.Notes, p.Estimate, p.Budget)
	}
	// The budget that the note suggests is enough.
	_, after, _ := strings.Cut(p.Notes[0].Text, "--time-budget ")
	word, _, _ := strings.Cut(after, " ")
	enough, err := time.ParseDuration(word)
	if err != nil || !strings.HasPrefix(p.Notes[0].Text, fmt.Sprintf("30s is enough for %d short repeat", p.Trials[0].Repeats)) {
		t.Fatalf("%v: %q", err, p.Notes[0].Text)
	}
	if p = mustMake(t, five(10, 5), Options{Seed: 1, Budget: enough}, probe{name: "p"}); p.Trials[0].Repeats != 6 || len(p.Notes) != 0 {
		t.Errorf("%s: %d repeats, notes %v", enough, p.Trials[0].Repeats, p.Notes)
	}
	if p = mustMake(t, five(10, 5), Options{Seed: 1, Budget: enough - time.Minute}, probe{name: "p"}); len(p.Notes) == 0 {
		t.Errorf("%s is enough as well", p.Budget)
	}
}

func TestALongestRepeatIsKept(t *testing.T) {
	s := five(2, 1)
	s.Cases[0].Longest = 2
	p := mustMake(t, s, Options{Seed: 1}, probe{name: "p"})
	if p.Trials[0].Length != 2*time.Second || p.Trials[1].Length < 20*time.Second {
		t.Errorf("seconds %s and %s: the first may be 2 s, the second takes the rest", p.Trials[0].Length, p.Trials[1].Length)
	}
}

// A second of full load warms nothing up: such a case keeps its length when the others
// are shortened, but does not take the whole budget.
func TestAShortestRepeatIsKept(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{2 * time.Minute: 8 * time.Second, 50 * time.Second: 5 * time.Second} {
		s := five(10, 8)
		s.Cases[0].Once, s.Cases[0].Shortest = true, 8
		p := mustMake(t, s, Options{Seed: 1, Budget: budget, Repeats: 4}, probe{name: "p"})
		if p.Trials[0].Length != want || p.Trials[1].Length >= want {
			t.Errorf("in %s: %s and %s, want %s for the first alone", budget, p.Trials[0].Length, p.Trials[1].Length, want)
		}
	}
}

func TestOrder(t *testing.T) {
	s := five(5, 5)
	s.Cases[0].Order, s.Cases[0].Once = "last", true
	s.Cases[3].Order, s.Cases[3].Once = "first", true
	for i := range s.Cases {
		if s.Cases[i].Order == "" {
			s.Cases[i].Warmup = 1
		}
	}
	p := mustMake(t, s, Options{Seed: 7}, probe{name: "p"})
	if p.Schedule[0] != (Slot{3, 1}) || p.Schedule[len(p.Schedule)-1] != (Slot{0, 1}) {
		t.Errorf("first %v, last %v", p.Schedule[0], p.Schedule[len(p.Schedule)-1])
	}
	middle := p.Schedule[1 : len(p.Schedule)-1]
	for i := range 3 {
		if middle[i].Repeat != 0 {
			t.Errorf("slot %d is %v, want a warm-up", i, middle[i])
		}
	}
	// Interleaved: every round has every trial once.
	for round := range 6 {
		seen := map[int]bool{}
		for _, slot := range middle[3+3*round : 6+3*round] {
			if slot.Repeat != round+1 || seen[slot.Trial] {
				t.Fatalf("round %d: %v", round+1, middle[3+3*round:6+3*round])
			}
			seen[slot.Trial] = true
		}
	}
	again := mustMake(t, s, Options{Seed: 7}, probe{name: "p"})
	if diff := cmp.Diff(p, again); diff != "" {
		t.Errorf("the same seed gave another plan: %s", diff)
	}
	if cmp.Equal(p.Schedule, mustMake(t, s, Options{Seed: 8}, probe{name: "p"}).Schedule) {
		t.Error("another seed gave the same order")
	}
}

func TestChoosing(t *testing.T) {
	s := five(3, 5)
	if p := mustMake(t, s, Options{Only: []string{"c1", "p/c2"}}, probe{name: "p"}); len(p.Trials) != 2 {
		t.Errorf("--only c1,p/c2 chose %d", len(p.Trials))
	}
	if p := mustMake(t, s, Options{Only: []string{"p"}, Skip: []string{"c1"}}, probe{name: "p"}); len(p.Trials) != 2 {
		t.Errorf("--only p --skip c1 chose %d", len(p.Trials))
	}
	inv := assay.Inventory{}
	_, err := Make(inv, s, []assay.Probe{probe{name: "p"}}, Options{Only: []string{"c11"}})
	if err == nil || !strings.Contains(assay.Hint(err), "c1") {
		t.Errorf("an unknown case: %v, hint %q", err, assay.Hint(err))
	}
	if _, err := Make(inv, s, []assay.Probe{probe{name: "p"}}, Options{Skip: []string{"p"}}); err == nil {
		t.Error("nothing left to run is an error")
	}
	s.Cases[0].Probe = "pp"
	if _, err := Make(inv, s, []assay.Probe{probe{name: "p"}}, Options{}); err == nil || !strings.Contains(err.Error(), `"pp"`) {
		t.Errorf("an unknown probe: %v", err)
	}
}

// A file case that is lent in two ways is two trials, which differ in everything
// that names them and share no space.
func TestWaysOfLending(t *testing.T) {
	inv := probetest.Inventory()
	one := assay.Case{Probe: "fio", Name: "c", Title: "a write", On: assay.KindDirectory, Seconds: 5,
		Set: map[string]string{"rw": "write", "bs": "4k", "engine": "async", "iodepth": "1", "numjobs": "1", "direct": "1", "sync": "0", "size": "256m"}}
	other := one
	other.Lend = assay.Way{"sync": "always", "cache": "none"}
	p, err := Make(inv, suite.Suite{Name: "s", Budget: 5 * time.Minute, Repeats: 3, Cases: []assay.Case{one, other}}, probeall.Probes(), Options{Seed: 1, Only: []string{"c"}})
	if err != nil {
		t.Fatal(err)
	}
	half := len(p.Trials) / 2
	a, b := p.Trials[0], p.Trials[half]
	if a.Scratch == 0 || a.Subject.ID != b.Subject.ID || Space(a) == Space(b) || len(a.Lend) > 0 || b.Lend["sync"] != "always" {
		t.Errorf("%+v and %+v", a, b)
	}
	if b.ID != "fio/c+cache=none+sync=always@"+b.Subject.ID || b.Case != "c+cache=none+sync=always" || b.Title != a.Title+", cache=none, sync=always" {
		t.Errorf("named %s, %s, %q", b.ID, b.Case, b.Title)
	}
	cpu := five(1, 5)
	cpu.Cases[0].Lend = assay.Way{"sync": "always"}
	_, err = Make(inv, cpu, []assay.Probe{probe{name: "p"}}, Options{})
	if err == nil || assay.Hint(err) != "remove lend:" {
		t.Errorf("a CPU was lent: %v", err)
	}
}

func TestMissingAndOldTools(t *testing.T) {
	tools := []assay.Tool{{Name: "fio", Least: "3.1", Packages: map[string]string{"apt": "fio"}}}
	inv := assay.Inventory{Facts: map[string]assay.Facts{"box": {Host: "box", Packager: "apt"}}}
	s := five(1, 5)
	p, err := Make(inv, s, []assay.Probe{probe{name: "p", tools: tools}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Trials[0].Absent
	if a == nil || a.Word != assay.Unknown || !strings.Contains(a.Hint, "apt-get install fio") || len(p.Schedule) != 0 {
		t.Errorf("fio missing: %+v, schedule %v", a, p.Schedule)
	}
	f := inv.Facts["box"]
	f.Tools = []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "fio-2.2.10"}}
	inv.Facts["box"] = f
	if p, _ = Make(inv, s, []assay.Probe{probe{name: "p", tools: tools}}, Options{}); p.Trials[0].Absent == nil || !strings.Contains(p.Trials[0].Absent.Why, "2.2.10") {
		t.Errorf("fio 2.2.10: %+v", p.Trials[0].Absent)
	}
}

// The time budget is hard: whatever the suite, the plan fits, or is down to one
// shortest repeat each.
func TestThePlanFitsItsBudget(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := suite.Suite{Name: "s", Budget: time.Minute, Repeats: 6}
		for i := range rapid.IntRange(1, 12).Draw(r, "cases") {
			s.Cases = append(s.Cases, assay.Case{
				Probe: "p", Name: fmt.Sprint(i), Title: "t", On: assay.KindCPU,
				Seconds: rapid.Float64Range(0, 20).Draw(r, "seconds"),
				Longest: rapid.SampledFrom([]float64{0, 1, 30}).Draw(r, "longest"),
				Once:    rapid.Bool().Draw(r, "once"),
			})
		}
		budget := time.Duration(rapid.IntRange(10, 7200).Draw(r, "budget")) * time.Second
		p, err := Make(assay.Inventory{}, s, []assay.Probe{probe{name: "p"}}, Options{Budget: budget, Seed: 1})
		if err != nil {
			r.Fatal(err)
		}
		if p.Estimate > budget {
			for _, trial := range p.Trials {
				if trial.Repeats > 1 || trial.Length > time.Second {
					r.Fatalf("%s takes %s of %s and still has %d repeats of %s", trial.ID, p.Estimate, budget, trial.Repeats, trial.Length)
				}
			}
		}
	})
}

// On one machine without named devices, the five minutes of the baseline give
// every fio figure its 30 s, so it is more than a quick look.
func TestTheBaselineGivesStorageItsTime(t *testing.T) {
	s, err := suite.Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	inv := probetest.Inventory()
	inv.Subjects = slices.DeleteFunc(inv.Subjects, func(s assay.Subject) bool { return s.Kind == assay.KindDevice })
	p, err := Make(inv, s, probeall.Probes(), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range p.Trials {
		if trial.Probe == "fio" && trial.Quick {
			t.Errorf("%s gets %d × %s", trial.ID, trial.Repeats, trial.Length)
		}
	}
	if p.Estimate > p.Budget {
		t.Errorf("the plan takes %s of %s", p.Estimate, p.Budget)
	}
}
