package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
)

// onTier returns a trial in a directory that is a host's part of a tier.
func onTier(tier, host string, edit ...func(*assay.Trial)) assay.Trial {
	t := directory(host, "/mnt/"+tier)
	t.ID, t.Probe, t.Case, t.Title = "p/c@"+t.Subject.ID, "p", "c", "write"
	t.Subject.Tier, t.Risk, t.Volume, t.Scratch = tier, assay.Writes, "dir", 1<<30
	t.Settings = map[string]string{"rw": "write", "size": fmt.Sprint(t.Scratch)}
	for _, e := range edit {
		e(&t)
	}
	return t
}

func sized(n int64) func(*assay.Trial) {
	return func(t *assay.Trial) {
		t.Scratch, t.Settings = n, map[string]string{"rw": "write", "size": fmt.Sprint(n)}
	}
}

func engine(name string) func(*assay.Trial) {
	return func(t *assay.Trial) { t.Settings["engine"] = name }
}

func absent(t *assay.Trial) { t.Absent = &assay.Absence{Word: assay.Unknown, Why: "no tool"} }

// planned plans one case on these trials, together or not.
func planned(t *testing.T, inv assay.Inventory, trials []assay.Trial, alone bool) Plan {
	t.Helper()
	p, err := Make(inv, suite.Suite{
		Name: "s", Budget: 10 * time.Minute, Repeats: 3,
		Cases: []assay.Case{{Probe: "p", Name: "c", Title: "write", Seconds: 5, Longest: 5, Warmup: 1, Together: !alone}},
	}, []assay.Probe{given{probe{name: "p"}, trials}}, Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// said returns the multi-host trials of a plan, each with its hosts.
func said(p Plan) string {
	var words []string
	for _, t := range p.Trials {
		if len(t.Others) == 0 {
			continue
		}
		word := t.Subject.Tier + ":" + t.Subject.Host
		for _, s := range t.Others {
			word += "+" + s.Host
		}
		if t.Absent != nil {
			word += " not"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func TestTrialsOnSeveralHosts(t *testing.T) {
	many := func(n int) (all []assay.Trial) {
		for i := range n {
			all = append(all, onTier("sd", host(i)))
		}
		return all
	}
	link := way("a", "b", "storage")
	link.Subject.Tier = "sd"
	second := onTier("sd", "a", func(t *assay.Trial) { t.Subject.ID += "/second" })
	for _, c := range []struct {
		name   string
		inv    assay.Inventory
		trials []assay.Trial
		want   string
	}{
		{"one host", assay.Inventory{}, many(1), ""},
		{"no tier", assay.Inventory{}, []assay.Trial{directory("a", "/x"), directory("b", "/x")}, ""},
		{"three hosts", assay.Inventory{}, many(3), "sd:pve0+pve1, sd:pve0+pve1+pve2"},
		{"two tiers", assay.Inventory{}, []assay.Trial{onTier("sd", "a"), onTier("usb", "a"), onTier("sd", "b"), onTier("usb", "b"), onTier("nfs", "b")}, "sd:a+b, usb:a+b"},
		{"the tier's order", assay.Inventory{Tiers: []assay.Tier{{Name: "usb", Hosts: []string{"a"}}, {Name: "sd", Hosts: []string{"c", "b", "a"}}}},
			[]assay.Trial{onTier("sd", "a"), onTier("sd", "b"), onTier("sd", "c")}, "sd:c+b, sd:c+b+a"},
		{"one that cannot", assay.Inventory{}, []assay.Trial{onTier("sd", "a"), onTier("sd", "b", absent), onTier("sd", "c")}, "sd:a+c"},
		{"links", assay.Inventory{}, []assay.Trial{link, onTier("sd", "b")}, ""},
		{"twice on one host", assay.Inventory{}, []assay.Trial{onTier("sd", "a"), second, onTier("sd", "b")}, "sd:a+b"},
		{"unlike settings", assay.Inventory{}, []assay.Trial{onTier("sd", "a", engine("io_uring")), onTier("sd", "b", engine("io_uring")), onTier("sd", "c", engine("libaio"))}, "sd:a+b, sd:a+b+c not"},
	} {
		if got := said(planned(t, c.inv, c.trials, false)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := said(planned(t, c.inv, c.trials, true)); got != "" {
			t.Errorf("%s: %s of a case that is not together", c.name, got)
		}
	}
	if got := said(planned(t, assay.Inventory{}, many(9), false)); strings.Count(got, "sd:") != 4 {
		t.Errorf("of nine hosts: %s", got)
	}
}

func TestATrialOnSeveralHostsSaysSo(t *testing.T) {
	trials := []assay.Trial{onTier("sd", "a", sized(4<<30)), onTier("sd", "b", sized(1<<30)), onTier("sd", "c", sized(2<<30))}
	p := planned(t, assay.Inventory{Resources: []assay.Resource{{Name: "switch", Hosts: []string{"c"}}, {Name: "rack", Hosts: []string{"a", "b"}}}}, trials, false)
	ids := map[string]bool{}
	for _, trial := range p.Trials {
		if ids[trial.ID] {
			t.Errorf("%s is there twice", trial.ID)
		}
		ids[trial.ID] = true
	}
	two, three := p.Trials[3], p.Trials[4]
	if three.ID != "p/c-3-hosts@a/directory//mnt/sd" || three.Title != "write on 3 hosts at once" || three.Case != "c-3-hosts" {
		t.Errorf("%q, %q, %q", three.ID, three.Title, three.Case)
	}
	if two.Scratch != 1<<30 || three.Scratch != 1<<30 || three.Settings["size"] != fmt.Sprint(1<<30) {
		t.Errorf("scratch space of %d and %d, settings %v; want that of the host with the least", two.Scratch, three.Scratch, three.Settings)
	}
	if p.Trials[0].Scratch != 4<<30 || p.Trials[0].Case != "c" {
		t.Errorf("the ordinary trial is %+v", p.Trials[0])
	}
	if got, want := strings.Join(Needs(three), " "), "host/a host/b host/c shared/rack shared/switch"; sorted(got) != want {
		t.Errorf("it needs %s, want %s", got, want)
	}
	if got, want := strings.Join(Needs(two), " "), "host/a host/b shared/rack"; sorted(got) != want {
		t.Errorf("two hosts need %s, want %s", got, want)
	}
	for _, claim := range []string{"a/directory//mnt/sd", "b/directory//mnt/sd", "c/directory//mnt/sd"} {
		if !slices.Contains(three.Claims, claim) {
			t.Errorf("it does not claim %s: %v", claim, three.Claims)
		}
	}
	if three.Length != 5*time.Second || three.Warmup != time.Second || three.Repeats != 3 || three.Bound < three.Length {
		t.Errorf("%s, warm-up %s, %d repeats, bound %s", three.Length, three.Warmup, three.Repeats, three.Bound)
	}
}

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// The estimate is right: hosts run their own trials in parallel, multi-host trials
// run by themselves, and scratch space is prepared on all hosts at once.
func TestTheCourseOfSeveralHosts(t *testing.T) {
	var trials []assay.Trial
	for i := range 3 {
		trials = append(trials, onTier("sd", host(i)))
	}
	p := planned(t, assay.Inventory{}, trials, false)
	p.Prepare = time.Second // less than a GiB takes
	ready := assumedLending + p.Prepare
	repeat, warmup := 5*time.Second+startup, time.Second+startup
	if got, want := p.Course(p.Schedule), ready+3*warmup+3*3*repeat; got != want {
		t.Errorf("it takes %s by plan, want %s", got, want)
	}
	joint := slices.IndexFunc(p.Trials, func(t assay.Trial) bool { return len(t.Others) == 2 })
	if got, want := p.Course([]Slot{{joint, 1}, {joint, 2}}), ready+2*repeat; got != want {
		t.Errorf("alone it takes %s by plan, want %s", got, want)
	}
	if p.Estimate > p.Budget {
		t.Errorf("%s of %s", p.Estimate, p.Budget)
	}
}

// A plan made again from stored data equals the original.
func TestSeveralHostsAgain(t *testing.T) {
	p := planned(t, assay.Inventory{}, []assay.Trial{onTier("sd", "a"), onTier("sd", "b"), onTier("sd", "c")}, false)
	done := map[Slot]assay.Outcome{}
	for _, s := range p.Schedule[:len(p.Schedule)/2] {
		done[s] = assay.Done
	}
	run := stopped(p, done)
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	run = assay.Run{}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	again, _, err := Again(run, suite.Suite{Title: "t"}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(again.Trials) != fmt.Sprint(p.Trials) {
		t.Errorf("trials %+v, want %+v", again.Trials, p.Trials)
	}
	var rest []Slot
	for _, s := range again.Schedule {
		if s.Repeat > 0 {
			rest = append(rest, s)
		}
	}
	var want []Slot
	for _, s := range p.Schedule[len(p.Schedule)/2:] {
		if s.Repeat > 0 {
			want = append(want, s)
		}
	}
	if !slices.Equal(rest, want) {
		t.Errorf("left are %v, want %v", rest, want)
	}
}

// A tier on several hosts is measured from the first that can: also if all of
// them are measured at once.
func TestOnePerTier(t *testing.T) {
	inv := assay.Inventory{Tiers: []assay.Tier{{Name: "pvc", Hosts: []string{"a", "b"}}, {Name: "sd", Hosts: []string{"c"}}}}
	on := func(tier, host string, absent bool) assay.Trial {
		trial := assay.Trial{ID: tier + host, Subject: assay.Subject{Tier: tier, Host: host}}
		if absent {
			trial.Absent = &assay.Absence{Word: assay.Unknown}
		}
		return trial
	}
	for _, c := range []struct {
		trials []assay.Trial
		want   string
	}{
		{[]assay.Trial{on("pvc", "b", false), on("pvc", "a", false), on("sd", "c", false), on("", "d", false)}, "pvca sdc d"},
		{[]assay.Trial{on("pvc", "a", true), on("pvc", "b", false)}, "pvcb"},
		{[]assay.Trial{on("pvc", "a", true), on("pvc", "b", true)}, "pvca"},
	} {
		var got []string
		for _, trial := range onePerTier(inv, c.trials) {
			got = append(got, trial.ID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
