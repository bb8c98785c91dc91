package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/plan/suite"
)

// Whatever was planned, and however far the run got: Like plans the same trials,
// with the same lengths and repeats, in an order that depends only on the seed.
func TestLikeIsThePlanOfTheRun(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := anyPlan(r)
		ended := map[Slot]assay.Outcome{}
		for _, s := range p.Schedule {
			ended[s] = rapid.SampledFrom(outcomes).Draw(r, "outcome")
		}
		run := stopped(p, ended)
		loseHosts(r, &run)
		measurable := slices.ContainsFunc(p.Trials, func(t assay.Trial) bool { return t.Absent == nil && t.Repeats > 0 })
		whole := !slices.ContainsFunc(p.Trials, func(t assay.Trial) bool { return t.Absent == nil && t.Repeats == 0 })
		got, err := Like(run, suite.Suite{Title: "title"}, nil, Options{Seed: 9})
		if !measurable || !whole {
			if !errors.Is(err, ErrNotMeasured) {
				r.Fatalf("nothing to be measured again: %v", err)
			}
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		for i, want := range p.Trials {
			is := got.Trials[i]
			if want.Absent != nil {
				if is.Absent == nil || is.Absent.Word != want.Absent.Word || !strings.HasSuffix(is.Absent.Why, want.Absent.Why) {
					r.Fatalf("absence %+v, was %+v", is.Absent, want.Absent)
				}
				continue
			}
			if diff := cmp.Diff(want, is); diff != "" {
				r.Fatalf("another trial than planned: %s", diff)
			}
		}
		if diff := cmp.Diff(schedule(got.Trials, 9), got.Schedule); diff != "" || got.Seed != 9 {
			r.Fatalf("another order than the seed's: %s", diff)
		}
		if got.Budget < p.Budget || float64(got.Budget) < 1.15*float64(got.Estimate) || len(got.Notes) > 0 {
			r.Fatalf("budget %s for %s, was %s; %v", got.Budget, got.Estimate, p.Budget, got.Notes)
		}
		short, err := Like(run, suite.Suite{}, nil, Options{Seed: 9, Budget: got.Estimate - time.Second})
		if err != nil || len(short.Notes) != 1 || !slices.Equal(short.Schedule, got.Schedule) {
			r.Fatalf("too short a budget: notes %v, %v", short.Notes, err)
		}
	})
}

// anySize accepts any size of scratch space.
type anySize struct{ assay.Probe }

func (anySize) Spec() assay.Spec {
	return assay.Spec{Name: "p", Tools: []assay.Tool{{Name: "tool"}}}
}

func (anySize) Sized(t assay.Trial, was assay.Scratch) assay.Trial {
	t.Scratch = was.Bytes
	return t
}

// onDisk returns a run of two trials on a host: one with scratch space smaller
// than requested, one on a device as it is.
func onDisk() assay.Run {
	dir := assay.Subject{ID: "pve1/directory//srv", Kind: assay.KindDirectory, Host: "pve1", Name: "/srv"}
	dev := assay.Subject{ID: "pve1/device//dev/sdb", Kind: assay.KindDevice, Host: "pve1", Name: "/dev/sdb"}
	sensor := assay.Subject{ID: "pve1/thermal/x", Kind: assay.KindThermal, Host: "pve1", Name: "x"}
	trial := func(s assay.Subject, scratch int64) assay.Trial {
		return assay.Trial{ID: "p/c@" + s.ID, Probe: "p", Case: "c", Subject: s, Repeats: 6, Length: time.Second, Scratch: scratch}
	}
	return assay.Run{
		ID: "r", Budget: time.Minute,
		Results:   []assay.Result{{Trial: trial(dir, 4<<30), Scratch: assay.Scratch{Bytes: 1 << 30}}, {Trial: trial(dev, 0)}, {Trial: trial(sensor, 0)}},
		Inventory: machine(1<<40, "tool", dir, dev, sensor),
	}
}

func machine(bytes int64, tool string, subjects ...assay.Subject) assay.Inventory {
	return assay.Inventory{
		Hosts: []assay.Host{{Name: "pve1"}}, Subjects: subjects,
		Facts: map[string]assay.Facts{"pve1": {
			Host: "pve1", Tools: []assay.ToolFacts{{Name: tool, Path: "/bin/" + tool}}, Block: []assay.BlockDevice{{Name: "sdb", Bytes: bytes}},
		}},
	}
}

func TestLikeHasTheSizesOfTheRun(t *testing.T) {
	p, err := Like(onDisk(), suite.Suite{}, []assay.Probe{anySize{}}, Options{Seed: 1})
	if err != nil || p.Trials[0].Scratch != 1<<30 || p.Trials[1].Scratch != 0 {
		t.Fatalf("%+v: %v", p.Trials, err)
	}
	if usual := readying(time.Minute); p.Prepare <= usual {
		t.Errorf("the file may take %s to write, which made it as small as it is", p.Prepare)
	}
}

// A requested size applies to every scratch space, and to nothing else.
func TestSizesThatAreAskedFor(t *testing.T) {
	inv := assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Subjects: []assay.Subject{{ID: "pve1/cpu", Kind: assay.KindCPU, Host: "pve1"}}}
	for asked, want := range map[int64]int64{0: 4 << 30, 64 << 20: 64 << 20} {
		p, err := Make(inv, suite.Suite{Budget: time.Minute, Repeats: 1, Cases: []assay.Case{{Name: "file", Probe: "p"}, {Name: "none", Probe: "p"}}},
			[]assay.Probe{&twoTrials{}}, Options{Size: asked})
		if err != nil || p.Trials[0].Scratch != want || p.Trials[1].Scratch != 0 {
			t.Errorf("%d: %+v, %v", asked, p.Trials, err)
		}
	}
}

// A requested size overrides the suite's fixed size in the check for room.
func TestASizeThatIsAskedForIsTheOneThatHasToFit(t *testing.T) {
	inv := assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Subjects: []assay.Subject{{ID: "pve1/cpu", Kind: assay.KindCPU, Host: "pve1"}}}
	for want, c := range map[string]assay.Case{
		"67108864": {Name: "file", Probe: "p", Set: map[string]string{"size": "256m"}}, "256m": {Name: "file", Probe: "p", On: assay.KindDrive, Set: map[string]string{"size": "256m"}},
		"": {Name: "file", Probe: "p", Set: map[string]string{"bs": "4k"}},
	} {
		seen := &twoTrials{}
		if _, err := Make(inv, suite.Suite{Budget: time.Minute, Repeats: 1, Cases: []assay.Case{c}}, []assay.Probe{seen}, Options{Size: 64 << 20}); err != nil || seen.asked["size"] != want {
			t.Errorf("%v becomes %v, %v", c.Set, seen.asked, err)
		}
	}
}

// twoTrials gives the case file a trial with scratch space.
type twoTrials struct {
	anySize
	asked map[string]string
}

func (p *twoTrials) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	p.asked = c.Set
	t := assay.Trial{ID: c.Name, Probe: "p", Case: c.Name, Subject: inv.Subjects[0]}
	if c.Name == "file" {
		t.Scratch = 4 << 30
	}
	return []assay.Trial{t}, nil
}

func TestLikeNeedsWhatWasMeasured(t *testing.T) {
	run := onDisk()
	dir, dev, sensor := run.Results[0].Trial.Subject, run.Results[1].Trial.Subject, run.Results[2].Trial.Subject
	newer := dir
	newer.On = []string{"pve1/drive/nvme0n1"}
	elsewhere := machine(1<<40, "tool", dir, dev, sensor)
	elsewhere.Hosts[0].Name = "pve2"
	down := elsewhere
	down.Hosts, down.Facts, down.Subjects = []assay.Host{{Name: "pve1", Absent: &assay.Absence{Word: assay.Unknown}}}, nil, nil
	for _, test := range []struct {
		name   string
		is     assay.Inventory
		err    string
		absent string // trials, as numbers
	}{
		{"as it was", machine(1<<40, "tool", newer, dev, sensor), "", ""},
		{"no directory", machine(1<<40, "tool", dev, sensor), "directory /srv on pve1: not found", ""},
		{"no device", machine(1<<40, "tool", dir, sensor), "device /dev/sdb on pve1: not found", ""},
		{"a smaller device", machine(1<<39, "tool", dir, dev, sensor), "device /dev/sdb on pve1 has another size: it had 1099511627776 B, and has 549755813888 B", ""},
		{"no sensor", machine(1<<40, "tool", dir, dev), "", "2"},
		{"no tool", machine(1<<40, "other", dir, dev, sensor), "", "0 1 2"},
		{"another host", elsewhere, "host pve1: not found", ""},
		{"the host is down", down, "", ""},
	} {
		p, err := Like(run, suite.Suite{}, []assay.Probe{anySize{}}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		p, err = p.Present(run.Inventory, test.is, []assay.Probe{anySize{}})
		if err != nil || test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: %v, want %q", test.name, err, test.err)
			}
			continue
		}
		var absent []string
		for i, trial := range p.Trials {
			if trial.Absent != nil {
				absent = append(absent, fmt.Sprint(i))
			}
		}
		if got := strings.Join(absent, " "); got != test.absent || len(p.Schedule) != 6*(3-len(absent)) {
			t.Errorf("%s: absent %q, want %q; %d slots", test.name, got, test.absent, len(p.Schedule))
		}
		if test.name == "as it was" && !slices.Equal(p.Trials[0].Subject.On, newer.On) {
			t.Errorf("%+v does not stand on what it stands on now", p.Trials[0].Subject)
		}
	}
}
