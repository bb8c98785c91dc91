package analysis

import (
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/limits"
	"assay/stats"
)

// withDrives returns replicated storage with the read and write rates of its drives, as
// this run measured them below it: the median of the measured drives. Known rates stay.
func (b *builder) withDrives(s assay.StackFacts) assay.StackFacts {
	for metric, rate := range map[string]*float64{"storage.write.bandwidth": &s.Write, "storage.read.bandwidth": &s.Read} {
		if *rate > 0 {
			continue
		}
		if all := b.driveRates(s.Disks, metric); len(all) > 0 {
			*rate = stats.Median(all)
		}
	}
	return s
}

// driveRates returns the best figure of each disk on which large sequential operations
// were measured, directly or in a directory on it.
func (b *builder) driveRates(disks []assay.StackDisk, metric string) []float64 {
	var all []float64
	for _, d := range disks {
		best := 0.
		for _, r := range b.run.Results {
			if !measuredOn(r.Trial.Subject, d) || requestSize(r, metric) < largeOperation || strings.HasPrefix(happenedTo(r, metric)["pattern"], "rand") || rejectedFigure(b.run, r.Trial.ID, metric) {
				continue
			}
			best = max(best, middle(r, metric))
		}
		if best > 0 {
			all = append(all, best)
		}
	}
	return all
}

// largeOperation is the smallest operation size that shows a drive's bandwidth.
const largeOperation = 128 << 10

// measuredOn reports whether a subject is a disk, or lies on it alone.
func measuredOn(s assay.Subject, d assay.StackDisk) bool {
	if s.Host != d.Host || s.Volume != "" && s.Volume != "dir" {
		return false
	}
	return slices.ContainsFunc(d.Devices, func(device string) bool {
		return s.Name == "/dev/"+device || len(s.On) == 1 && s.On[0] == s.Host+"/"+string(assay.KindDrive)+"/"+device
	})
}

// copiesLink returns the payload rate of the slowest node on the network over which OSDs
// copy, each node by its best link.
func (b *builder) copiesLink(s assay.StackFacts) limits.Limit {
	best := map[string]limits.Limit{}
	for _, d := range s.Disks {
		i := slices.IndexFunc(b.run.Inventory.Networks, func(n assay.Network) bool { return addressed(n, d) == d.Host && d.Copies != "" })
		if i < 0 {
			return limits.Limit{}
		}
		l := b.copiesFrom(d.Host, b.run.Inventory.Networks[i])
		if was, known := best[d.Host]; !known || l.Value > was.Value {
			best[d.Host] = l
		}
	}
	var slowest limits.Limit
	for _, host := range slices.Sorted(maps.Keys(best)) {
		switch l := best[host]; {
		case !l.Known():
			return limits.Limit{}
		case !slowest.Known() || l.Value < slowest.Value:
			slowest = l
		}
	}
	return slowest
}

// copiesFrom returns the payload rate that a host can send on the network that carries copies:
// as measured, or else what its interface there can carry, or else the rate given for the
// network.
func (b *builder) copiesFrom(host string, n assay.Network) limits.Limit {
	if rate := b.linkRate(host, n.Name); rate > 0 {
		return limits.Limit{Name: quantity.Of("net.tcp.throughput", rate) + " measured", Value: rate, Unit: assay.BytesPerSecond}
	}
	f := b.run.Inventory.Facts[host]
	if f.Stack != nil {
		if l := ownLine(nicOf(f, f.Stack.ClusterNIC)); l.Known() {
			return l
		}
	}
	if n.Rate > 0 && n.MTU > 0 {
		l := limits.Line(n.Rate, limits.TCPPacket(n.MTU, false, false))
		l.Name += " as given"
		return l
	}
	return limits.Limit{}
}

// ownLine returns what an interface can carry; unknown for one that the kernel
// makes up.
func ownLine(n assay.NICFacts) limits.Limit {
	if n.Virtual && n.Members == 0 {
		return limits.Limit{}
	}
	return limits.NIC(n)
}

// linkRate returns the best rate that a host sent or received on a network; 0 if not
// measured or not believed.
func (b *builder) linkRate(host, network string) float64 {
	best := 0.
	for _, r := range b.run.Results {
		s := r.Trial.Subject
		if s.Kind == assay.KindLink && s.Network == network && (s.Host == host || s.Peer == host) && !rejectedFigure(b.run, r.Trial.ID, "net.tcp.throughput") {
			best = max(best, middle(oneWay(r, false), "net.tcp.throughput"))
		}
	}
	return best
}
