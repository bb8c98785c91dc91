package analysis

import (
	"slices"
	"testing"

	"assay"
)

// heated adds a thermal trial to each host: pve3 heats up by its own value, the others by
// 25 °C.
func heated(run assay.Run, own float64) assay.Run {
	for _, h := range []string{"pve1", "pve2", "pve3", "pve4"} {
		rise := 25.
		if h == "pve3" {
			rise = own
		}
		run.Results = append(run.Results, assay.Result{
			Trial: assay.Trial{ID: "load@" + h, Title: "temperature under load", Subject: assay.Subject{ID: h + "/thermal/thermal", Kind: assay.KindThermal, Host: h, Name: "thermal"}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: "thermal.rise", Value: rise}, {Metric: "thermal.load", Value: 40 + rise},
			}}},
		})
	}
	return run
}

// The ratio of two temperatures is no speed: where a host is slow and heats up for one
// reason, the factors and rows are those of its speed.
func TestHeatIsNoSpeed(t *testing.T) {
	slow := func(run assay.Run, by float64) assay.Run {
		for i := range run.Results {
			r := &run.Results[i]
			if s := r.Trial.Subject; s.Kind != assay.KindCPU || s.Host != "pve3" {
				continue
			}
			for k := range r.Repeats {
				for j := range r.Repeats[k].Measurements {
					r.Repeats[k].Measurements[j].Value /= by
				}
				r.Repeats[k].Watch = &assay.Watch{After: assay.Snapshot{Throttles: 40}} // and 0 before
			}
		}
		return run
	}
	run := slow(heated(alikeRun(func(*assay.Facts) {}), 60), 1.4)
	var both, heat *Outlier
	all := Of(run).Outliers
	for i := range all {
		if o := &all[i]; o.Why != nil && o.Why.ID == "cpu-throttles" {
			both = o
		}
	}
	if both == nil {
		t.Fatalf("nobody throttles: %+v", all)
	}
	if both.Heat == nil || both.Heat.Own != 60 || both.Heat.From != 25 || both.Heat.To != 25 || both.Heat.Title != "temperature under load" {
		t.Errorf("heat: %+v", both.Heat)
	}
	if both.Worst.Metric != "cpu.events_per_second" || both.Least < 1.3 || both.Greatest > 1.5 || slices.Contains(both.Rows, "temperature under load") {
		t.Errorf("%.2f to %.2f in %q, most %+v", both.Least, both.Greatest, both.Rows, both.Worst)
	}
	if len(both.Effects) != len(both.Rows)+1 {
		t.Errorf("an effect is lost: %+v", both.Effects)
	}
	all = Of(heated(alikeRun(func(*assay.Facts) {}), 60)).Outliers
	for i := range all {
		heat = &all[i]
	}
	if len(all) != 1 || heat.Heat != nil || heat.Worst.Metric != "thermal.rise" || len(heat.Rows) != 1 {
		t.Errorf("heat alone: %+v", all)
	}
}
