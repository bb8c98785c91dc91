package analysis

import (
	"maps"
	"testing"

	"assay"
)

// rbd bench is paired only with the fio case of the same load on the same image.
func TestCrossChecks(t *testing.T) {
	result := func(probe, metric string, set map[string]string, values ...float64) assay.Result {
		r := assay.Result{Trial: assay.Trial{Probe: probe, Settings: set, Subject: assay.Subject{ID: "a/image/images", Tier: "images"}, Repeats: len(values), Lend: assay.Way{"cache": "none"}}}
		for i, v := range values {
			r.Repeats = append(r.Repeats, assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: metric, Value: v}}})
		}
		return r
	}
	load := map[string]string{"rw": "randwrite", "bs": "4k", "iodepth": "32", "numjobs": "1", "sync": "0"}
	with := func(key, value string) map[string]string {
		set := maps.Clone(load)
		set[key] = value
		return set
	}
	bench := result("rbd", "pool.write.iops", map[string]string{"rw": "randwrite", "bs": "4096", "iodepth": "32"}, 900, 1000, 1100)
	bench.Trial.FilledBy = "fio"
	together := result("fio", "storage.write.iops", load, 7)
	together.Trial.Others = []assay.Subject{{}}
	cached := result("fio", "storage.write.iops", load, 7)
	cached.Trial.Lend = assay.Way{"cache": "writeback"}
	unlike := []assay.Result{
		together, cached, result("fio", "storage.write.iops", with("iodepth", "1"), 7), result("fio", "storage.write.iops", with("sync", "1"), 7),
		result("fio", "storage.write.iops", with("bs", "4m"), 7), result("fio", "storage.write.iops", load), bench,
	}
	if all := crossChecks(assay.Run{Results: unlike}); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	all := crossChecks(assay.Run{Results: append(unlike, result("fio", "storage.write.iops", load, 500, 600, 700))})
	if len(all) != 1 || all[0] != (CrossCheck{"images", true, true, "4096", "32", 600, 1000, true}) {
		t.Errorf("%+v", all)
	}
}
