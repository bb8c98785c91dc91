package audit

import (
	"fmt"
	"slices"

	"assay"
	"assay/stats"
)

var cpuQuota = Rule{
	ID: "cpu-quota", Number: 54, Applies: "anything assay ran", Severities: "W",
	Title:   "A CPU quota throttled the test",
	Formula: "median over the repeats: periods in which the control group of the commands, or one above it, used up its CPU quota (nr_throttled) > 5 % of the periods in which it ran (nr_periods)",
	Source:  "Linux Documentation/admin-guide/cgroup-v2.rst, cpu.stat; Documentation/scheduler/sched-bwc.rst; the limit is a choice, stricter than the 25 % at which Kubernetes' own alert CPUThrottlingHigh fires",
	Example: "throttled in 46 of 50 periods = 92.0 % at worst, 4.60 s of waiting on all CPUs; median 91.0 %; over 5.00 % in 6 of 6 repeats",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.everyHost() {
			found = append(found, l.throttledByQuota()...)
		}
		return found
	},
}

// loaded returns the figures that the host's own state can distort.
func (l look) loaded() []string {
	return l.headlinesOf("storage", "cpu", "memory", "net", "object")
}

// watched returns the repeats around which the kernel's counters were read.
func (l look) watched() []assay.Repeat {
	return slices.DeleteFunc(slices.Clone(l.reps), func(r assay.Repeat) bool { return r.Watch == nil })
}

func (l look) throttledByQuota() []assay.Finding {
	const id = "cpu-quota"
	metrics, watched := l.loaded(), l.watched()
	if len(metrics) == 0 || len(watched) == 0 {
		return nil // noisy-neighbour reports that nothing was watched
	}
	var shares []float64
	var worst assay.QuotaCounts
	most, over := -1., 0
	for _, r := range watched {
		a, b := r.Watch.Before.Quota, r.Watch.After.Quota
		if a == nil || b == nil || b.Periods < a.Periods || b.Throttled < a.Throttled || !stats.Finite(b.Time-a.Time) {
			continue
		}
		d := assay.QuotaCounts{Periods: b.Periods - a.Periods, Throttled: b.Throttled - a.Throttled, Time: b.Time - a.Time}
		share := 0.
		if d.Periods > 0 {
			share = min(float64(d.Throttled)/float64(d.Periods), 1)
		}
		shares = append(shares, share)
		if share > quotaThrottled {
			over++
		}
		if share > most {
			most, worst = share, d
		}
	}
	if len(shares) == 0 {
		return []assay.Finding{unchecked(id, orDefault(l.Trial.Subject.Host, l.Trial.ID), nil, "periods throttled by a CPU quota",
			"check cpu.stat of the control group: cat /sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/cpu.stat")}
	}
	median := stats.Median(shares)
	if !(median > quotaThrottled) {
		return nil
	}
	return []assay.Finding{l.finding(id, assay.Warns, metrics,
		fmt.Sprintf("throttled in %d of %d periods = %s at worst, %s of waiting on all CPUs; median %s; over %s %s",
			worst.Throttled, worst.Periods, percent(most), seconds(worst.Time), percent(median), percent(quotaThrottled), inRepeats(over, len(shares))),
		"the control group of the test used up its CPU quota and had to wait: the figure reflects the quota",
		"raise or remove the quota (cpu.max, the systemd unit's CPUQuota=, the pod's CPU limit), then measure again")}
}
