package analysis

import (
	"slices"
	"testing"

	"assay"
	"assay/stacks/ceph"
)

// looked returns a run whose writes were measured while the OSDs took these latencies in
// milliseconds, one set per repeat.
func looked(looks ...[]float64) assay.Run {
	r := assay.Result{Trial: assay.Trial{Probe: "rados", Case: "write-4m"}}
	for i, ms := range looks {
		rep := assay.Repeat{N: i + 1, Outcome: assay.Done}
		for n, v := range ms {
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: ceph.MetricCommit, Value: v / 1000, Unit: assay.Seconds, Labels: map[string]string{"osd": "osd." + string(rune('0'+n))}})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return assay.Run{Results: []assay.Result{r}, Inventory: assay.Inventory{
		Hosts: []assay.Host{{Name: "a"}},
		Facts: map[string]assay.Facts{"a": {Stack: &assay.StackFacts{Disks: []assay.StackDisk{{Name: "osd.1", Host: "b", Devices: []string{"sdc"}}}}}},
	}}
}

func TestTheSlowestOSDStandsOutInMostLooks(t *testing.T) {
	for name, c := range map[string]struct {
		looks [][]float64
		want  string
	}{
		"each time":                        {[][]float64{{3, 90, 4}, {5, 80, 6}, {2, 100, 2}}, "osd.1"},
		"two of three times":               {[][]float64{{3, 90, 4}, {5, 6, 6}, {2, 100, 2}}, "osd.1"},
		"half of the time":                 {[][]float64{{3, 90, 4}, {5, 6, 6}, {2, 100, 2}, {3, 3, 3}}, ""},
		"another one each time":            {[][]float64{{3, 90, 4}, {80, 6, 6}, {2, 1, 200}}, ""},
		"twice only":                       {[][]float64{{3, 90, 4}, {3, 90, 4}}, ""},
		"two OSDs":                         {[][]float64{{3, 90}, {3, 90}, {3, 90}}, ""},
		"no three times as slow":           {[][]float64{{50, 120, 50}, {50, 120, 50}, {50, 120, 50}}, ""},
		"less than five ms":                {[][]float64{{0, 2, 0}, {0, 2, 0}, {0, 2, 0}}, ""},
		"the others answer at once":        {[][]float64{{0, 6, 0}, {0, 6, 0}, {0, 6, 0}}, "osd.1"},
		"four, and the middle of the rest": {[][]float64{{30, 95, 29, 31}, {30, 95, 29, 31}, {30, 95, 29, 31}}, "osd.1"},
		"nobody looked":                    {[][]float64{nil, nil, nil}, ""},
	} {
		got := slowOSDs(looked(c.looks...))
		if (len(got) == 1) != (c.want != "") || len(got) > 1 || len(got) == 1 && got[0].Name != c.want {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
	got := slowOSDs(looked([]float64{10, 90, 20}, []float64{10, 70, 30}, []float64{10, 80, 10}))[0]
	if got.Commit != .08 || got.Others != .015 || got.Stood != 3 || got.Looks != 3 || got.Host != "b" || !slices.Equal(got.Devices, []string{"sdc"}) {
		t.Errorf("%+v", got)
	}
}

// OSDs of another device class hold no copy of the pool, and no write of it waits for them.
func TestOSDsOfOtherPoolsAreNotBlamed(t *testing.T) {
	run := looked([]float64{3, 4, 4, 90}, []float64{5, 5, 6, 80}, []float64{2, 3, 2, 100})
	run.Results[0].Trial.Subject.Host = "a"
	stack := &assay.StackFacts{Kind: "ceph", Drives: 4, Disks: []assay.StackDisk{{Name: "osd.0"}, {Name: "osd.1"}, {Name: "osd.2"}, {Name: "osd.3"}}}
	run.Inventory.Facts["a"] = assay.Facts{Stack: stack}
	if got := slowOSDs(run); len(got) != 1 || got[0].Name != "osd.3" {
		t.Errorf("an OSD of the pool: %+v", got)
	}
	stack.Drives = 0
	if got := slowOSDs(run); len(got) != 0 {
		t.Errorf("pools on different drives: %+v", got)
	}
	stack.Drives, stack.Disks = 3, stack.Disks[:3]
	if got := slowOSDs(run); len(got) != 0 {
		t.Errorf("an OSD of another pool: %+v", got)
	}
}
