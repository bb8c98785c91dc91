package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
)

func TestPrecisionIsTheUsersOrTheSuites(t *testing.T) {
	for _, tt := range []struct {
		name  string
		suite float64
		o     Options
		want  float64
	}{
		{"the suite's", .02, Options{}, .02},
		{"the user's", .02, Options{Precision: .1}, .1},
		{"so many repeats and no others", .02, Options{Repeats: 3}, 0},
		{"at least so many", .02, Options{Repeats: 3, Precision: .05}, .05},
		{"switched off", .02, Options{Precision: AsPlanned}, 0},
		{"none", 0, Options{}, 0},
	} {
		s := five(2, 5)
		s.Precision = tt.suite
		p := mustMake(t, s, tt.o, probe{name: "p"})
		if p.Precision != tt.want || p.Trials[0].Precision != tt.want {
			t.Errorf("%s: plan %v, trial %v, want %v", tt.name, p.Precision, p.Trials[0].Precision, tt.want)
		}
	}
	s := five(1, 5)
	s.Precision, s.Cases[0].Once = .02, true
	if p := mustMake(t, s, Options{}, probe{name: "p"}); p.Trials[0].Precision != 0 {
		t.Error("what is measured once by its nature has a precision")
	}
}

// With a precision, spare time goes to more repeats, not longer ones; longer
// ones must be requested.
func TestPreciseRepeatsAreNotStretchedFurtherThanSettles(t *testing.T) {
	for _, tt := range []struct {
		seconds   float64
		precision float64
		longest   time.Duration
		want      time.Duration
	}{
		{5, .02, 0, 5 * time.Second},
		{1, .02, 0, 5 * time.Second}, // 6 x 5 s are the 30 s that settle a figure
		{20, .02, 0, 20 * time.Second},
		{5, .02, 3 * time.Minute, 3 * time.Minute},
		{5, AsPlanned, time.Minute, time.Minute},
		{5, .02, 2 * time.Second, 2 * time.Second},
	} {
		p := mustMake(t, five(2, tt.seconds), Options{Seed: 1, Budget: 2 * time.Hour, Precision: tt.precision, Longest: tt.longest}, probe{name: "p"})
		if got := p.Trials[0].Length; got != tt.want {
			t.Errorf("%v s, precision %v, at most %s: %s, want %s", tt.seconds, tt.precision, tt.longest, got, tt.want)
		}
	}
	if p := mustMake(t, five(2, 5), Options{Seed: 1, Budget: 2 * time.Hour}, probe{name: "p"}); p.Trials[0].Length < 5*time.Minute {
		t.Errorf("without a precision repeats take %s: they fill the budget", p.Trials[0].Length)
	}
}

// seen is a probe that records the case it gets.
type seen struct {
	probe
	longest map[string]float64
}

func (s seen) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	s.longest[c.Name] = c.Longest
	return s.probe.Trials(inv, c)
}

// A length that the user requests overrides any stretching of the case, and the
// probe gets it. Cases that are measured once keep their own.
func TestALengthIsTheUsers(t *testing.T) {
	s := five(2, 2)
	s.Precision, s.Cases[0].Longest, s.Cases[1].Longest, s.Cases[1].Once = .05, 30, 10, true
	for _, tt := range []struct {
		longest, budget, want, once time.Duration
	}{
		{0, 10 * time.Hour, 5 * time.Second, 10 * time.Second},
		{10 * time.Minute, 10 * time.Hour, 10 * time.Minute, 10 * time.Second},
		{20 * time.Second, 10 * time.Hour, 20 * time.Second, 10 * time.Second},
		{4 * time.Second, 10 * time.Hour, 4 * time.Second, 4 * time.Second},
	} {
		asked := seen{probe{name: "p"}, map[string]float64{}}
		p, err := Make(assay.Inventory{Facts: map[string]assay.Facts{"box": {Host: "box"}}}, s, []assay.Probe{asked}, Options{Seed: 1, Budget: tt.budget, Longest: tt.longest})
		if err != nil {
			t.Fatal(err)
		}
		if got, once := p.Trials[0].Length, p.Trials[1].Length; got != tt.want || once != tt.once {
			t.Errorf("--length %s: %s and once %s, want %s and %s", tt.longest, got, once, tt.want, tt.once)
		}
		told := 30.
		if tt.longest > 0 {
			told = tt.longest.Seconds()
		}
		if asked.longest["c0"] != told || asked.longest["c1"] != 10 {
			t.Errorf("--length %s: the probe was told %v", tt.longest, asked.longest)
		}
		if len(p.Notes) > 0 {
			t.Errorf("--length %s: %v", tt.longest, p.Notes)
		}
	}
	// A note says so if the budget makes them short.
	p := mustMake(t, s, Options{Seed: 1, Budget: 5 * time.Minute, Longest: 10 * time.Minute}, probe{name: "p"})
	if len(p.Notes) != 1 || p.Notes[0].ID != "length" || !strings.Contains(p.Notes[0].Text, "--time-budget") || p.Trials[0].Length >= EndsFrom {
		t.Errorf("%s: %v", p.Trials[0].Length, p.Notes)
	}
}

// imprecisely returns a run whose one figure is not known to 2 %.
func imprecisely(repeats int) assay.Run {
	r := assay.Result{Trial: assay.Trial{
		ID: "fio/x@box", Probe: "fio", Case: "x", Repeats: 6, Precision: .02, Length: 5 * time.Second, Overhead: time.Second,
		Subject: assay.Subject{Host: "box"}, Settings: map[string]string{"bs": "4k"},
	}}
	for n := 1; n <= repeats; n++ {
		r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "storage.read.iops", Value: 1000 + 400*float64(n%2), Unit: assay.PerSecond},
		}})
	}
	return assay.Run{ID: "r1", Suite: "s", Budget: time.Minute, Elapsed: time.Minute, Results: []assay.Result{r}}
}

// A finished run can be resumed to improve its precision, given more time.
func TestARunIsGoneOnWithUntilItsFiguresAreKnown(t *testing.T) {
	run := imprecisely(6)
	_, _, err := Again(run, suite.Suite{}, 0)
	if !errors.Is(err, ErrNothingLeft) || !strings.Contains(assay.Hint(err), "--time-budget") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	p, again, err := Again(run, suite.Suite{}, 10*time.Minute)
	if err != nil || p.Precision != .02 || p.Budget != 10*time.Minute || len(p.Schedule) != 0 || len(again) != 0 {
		t.Errorf("%+v, %v, %v", p, again, err)
	}
	run.Results[0].Trial.Warmup = time.Second
	run.Results[0].Repeats = append([]assay.Repeat{{N: 0, Outcome: assay.Done}}, run.Results[0].Repeats...)
	if p, again, err := Again(run, suite.Suite{}, 10*time.Minute); err != nil || fmt.Sprint(p.Schedule) != "[{0 0}]" || fmt.Sprint(again) != "map[fio/x@box:[0]]" {
		t.Errorf("its scratch space is new and it is not warmed up: %v, %v, %v", p.Schedule, again, err)
	}
	run.Results[0].Trial.Precision = 0
	if _, _, err := Again(run, suite.Suite{}, 10*time.Minute); !errors.Is(err, ErrNothingLeft) {
		t.Errorf("%v", err)
	}
}

// A repeat that was being added when the run ended is dropped: it is added again
// if still needed.
func TestAddedRepeatsThatBrokeAreDropped(t *testing.T) {
	run := imprecisely(8)
	run.Results[0].Repeats[1].Outcome = assay.Broke
	run.Results[0].Repeats[7].Outcome = assay.Interrupted
	p, again, err := Again(run, suite.Suite{}, 0)
	if err != nil || fmt.Sprint(p.Schedule) != "[{0 2}]" || fmt.Sprint(again) != "map[fio/x@box:[2 8]]" {
		t.Errorf("%v, %v, %v", p.Schedule, again, err)
	}
}
