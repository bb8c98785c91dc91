package analysis

import (
	"assay"
	"assay/analysis/hypotheses"
	"assay/stats"
)

// burst is what one compute-bound thread got of a CPU in one repeat.
type burst struct {
	got  float64 // share of one CPU
	idle float64 // share of all CPU time that was idle meanwhile
	work float64 // events per second of CPU time
}

// bursts returns the bursts of each host: only those of deciding trials, if it
// has any.
func (b *builder) bursts() map[string][]burst {
	planned, decided := map[string][]burst{}, map[string][]burst{}
	for i := range b.run.Results {
		r := &b.run.Results[i]
		if s := r.Trial.Subject; s.Kind == assay.KindCPU && s.Tier == "" && r.Trial.Settings["threads"] == "1" {
			planned[s.Host] = append(planned[s.Host], burstsOf(r)...)
		}
	}
	for i := range b.deciders {
		if r := &b.deciders[i]; r.Trial.Case == hypotheses.TestBurst {
			decided[r.Trial.Subject.Host] = append(decided[r.Trial.Subject.Host], burstsOf(r)...)
		}
	}
	for host, all := range decided {
		if len(all) > 0 {
			planned[host] = all
		}
	}
	return planned
}

func burstsOf(r *assay.Result) (all []burst) {
	for _, rep := range r.Counted() {
		events := rep.Measurement("cpu.events_per_second")
		w := rep.Watch
		if events == nil || w == nil || !(w.ToolCPU > 0) {
			continue
		}
		whole := w.After.CPU.Total() - w.Before.CPU.Total()
		lasted := w.After.Uptime - w.Before.Uptime
		if d := rep.Measurement("tool.duration"); d != nil {
			lasted = d.Value
		}
		if !(lasted > 0) || !(whole > 0) {
			continue
		}
		all = append(all, burst{
			got: min(w.ToolCPU/lasted, 1), idle: (w.After.CPU.Idle - w.Before.CPU.Idle) / whole,
			work: events.Value * lasted / w.ToolCPU,
		})
	}
	return all
}

func middleOf(all []burst) (got, idle, work float64) {
	var gots, idles, works []float64
	for _, b := range all {
		gots, idles, works = append(gots, b.got), append(idles, b.idle), append(works, b.work)
	}
	return stats.Median(gots), stats.Median(idles), stats.Median(works)
}
