package analysis

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/inventory/traits"
	"assay/stats"
)

// counted sums up each host's kernel counters over the trials.
func (b *builder) counted() map[string]hypotheses.Counted {
	all := map[string]*tally{}
	of := func(host string) *tally {
		if all[host] == nil {
			all[host] = &tally{shares: map[string]float64{}}
		}
		return all[host]
	}
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Tier != "" {
			continue
		}
		for _, rep := range r.Counted() {
			for _, host := range quiet(s, rep) {
				w := rep.Watches[host]
				if host == s.Host {
					w = rep.Watch
				}
				of(host).sends(w)
			}
			of(s.Host).add(rep.Watch, s.Kind == assay.KindLink, rep.Elapsed.Seconds())
			of(s.Host).idleDrives(rep.Watch, b.drivesOf(s.Host), unusedWays(rep))
			for host, w := range rep.Watches {
				of(host).add(w, s.Kind == assay.KindLink, rep.Elapsed.Seconds())
				of(host).idleDrives(w, b.drivesOf(host), unusedWays(rep))
			}
		}
		if v := r.Values("thermal.clock.load"); len(v) > 0 {
			of(s.Host).clocks = append(of(s.Host).clocks, stats.Median(v))
		}
	}
	for host, bursts := range b.bursts() {
		of(host).bursts = bursts
	}
	for host, errors := range b.mediaErrors() {
		of(host).media = &errors
	}
	out := map[string]hypotheses.Counted{}
	for host, t := range all {
		out[host] = t.sum()
	}
	return out
}

// quiet returns the hosts that send nothing but acknowledgements for the test of
// a repeat: the host of a CPU, memory or thermal test, and the receiver on a
// link.
func quiet(s assay.Subject, rep assay.Repeat) []string {
	switch s.Kind {
	case assay.KindCPU, assay.KindMemory, assay.KindThermal:
		return []string{s.Host}
	case assay.KindLink:
		if !slices.ContainsFunc(rep.Measurements, func(m assay.Measurement) bool { return isBack(&m) }) {
			return []string{s.Peer}
		}
	}
	return nil
}

// tally collects what the watches of one host report, one value per repeat.
type tally struct {
	steal, throttled, throttles, swapped, errors, drops, clocks, heat, foreign []float64

	sent    map[string][]float64 // B/s outside the tests, by interface
	bursts  []burst
	looks   []assay.Snapshot   // in no order
	shares  map[string]float64 // of a CPU, by process
	watched int
	media   *float64 // nil if unknown
}

// drivesOf returns the names of a host's measured drives.
func (b *builder) drivesOf(host string) []string {
	if names, known := b.drives[host]; known {
		return names
	}
	var names []string
	for _, d := range traits.Measured(b.run.Inventory.Facts[host]) {
		names = append(names, d.Name)
	}
	if b.drives == nil {
		b.drives = map[string][]string{}
	}
	b.drives[host] = names
	return names
}

// unusedWays returns the directions in which a repeat's test moves nothing on a
// drive: both, for a CPU or link test.
func unusedWays(rep assay.Repeat) (ways struct{ reads, writes bool }) {
	ways.reads, ways.writes = true, true
	for _, m := range rep.Measurements {
		switch {
		case strings.HasPrefix(m.Metric, "storage.read."):
			ways.reads = false
		case strings.HasPrefix(m.Metric, "storage."):
			ways.writes = false
		case !slices.ContainsFunc(noDrive, func(of string) bool { return strings.HasPrefix(m.Metric, of) }):
			ways.reads, ways.writes = false, false // what it reads is unknown
		}
	}
	return ways
}

// noDrive are the metrics of tests that use no drive, and those reported with
// any test.
var noDrive = []string{"cpu.", "memory.", "net.", "thermal.", "tool."}

// idleDrives adds what drives moved while no test used them.
func (t *tally) idleDrives(w *assay.Watch, drives []string, unused struct{ reads, writes bool }) {
	if w == nil || len(drives) == 0 || !unused.reads && !unused.writes {
		return
	}
	moved, seen := 0., false
	for _, name := range drives {
		d, ok := w.Device(name)
		seen = seen || ok
		if unused.reads {
			moved += float64(max(d.ReadBytes, 0))
		}
		if unused.writes {
			moved += float64(max(d.WriteBytes, 0))
		}
	}
	if lasted := w.After.Uptime - w.Before.Uptime; seen && lasted > 0 {
		t.foreign = append(t.foreign, moved/lasted)
	}
}

func (t *tally) add(w *assay.Watch, link bool, elapsed float64) {
	if w == nil {
		return
	}
	a, x := w.Before, w.After
	t.watched++
	t.looks = append(t.looks, a, x)
	if total := x.CPU.Total() - a.CPU.Total(); total > 0 {
		t.steal = append(t.steal, (x.CPU.Steal-a.CPU.Steal)/total)
	}
	if a.Quota != nil && x.Quota != nil {
		share := 0.
		if periods := x.Quota.Periods - a.Quota.Periods; periods > 0 {
			share = min(float64(x.Quota.Throttled-a.Quota.Throttled)/float64(periods), 1)
		}
		t.throttled = append(t.throttled, share)
	}
	if a.Throttles >= 0 && x.Throttles >= a.Throttles {
		t.throttles = append(t.throttles, float64(x.Throttles-a.Throttles))
	}
	if a.Swap != nil && x.Swap != nil {
		t.swapped = append(t.swapped, float64(x.Swap.In-a.Swap.In+x.Swap.Out-a.Swap.Out))
	}
	if link && len(x.NICs) > 0 {
		errors, drops := 0., 0.
		for name, after := range x.NICs {
			before := a.NICs[name]
			errors = max(errors, float64(after.RxErrors-before.RxErrors+after.TxErrors-before.TxErrors))
			drops = max(drops, float64(after.RxDrops-before.RxDrops+after.TxDrops-before.TxDrops))
		}
		t.errors, t.drops = append(t.errors, errors), append(t.drops, drops)
	}
	for _, tick := range w.Ticks {
		for key, degrees := range tick.Temps {
			if strings.Contains(key, "nvme") || strings.Contains(key, "drivetemp") {
				t.heat = append(t.heat, degrees)
			}
		}
	}
	for _, p := range w.Busiest {
		if elapsed > 0 {
			t.shares[p.Name] += p.CPU / elapsed
		}
	}
}

// sends adds what interfaces sent while no test sent from the host. It deducts a
// quarter of what they received, which may be acknowledgements.
func (t *tally) sends(w *assay.Watch) {
	if w == nil {
		return
	}
	lasted := w.After.Uptime - w.Before.Uptime
	if !(lasted > 0) {
		return
	}
	for name, after := range w.After.NICs {
		before := w.Before.NICs[name]
		sent := float64(after.TxBytes-before.TxBytes) - float64(after.RxBytes-before.RxBytes)/4
		if t.sent == nil {
			t.sent = map[string][]float64{}
		}
		t.sent[name] = append(t.sent[name], max(sent, 0)/lasted)
	}
}

// linksLost returns how often each interface lost its link, in the repeats and between
// them. A counter starts again with each boot and when its interface is made anew.
func (t *tally) linksLost() map[string]float64 {
	var lost map[string]float64
	for _, boot := range assay.Boots(t.looks) {
		before, changes := map[string]int64{}, map[string]int64{}
		for _, look := range boot {
			for nic, counts := range look.NICs {
				now := counts.CarrierChanges
				if now <= 0 {
					continue // not counted
				}
				if was, seen := before[nic]; seen {
					changes[nic] += max(now-was, 0)
				}
				before[nic] = now
			}
		}
		for nic := range before {
			if lost == nil {
				lost = map[string]float64{}
			}
			lost[nic] += float64((changes[nic] + 1) / 2) // a loss is two changes, or one so far
		}
	}
	return lost
}

func (t *tally) sum() hypotheses.Counted {
	c := hypotheses.NothingCounted()
	for nic, rates := range t.sent {
		if c.Sent == nil {
			c.Sent = map[string]float64{}
		}
		c.Sent[nic] = stats.Median(rates)
	}
	c.LinksLost = t.linksLost()
	for _, of := range []struct {
		into   *float64
		values []float64
		by     func([]float64) float64
	}{
		{&c.Steal, t.steal, stats.Median}, {&c.Throttled, t.throttled, stats.Median}, {&c.Throttles, t.throttles, stats.Mean},
		{&c.Swapped, t.swapped, stats.Median}, {&c.NICErrors, t.errors, stats.Mean}, {&c.NICDrops, t.drops, stats.Mean},
		{&c.Clock, t.clocks, stats.Median}, {&c.DriveHeat, t.heat, slices.Max[[]float64]}, {&c.Foreign, t.foreign, stats.Median},
	} {
		if len(of.values) == 0 {
			continue
		}
		if v := of.by(of.values); !math.IsNaN(v) && v >= 0 {
			*of.into = v
		}
	}
	if len(t.bursts) > 0 {
		c.Got, c.Idle, c.Work = middleOf(t.bursts)
	}
	if t.media != nil {
		c.MediaErrors = *t.media
	}
	if low, high, ok := assay.ClockRate(t.looks); ok {
		c.ClockTold, c.ClockError = true, assay.ClockError(low, high)
	}
	if t.watched > 0 {
		c.Share = 0
	}
	for name, share := range t.shares {
		if share /= float64(t.watched); share > c.Share || share == c.Share && name < c.Process {
			c.Process, c.Share = name, share
		}
	}
	return c
}
