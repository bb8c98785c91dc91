package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
)

// images returns three hosts of a tier of images.
func images() assay.Inventory {
	inv := assay.Inventory{File: "rbd.yaml", Facts: map[string]assay.Facts{}, Tiers: []assay.Tier{{Name: "images"}}}
	for _, host := range []string{"a", "b", "c"} {
		inv.Hosts = append(inv.Hosts, assay.Host{Name: host})
		inv.Facts[host] = assay.Facts{Host: host, CPU: assay.CPUFacts{Threads: 4}, Tools: []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "fio-3.33"}}}
		inv.Tiers[0].Hosts = append(inv.Tiers[0].Hosts, host)
		inv.Subjects = append(inv.Subjects, assay.Subject{ID: host + "/image/images", Host: host, Kind: assay.KindImage, Name: "images", Tier: "images", Volume: "rbd"})
	}
	return inv
}

func planRBD(t *testing.T, budget time.Duration) Plan {
	t.Helper()
	s, err := suite.Load("rbd")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Make(images(), s, probeall.Probes(), Options{Budget: budget, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func noteOf(p Plan, id string) string {
	var all []string
	for _, n := range p.Notes {
		if n.ID == id {
			all = append(all, n.Text)
		}
	}
	return strings.Join(all, "\n")
}

// A minute is too short for the suite: the plan fits, including the time to fill
// the images and at least one repeat, and lists what it leaves out by name.
func TestAMinuteOfImagesLeavesCasesOut(t *testing.T) {
	p := planRBD(t, time.Minute)
	if p.Estimate > p.Budget || p.Filling < 2*(p.Prepare+assumedLending) {
		t.Errorf("it takes %s of %s, %s of it fill the images of one host", p.Estimate, p.Budget, p.Filling)
	}
	note, left, kept := noteOf(p, "budget"), 0, 0
	for _, one := range p.Trials {
		switch {
		case one.Absent == nil:
			kept++
		case one.Absent.Word == assay.NoData && one.Scratch == 0 && strings.Contains(one.Absent.Hint, "--time-budget"):
			left++
			if !strings.Contains(note, one.Case) {
				t.Errorf("%s was left out, and the note says %q", one.Case, note)
			}
		default:
			t.Errorf("%s is absent: %+v", one.ID, one.Absent)
		}
	}
	if left == 0 || kept < 8 || p.Trials[0].Absent != nil {
		t.Errorf("%d trials are left, %d were left out; the first case: %+v", kept, left, p.Trials[0].Absent)
	}
	if shrunk := noteOf(p, "filling"); !strings.Contains(shrunk, "for at most 5s") || !strings.Contains(shrunk, "1 GiB") || !strings.Contains(shrunk, "assumed 100 MB/s") {
		t.Errorf("of the image's size it says %q", shrunk)
	}
}

// The suite's default budget fits every case, with a GiB written in time at the assumed
// rate; the budget that the notes suggest is enough.
func TestTheOwnBudgetOfImagesLeavesNothingOut(t *testing.T) {
	word := strings.Fields(strings.SplitAfter(noteOf(planRBD(t, time.Minute), "budget"), "--time-budget ")[1])[0]
	enough, err := time.ParseDuration(word)
	if err != nil {
		t.Fatal(err)
	}
	for _, budget := range []time.Duration{0, enough} {
		p := planRBD(t, budget)
		for _, one := range p.Trials {
			if one.Absent != nil {
				t.Errorf("%s: %s is left out: %+v", p.Budget, one.ID, one.Absent)
			}
		}
		if p.Estimate > p.Budget || noteOf(p, "budget") != "" {
			t.Errorf("%s of %s, %q", p.Estimate, p.Budget, noteOf(p, "budget"))
		}
	}
	if p := planRBD(t, 0); noteOf(p, "filling") != "" {
		t.Errorf("a GiB takes 11 s of the %s there are: %q", p.Prepare, noteOf(p, "filling"))
	}
}

// Measured times replace assumed ones: the slowest counts, and prepared space takes no
// time.
func TestFillingIsLearned(t *testing.T) {
	p := Plan{Prepare: time.Minute}
	for _, host := range []string{"a", "b"} {
		p.Trials = append(p.Trials, assay.Trial{Subject: assay.Subject{ID: host, Host: host, Tier: "x"}, Scratch: 1e9, Length: time.Second})
	}
	slots := []Slot{{0, 1}, {1, 1}}
	var so Filled
	for _, c := range []struct {
		lending, filling time.Duration
		want             time.Duration
	}{
		{0, 0, assumedLending + 10*time.Second},
		{time.Second, 20 * time.Second, 21 * time.Second},
		{2 * time.Second, 5 * time.Second, 22 * time.Second},
		{time.Second, 5 * time.Minute, 62 * time.Second},
	} {
		so.Learn(1e9, c.lending, c.filling)
		if got := p.CourseFrom(slots, nil, so) - time.Second; got != c.want {
			t.Errorf("after %+v: %s, want %s", c, got, c.want)
		}
	}
	ready := func(space string) bool { return space == Space(p.Trials[0]) }
	if got := fmt.Sprint(p.CourseFrom(slots[:1], ready, so), p.CourseFrom(slots, ready, so)); got != "1s 1m3s" {
		t.Errorf("with one of them ready they take %s", got)
	}
}

// With one repeat each, a run that is slower than planned ends with figures, not just
// with warm-ups.
func TestOneRepeatFollowsItsWarmup(t *testing.T) {
	p := planRBD(t, time.Minute)
	for i := 0; i < len(p.Schedule); i += 2 {
		if w, r := p.Schedule[i], p.Schedule[i+1]; w.Repeat != 0 || r != (Slot{w.Trial, 1}) {
			t.Fatalf("slots %d: %v, then %v", i, w, r)
		}
	}
}
