package analysis

import (
	"strings"
	"testing"

	"assay"
	"assay/analysis/hypotheses"
)

// withCPU adds the kernel's counters to each CPU trial of a run: got is the share of a
// CPU, idle the share of all time, work the events per second of CPU time; the figure
// follows from them.
func withCPU(run assay.Run, of func(host string) (got, idle, work, steal float64)) assay.Run {
	for i := range run.Results {
		r := &run.Results[i]
		if r.Trial.Subject.Kind != assay.KindCPU {
			continue
		}
		all := strings.Contains(r.Trial.Title, "all")
		if r.Trial.Settings = map[string]string{"threads": "1"}; all {
			r.Trial.Settings["threads"] = "all"
		}
		got, idle, work, steal := of(r.Trial.Subject.Host)
		for k := range r.Repeats {
			rep := &r.Repeats[k]
			noise := 1 + .004*float64(k)
			rep.Measurements = []assay.Measurement{{Metric: "cpu.events_per_second", Value: got * work * noise}, {Metric: "tool.duration", Value: 2}}
			if all {
				rep.Measurements[0].Value *= 8
			}
			rep.Watch = &assay.Watch{
				ToolCPU: 2 * got,
				After:   assay.Snapshot{Uptime: 3, CPU: assay.CPUTime{User: 20 * (1 - idle - steal), Idle: 20 * idle, Steal: 20 * steal}},
			}
		}
	}
	return run
}

// The share of a CPU that one thread gets, and what it does with it, tells an unseen
// limit from stolen time and from a slow clock.
func TestWhatAThreadGetsOfACPU(t *testing.T) {
	for _, c := range []struct {
		name                   string
		got, idle, work, steal float64
		facts                  func(*assay.Facts)
		want, says             string
	}{
		{"a limit that nobody sees", .2, .8, 1000, 0, nil, "cpu-limit-unseen", "one thread got 20 % of a CPU, theirs 98 %"},
		{"stolen time", .5, .3, 1000, .4, nil, "steal", "40 % of its CPU time was stolen"},
		{"a governor", .98, .9, 300, 0, func(f *assay.Facts) { f.CPU.Governor = "powersave" }, "cpu-governor", "a second of CPU time does 303 events, theirs 1,010"},
		{"nothing", .98, .9, 1000, 0, nil, "", ""},
	} {
		run := withCPU(alikeRun(func(f *assay.Facts) {}), func(host string) (float64, float64, float64, float64) {
			if host == "pve3" {
				return c.got, c.idle, c.work, c.steal
			}
			return .98, .9, 1000, 0
		})
		for host, f := range run.Inventory.Facts {
			f.CPU.Governor = "performance"
			if host == "pve3" && c.facts != nil {
				c.facts(&f)
			}
			run.Inventory.Facts[host] = f
		}
		if c.want == "" {
			if out := Of(run).Outliers; len(out) > 0 {
				t.Errorf("%s: %s %s", c.name, out[0].Host, out[0].Why.ID)
			}
			continue
		}
		why := whyOf(t, run, "pve3")
		if said := strings.Join(why.Evidence, "; "); why.ID != c.want || why.Certainty == hypotheses.Undecided || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s %s %.2f %q, rivals %v", c.name, why.ID, why.Certainty, why.Probability, said, rivalsOf(why))
		}
	}
}

// For a host whose CPU is slow without a known reason, the analysis asks for a one-thread
// burst, on it and on a healthy host.
func TestASlowCPUIsAskedFor(t *testing.T) {
	run := alikeRun(func(*assay.Facts) {})
	for i := range run.Results {
		if r := &run.Results[i]; r.Trial.Subject.Kind == assay.KindCPU && r.Trial.Subject.Host == "pve3" {
			for k := range r.Repeats {
				r.Repeats[k].Measurements[0].Value /= 4
			}
		}
	}
	for _, q := range Of(run).Questions() {
		for _, test := range q.Tests {
			if q.Host == "pve3" && test.Case == hypotheses.TestBurst && len(test.Subjects) == 2 && strings.HasPrefix(test.Subjects[0], "pve3/") {
				return
			}
		}
	}
	t.Errorf("it is not asked for: %+v", Of(run).Questions())
}
