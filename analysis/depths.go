package analysis

import (
	"cmp"
	"slices"
	"strconv"

	"assay"
	"assay/stats"
)

// DepthSweep is how the rate of small random operations on a raw device grows with
// queue depth.
type DepthSweep struct {
	Drive  string
	Writes bool
	Points []DepthPoint // by depth
	Most   DepthPoint
	Knee   DepthPoint // lowest depth with nearly as many as Most
}

// DepthPoint is the median at one depth.
type DepthPoint struct {
	Depth int
	IOPS  float64
}

// kneeShare is the share of Most that counts as nearly as many.
const kneeShare = .9

// leastDepths is the minimum number of depths in a sweep.
const leastDepths = 3

// depthSweeps finds the sweeps of a run.
func (f Found) depthSweeps() []Point {
	type of struct {
		subject, metric string
	}
	var order []of
	sweeps := map[of]*DepthSweep{}
	for _, r := range f.Run.Results {
		labels, s := firstLabels(r), r.Trial.Subject
		metric := map[string]string{"randread": "storage.read.iops", "randwrite": "storage.write.iops"}[labels["pattern"]]
		depth, err := strconv.Atoi(labels["iodepth"])
		values := r.Values(metric)
		if !isRaw(s) || metric == "" || err != nil || len(values) == 0 || requestSize(r, metric) != smallRequest || labels["steady"] != "" || f.rejects(r.Trial.ID) {
			continue
		}
		key := of{s.ID, metric}
		if sweeps[key] == nil {
			order = append(order, key)
			sweeps[key] = &DepthSweep{Drive: s.Name, Writes: metric == "storage.write.iops"}
		}
		at := DepthPoint{depth, stats.Median(values)}
		same := func(p DepthPoint) bool { return p.Depth == depth }
		if !slices.ContainsFunc(sweeps[key].Points, same) {
			sweeps[key].Points = append(sweeps[key].Points, at)
		}
	}
	var out []Point
	for _, key := range order {
		s := sweeps[key]
		if len(s.Points) < leastDepths {
			continue
		}
		slices.SortFunc(s.Points, func(a, b DepthPoint) int { return cmp.Compare(a.Depth, b.Depth) })
		s.Most = slices.MaxFunc(s.Points, func(a, b DepthPoint) int { return cmp.Compare(a.IOPS, b.IOPS) })
		s.Knee = s.Points[slices.IndexFunc(s.Points, func(p DepthPoint) bool { return p.IOPS >= kneeShare*s.Most.IOPS })]
		out = append(out, Point{Note, *s})
	}
	return out
}

// rejects reports whether the audit rejects a figure of a trial.
func (f Found) rejects(trial string) bool {
	return slices.ContainsFunc(f.Findings, func(n Footnote) bool { return n.Subject == trial && n.Severity == assay.Rejects })
}

// raw reports whether a trial ran on a raw device.
func (f Found) raw(trial string) bool {
	return slices.ContainsFunc(f.Run.Results, func(r assay.Result) bool { return r.Trial.ID == trial && isRaw(r.Trial.Subject) })
}
