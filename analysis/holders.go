package analysis

import (
	"cmp"
	"maps"
	"slices"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
	"assay/stats"
)

// Resource is a host resource that does the work of a pool.
type Resource string

// The resources.
const (
	HolderCPU   Resource = "cpu"
	HolderNIC   Resource = "nic"
	HolderDrive Resource = "drive"
)

// HolderLoad is how busy a resource was on a host that holds clients' data, such as one with
// OSDs, while a figure was measured.
type HolderLoad struct {
	Host     string   `json:"host"`
	Resource Resource `json:"resource"`
	Name     string   `json:"name,omitempty"` // of the interface or the device
	Share    float64  `json:"share"`          // of what it can do; 0 where that is unknown
	Rate     float64  `json:"rate,omitempty"` // B/s: of an interface the busier direction
	// Of is what an interface's share is relative to: "10 GbE".
	Of string `json:"of,omitempty"`
	// Client is set if a client of the same trial also ran there and took its
	// part.
	Client bool `json:"client,omitempty"`
	// Full is the share at which the resource is saturated; 0 if the share does not
	// tell.
	Full float64 `json:"full,omitempty"`
}

// Binds reports whether the resource was saturated.
func (l HolderLoad) Binds() bool { return l.Full > 0 && l.Share >= l.Full }

// A resource is saturated from these shares on: sampled second by second, a busy
// processor or drive still has gaps between its operations.
const (
	cpuBinds   = .9
	driveBinds = .95
)

// holders returns the busiest processors, interface and drive among the hosts under a
// tier while a result was measured, as medians over its repeats; none if no host was
// watched.
func (b *builder) holders(r assay.Result, disks []assay.StackDisk) []HolderLoad {
	devices := map[string][]string{}
	for _, d := range disks {
		devices[d.Host] = append(devices[d.Host], d.Devices...)
	}
	var all []HolderLoad
	for _, host := range slices.Sorted(maps.Keys(devices)) {
		seen := map[HolderLoad]*struct{ shares, rates []float64 }{}
		add := func(of HolderLoad, share, rate float64) {
			if seen[of] == nil {
				seen[of] = &struct{ shares, rates []float64 }{}
			}
			seen[of].shares, seen[of].rates = append(seen[of].shares, share), append(seen[of].rates, rate)
		}
		for _, rep := range r.Counted() {
			w := rep.Watches[host]
			if host == r.Trial.Subject.Host {
				w = rep.Watch
			}
			if w == nil {
				continue
			}
			lasted := r.Trial.Length.Seconds()
			if m := rep.Measurement("tool.duration"); m != nil && m.Value > 0 {
				lasted = m.Value
			}
			if share, ok := cpuShare(w, lasted); ok {
				add(HolderLoad{Resource: HolderCPU}, share, 0)
			}
			for name, bytes := range passed(w) {
				if lasted > 0 && name != "lo" {
					add(HolderLoad{Resource: HolderNIC, Name: name}, 0, bytes/lasted)
				}
			}
			for _, name := range devices[host] {
				if share, rate, ok := driveShare(w, name, lasted); ok {
					add(HolderLoad{Resource: HolderDrive, Name: name}, share, rate)
				}
			}
		}
		for of, values := range seen {
			of.Client = host == r.Trial.Subject.Host || slices.ContainsFunc(r.Trial.Others, func(s assay.Subject) bool { return s.Host == host })
			of.Host, of.Share, of.Rate = host, min(stats.Median(values.shares), 1), stats.Median(values.rates)
			b.near(&of)
			all = append(all, of)
		}
	}
	var busiest []HolderLoad
	for _, what := range []Resource{HolderCPU, HolderNIC, HolderDrive} {
		of := slices.DeleteFunc(slices.Clone(all), func(l HolderLoad) bool { return l.Resource != what })
		if len(of) > 0 {
			busiest = append(busiest, slices.MaxFunc(of, func(x, y HolderLoad) int {
				return cmp.Or(cmp.Compare(x.Share, y.Share), cmp.Compare(x.Rate, y.Rate), cmp.Compare(y.Host, x.Host), cmp.Compare(y.Name, x.Name))
			}))
		}
	}
	return busiest
}

// near sets how much of the resource's capacity a load is, and from which share it
// is saturated.
func (b *builder) near(l *HolderLoad) {
	switch l.Resource {
	case HolderCPU:
		l.Full = cpuBinds
	case HolderNIC:
		// An interface that moved more than its speed allows has another speed.
		if most := b.carries(l.Host, l.Name); most.Known() && l.Rate <= beyond*most.Value {
			l.Share, l.Of, l.Full = l.Rate/most.Value, most.Name, bindsFrom
		}
	case HolderDrive:
		// A drive that handles many operations at once may be busy all the time and
		// still have room for more.
		facts := b.run.Inventory.Facts[l.Host].Block
		i := slices.IndexFunc(facts, func(d assay.BlockDevice) bool { return d.Name == l.Name })
		if i >= 0 && facts[i].Rotational != nil && *facts[i].Rotational {
			l.Full = driveBinds
		}
	}
}

// carries returns what an interface carries in one direction: the best that this run
// measured through it, or else its speed.
func (b *builder) carries(host, nic string) limits.Limit {
	best := 0.
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind != assay.KindLink || s.Host != host && s.Peer != host || rejectedFigure(b.run, r.Trial.ID, "net.tcp.throughput") {
			continue
		}
		labels := labelsOf(r, "net.tcp.throughput")
		if labels["from"] == host && labels["interface"] == nic || labels["to"] == host && labels["peer_interface"] == nic {
			best = max(best, middle(oneWay(r, false), "net.tcp.throughput"))
		}
	}
	if best > 0 {
		return limits.Limit{Name: quantity.Of("net.tcp.throughput", best) + " measured", Value: best}
	}
	facts := b.run.Inventory.Facts[host].NICs
	if i := slices.IndexFunc(facts, func(n assay.NICFacts) bool { return n.Name == nic }); i >= 0 && (!facts[i].Virtual || facts[i].Members > 0) {
		return limits.NIC(facts[i])
	}
	return limits.Limit{}
}

// packetHeaders is the minimum size of a TCP packet besides its payload, as interfaces count
// it: 14 bytes are Ethernet's.
const packetHeaders = 14 + limits.IPv4Header + limits.TCPHeader + limits.TCPTimestamps

// passed returns the payload that passed through each interface, in the busier
// direction.
func passed(w *assay.Watch) map[string]float64 {
	all := map[string]float64{}
	for name, is := range w.After.NICs {
		if was, ok := w.Before.NICs[name]; ok {
			received := is.RxBytes - was.RxBytes - packetHeaders*(is.RxPackets-was.RxPackets)
			sent := is.TxBytes - was.TxBytes - packetHeaders*(is.TxPackets-was.TxPackets)
			all[name] = float64(max(received, sent, 0))
		}
	}
	return all
}

// loaded returns the first and last tick of the measured time: what follows, such as
// removing what was written, is not part of the figure.
func loaded(w *assay.Watch, lasted float64) (from, to assay.Tick, ok bool) {
	if len(w.Ticks) < 2 {
		return from, to, false
	}
	from, to = w.Ticks[0], w.Ticks[1]
	for _, tick := range w.Ticks[2:] {
		if tick.At-from.At <= lasted {
			to = tick
		}
	}
	return from, to, to.At > from.At
}

// cpuShare returns the share of time that the processors were busy.
func cpuShare(w *assay.Watch, lasted float64) (float64, bool) {
	was, is := w.Before.CPU, w.After.CPU
	if from, to, ok := loaded(w, lasted); ok {
		was, is = from.CPU, to.CPU
	}
	whole := is.Total() - was.Total()
	if !(whole > 0) {
		return 0, false
	}
	return max(1-(is.Idle-was.Idle+is.IOWait-was.IOWait)/whole, 0), true
}

// driveShare returns the share of time that a drive was busy, and how much it moved per
// second.
func driveShare(w *assay.Watch, name string, lasted float64) (share, rate float64, ok bool) {
	from, to, ok := loaded(w, lasted)
	if !ok {
		return 0, 0, false
	}
	was, okWas := from.Devices[name]
	is, okIs := to.Devices[name]
	if !okWas || !okIs {
		return 0, 0, false
	}
	seconds := to.At - from.At
	return max(is.Busy-was.Busy, 0) / seconds, float64(max(is.ReadBytes-was.ReadBytes+is.WriteBytes-was.WriteBytes, 0)) / seconds, true
}

// bindingOf returns the saturated resource, or nil if none is known to be.
func bindingOf(all []HolderLoad) *HolderLoad {
	for i, l := range all {
		if l.Binds() {
			return &all[i]
		}
	}
	return nil
}
