package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

// What Needs leaves out is not needed: the comparison without it is the same.
func TestNeedsIsEnough(t *testing.T) {
	result := func(host, name string, seed uint64, said map[string]string) assay.Result {
		values := map[string][]float64{}
		for i, metric := range []string{
			"storage.read.iops", "storage.read.bandwidth", "storage.read.latency.p99", "storage.read.latency.mean", "storage.read.bytes",
			"storage.errors", "tool.duration", "smart.temperature", "cpu.events_per_second", "pool.write.iops", "pool.write.bandwidth",
		} {
			values[metric] = sample(seed+uint64(i), 8, 100)
		}
		return measured(host, "/srv", name, said, values)
	}
	whole := func(seed uint64) *assay.Run {
		return runOf("run", result("pve1", "small", seed, labels("4k")), result("pve1", "large", seed+20, labels("1m")), result("pve1", "unsaid", seed+40, nil))
	}
	fourfold := func(run *assay.Run) *assay.Run { // the first case takes four times as long to move the same bytes
		for _, rep := range run.Results[0].Repeats {
			for i, m := range rep.Measurements {
				if m.Metric == "tool.duration" {
					rep.Measurements[i].Value *= 4
				}
			}
		}
		return run
	}
	only := func(run *assay.Run, wanted func(string) bool) (part *assay.Run, left int) {
		out := *run
		out.Results = nil
		for _, r := range run.Results {
			repeats := r.Repeats
			r.Repeats = nil
			for _, rep := range repeats {
				all := rep.Measurements
				rep.Measurements = nil
				for _, m := range all {
					if wanted(m.Metric) {
						rep.Measurements = append(rep.Measurements, m)
					} else {
						left++
					}
				}
				r.Repeats = append(r.Repeats, rep)
			}
			out.Results = append(out.Results, r)
		}
		return &out, left
	}
	latency := func(name string) bool { return name == "storage.read.latency.p99" }
	for _, c := range []struct {
		name  string
		o     Options
		asked func(string) bool
		rows  int
	}{
		{"headlines", Options{}, nil, 9},
		{"all", Options{All: true}, nil, 21},
		{"asked", Options{}, latency, 3},
	} {
		a, b := whole(1), fourfold(whole(100))
		partA, left := only(a, c.o.Needs(c.asked))
		partB, _ := only(b, c.o.Needs(c.asked))
		if left == 0 {
			t.Errorf("%s: nothing was left out", c.name)
		}
		of := func(runs ...*assay.Run) (all []Column) {
			for _, run := range runs {
				one := column(run)
				one.Metric = c.asked
				all = append(all, one)
			}
			return all
		}
		want, got := Compare(of(a, b), c.o), Compare(of(partA, partB), c.o)
		if diff := cmp.Diff(want, got); diff != "" || len(got.Rows) != c.rows {
			t.Errorf("%s: %d rows, want %d\n%s", c.name, len(got.Rows), c.rows, diff)
		}
	}
}
