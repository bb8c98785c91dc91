package analysis

import (
	"cmp"
	"slices"

	"assay"
	"assay/internal/order"
	"assay/stacks/ceph"
	"assay/stats"
)

// SlowOSD is a Ceph OSD that took much longer than the others to commit writes, in most
// samples taken of all OSDs while writes were measured.
type SlowOSD struct {
	Name    string   // osd.3
	Host    string   // "" where the cluster did not tell
	Devices []string // kernel names of its drives; none if unknown
	// Commit is its commit latency and Others the median of the others: s, medians over
	// the samples.
	Commit, Others float64
	Stood, Looks   int // samples in which it stood out, of how many
}

// In a sample, an OSD stands out if it takes slowerThan times as long as the median of the
// others, and muchSlower longer: an idle cluster takes single milliseconds. One sample
// proves nothing, since every OSD stumbles now and then.
const (
	slowerThan = 3
	muchSlower = .005 // s
	leastLooks = 3
)

// slowOSDs returns the OSD that stands out in more than half of the samples; none if there
// are too few samples or OSDs.
func slowOSDs(run assay.Run) []SlowOSD {
	type look struct {
		name           string
		commit, others float64
	}
	stood, looks := map[string][]look{}, 0
	for _, r := range run.Results {
		stack := run.Inventory.Facts[r.Trial.Subject.Host].Stack
		for _, rep := range r.Counted() {
			var osds []look
			for _, m := range rep.Measurements {
				if m.Metric == ceph.MetricCommit && m.Labels["host"] == "" && holds(stack, m.Labels["osd"]) {
					osds = append(osds, look{name: m.Labels["osd"], commit: m.Value})
				}
			}
			if len(osds) < 3 {
				continue
			}
			looks++
			order.Stable(osds, func(a, b look) int { return cmp.Compare(a.commit, b.commit) })
			last, rest := osds[len(osds)-1], []float64{}
			for _, o := range osds[:len(osds)-1] {
				rest = append(rest, o.commit)
			}
			last.others = stats.Median(rest)
			if last.commit >= slowerThan*last.others && last.commit-last.others >= muchSlower {
				stood[last.name] = append(stood[last.name], last)
			}
		}
	}
	var found []SlowOSD
	for name, at := range stood {
		if looks < leastLooks || 2*len(at) <= looks {
			continue
		}
		one := SlowOSD{Name: name, Stood: len(at), Looks: looks}
		var commit, others []float64
		for _, l := range at {
			commit, others = append(commit, l.commit), append(others, l.others)
		}
		one.Commit, one.Others = stats.Median(commit), stats.Median(others)
		one.Host, one.Devices = whereOSD(run.Inventory, name)
		found = append(found, one)
	}
	return found // more than half: at most one
}

// holds reports whether an OSD holds data of the measured pool, as far as the cluster told. It
// doesn't tell on which of the drives a pool is where several pools are on different ones.
func holds(stack *assay.StackFacts, osd string) bool {
	if stack == nil || len(stack.Disks) == 0 {
		return true
	}
	return stack.Drives > 0 && slices.ContainsFunc(stack.Disks, func(d assay.StackDisk) bool { return d.Name == osd })
}

// whereOSD returns an OSD's host and drives, as a client learnt them from the cluster.
func whereOSD(inv assay.Inventory, name string) (host string, devices []string) {
	for _, h := range inv.Hosts {
		s := inv.Facts[h.Name].Stack
		if s == nil {
			continue
		}
		if i := slices.IndexFunc(s.Disks, func(d assay.StackDisk) bool { return d.Name == name }); i >= 0 {
			return s.Disks[i].Host, s.Disks[i].Devices
		}
	}
	return "", nil
}

func (f Found) slowOSDPoints() (all []Point) {
	for _, o := range slowOSDs(f.Run) {
		all = append(all, Point{Bad, o})
	}
	return all
}
