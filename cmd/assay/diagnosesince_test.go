package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/incident"
)

// linuxRun returns a run of host alpha under the given kernel.
func linuxRun(id string, begun time.Time, kernel string) assay.Run {
	run := plainRun(id, begun)
	run.Inventory.Facts = map[string]assay.Facts{"alpha": {Host: "alpha", OS: assay.OSFacts{Kernel: kernel}}}
	return run
}

func storedRuns(t *testing.T, runs ...assay.Run) *app {
	t.Helper()
	a := newApp(nil, io.Discard, io.Discard)
	a.db = filepath.Join(t.TempDir(), "db")
	st, err := a.openStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, run := range runs {
		if err := st.Begin(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		var trials []assay.Trial
		for _, r := range run.Results {
			trials = append(trials, r.Trial)
		}
		if err := st.AddTrials(t.Context(), run.ID, trials); err != nil {
			t.Fatal(err)
		}
		for _, r := range run.Results {
			for _, repeat := range r.Repeats {
				if err := st.AddRepeat(t.Context(), run.ID, r.Trial.ID, repeat); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := st.SetFindings(t.Context(), run.ID, run.Findings); err != nil {
			t.Fatal(err)
		}
		if err := st.Finish(t.Context(), run.ID, assay.RunDone, time.Second, nil); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func noon(day int) time.Time { return time.Date(2026, 9, day, 12, 0, 0, 0, time.UTC) }

func runID(day int) string { return fmt.Sprintf("202609%02d-120000-00000a", day) }

// Changes are reported against the newest run from before the trouble, for the diagnosed
// hosts.
func TestWhatChangedSinceItWasWell(t *testing.T) {
	t.Parallel()
	a := storedRuns(t, linuxRun(runID(1), noon(1), "6.1"), linuxRun(runID(2), noon(2), "6.5"), linuxRun(runID(4), noon(4), "6.8"))
	now := func(context.Context) ([]assay.Facts, error) {
		return []assay.Facts{{Host: "alpha", OS: assay.OSFacts{Kernel: "6.8"}}, {Host: "beta"}}, nil
	}
	since := func(ask asker, evidence ...incident.Event) (string, bool, []string, string) {
		t.Helper()
		p, err := a.pastOf(t.Context(), []string{"alpha", "beta"}, ask)
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.since(t.Context(), p, evidence)
		if err != nil {
			t.Fatal(err)
		}
		return s.Run, s.Before, s.Facts, s.Absent
	}
	failed := incident.Event{Kind: incident.IOError, First: incident.When{Wall: noon(3)}}
	if run, before, facts, absent := since(now, failed); run != runID(2) || !before || absent != "" || len(facts) != 1 || !strings.HasPrefix(facts[0], "alpha: ") || !strings.Contains(facts[0], "6.5") || !strings.Contains(facts[0], "6.8") {
		t.Errorf("%s %t %q %s", run, before, facts, absent)
	}
	// Without a time the newest run is used, but not called well.
	if run, before, facts, _ := since(now); run != runID(4) || before || len(facts) > 0 {
		t.Errorf("%s %t %q", run, before, facts)
	}
	if run, _, _, absent := since(func(context.Context) ([]assay.Facts, error) { return nil, errors.New("no time") }, failed); run != runID(2) || absent != "no time" {
		t.Errorf("%s %q", run, absent)
	}
	if run, _, _, absent := since(nil, failed); run != runID(2) || absent == "" {
		t.Errorf("%s %q", run, absent)
	}
	if p, err := a.pastOf(t.Context(), []string{"gamma"}, now); err != nil || len(p.runs) > 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// A diagnosis does not create a database.
func TestDiagnosisMakesNoDatabase(t *testing.T) {
	t.Parallel()
	a := newApp(nil, io.Discard, io.Discard)
	a.db = filepath.Join(t.TempDir(), "db")
	if p, err := a.pastOf(t.Context(), []string{"alpha"}, nil); err != nil || len(p.runs) > 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if files, err := filepath.Glob(a.db + "*"); err != nil || len(files) > 0 {
		t.Errorf("it made %q, %v", files, err)
	}
}

// slowedRuns returns a run a day, whose reads take four times as long from day 13 on;
// each may be changed.
func slowedRuns(days int, change func(day int, run *assay.Run)) (runs []assay.Run) {
	for day := 1; day <= days; day++ {
		run := plainRun(runID(day), noon(day))
		level := 1.
		if day > 12 {
			level = 4
		}
		for i := range run.Results[0].Repeats {
			run.Results[0].Repeats[i].Measurements = []assay.Measurement{{Metric: "storage.read.latency.p99", Unit: assay.Seconds,
				Value: .001 * level * (1 + .01*math.Sin(float64(7*day+i))), Labels: map[string]string{"bs": "4096"}}}
		}
		change(day, &run)
		runs = append(runs, run)
	}
	return runs
}

// Lasting regressions are reported with the run in which they began: of histories that go
// on, and of figures that can be true.
func TestFiguresThatBecameWorse(t *testing.T) {
	t.Parallel()
	larger := func(run *assay.Run) { run.Results[0].Trial.Settings = map[string]string{"size": "100g"} }
	for _, c := range []struct {
		name   string
		days   int
		change func(day int, run *assay.Run)
		want   bool
	}{
		{"slower", 20, func(int, *assay.Run) {}, true},
		{"a new disk is measured with another size", 25, func(day int, run *assay.Run) {
			if day > 20 {
				larger(run)
			}
		}, false},
		{"measured once with another size", 21, func(day int, run *assay.Run) {
			if day > 20 {
				larger(run)
			}
		}, true},
		{"measured twice with another size, long after the last run", 22, func(day int, run *assay.Run) {
			if day > 20 {
				larger(run)
				run.Started = noon(day + 12)
				for i := range run.Results[0].Repeats {
					m := run.Results[0].Repeats[i].Measurements[0]
					m.Labels = map[string]string{"bs": "65536"}
					run.Results[0].Repeats[i].Measurements = append(run.Results[0].Repeats[i].Measurements, m)
				}
			}
		}, true},
		{"too fast until it was mended", 20, func(day int, run *assay.Run) {
			if day <= 12 {
				run.Findings = []assay.Finding{{Rule: "flush-too-fast", Severity: assay.Rejects, Subject: run.Results[0].Trial.ID}}
			}
		}, false},
		{"false all the time", 20, func(_ int, run *assay.Run) {
			run.Findings = []assay.Finding{{Rule: "flush-too-fast", Severity: assay.Rejects, Subject: run.Results[0].Trial.ID}}
		}, false},
	} {
		a := storedRuns(t, slowedRuns(c.days, c.change)...)
		p, err := a.pastOf(t.Context(), []string{"alpha"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.since(t.Context(), p, nil)
		said := slices.ContainsFunc(s.Figures, func(line string) bool {
			return strings.HasPrefix(line, "alpha: ") && strings.Contains(line, "storage.read.latency.p99") && strings.Contains(line, runID(13))
		})
		if err != nil || said != c.want || !c.want && len(s.Figures) > 0 {
			t.Errorf("%s: %q, %v", c.name, s.Figures, err)
		}
	}
}
