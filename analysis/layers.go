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

// withDrives returns replicated storage with what its drives read and write, as this run
// measured them below it: the median of the drives that were. What is known already stays.
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

// driveRates is the best figure of each disk on which sequential operations of some size
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

// largeOperation is the least size of an operation by which a drive shows its bandwidth.
const largeOperation = 128 << 10

// measuredOn reports whether a subject is a disk, or stands on it alone.
func measuredOn(s assay.Subject, d assay.StackDisk) bool {
	if s.Host != d.Host || s.Volume != "" && s.Volume != "dir" {
		return false
	}
	return slices.ContainsFunc(d.Devices, func(device string) bool {
		return s.Name == "/dev/"+device || len(s.On) == 1 && s.On[0] == s.Host+"/"+string(assay.KindDrive)+"/"+device
	})
}

// copiesLink is what the slowest of the nodes carries of payload on the network over which
// OSDs copy, each by its best link.
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

// copiesFrom is what a host sends of payload on the network that carries copies: as measured, else
// what its interface on that can carry, else what the network was said to.
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

// ownLine is what an interface can carry; none that the kernel makes up tells it.
func ownLine(n assay.NICFacts) limits.Limit {
	if n.Virtual && n.Members == 0 {
		return limits.Limit{}
	}
	return limits.NIC(n)
}

// linkRate is the best that a host sent or received on a network; 0 where that was not
// measured, or is not believed.
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
