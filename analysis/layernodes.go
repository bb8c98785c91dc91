package analysis

import (
	"slices"
	"strings"

	"assay"
)

// layerNode is a storage with its measurements at depth 1.
type layerNode struct {
	subject assay.Subject
	name    string
	loads   map[LayerLoad]assay.Result
	absent  map[LayerLoad]string // why there is no figure
	stems   map[LayerLoad]string // of the metrics
	cached  bool                 // its writes without a flush ended in memory
}

func (n layerNode) measured(load LayerLoad) bool {
	_, is := n.loads[load]
	return is
}

// layerNodes returns the storages on which small operations were measured, one at
// a time.
func (b *builder) layerNodes() []layerNode {
	var nodes []layerNode
	for _, r := range b.run.Results {
		load, stem, is := layerLoadOf(r)
		s := r.Trial.Subject
		if !is || len(r.Trial.Others) > 0 || r.Trial.From != "" {
			continue
		}
		at := slices.IndexFunc(nodes, func(n layerNode) bool { return n.subject.ID == s.ID })
		if at < 0 {
			at = len(nodes)
			nodes = append(nodes, layerNode{subject: s, name: b.layerName(s), loads: map[LayerLoad]assay.Result{}, absent: map[LayerLoad]string{}, stems: map[LayerLoad]string{}})
		}
		a := b.absence(r)
		switch {
		case a != nil:
			nodes[at].absent[load] = a.Why
		case load == LayerWrite && b.cachedWrite(r):
			nodes[at].cached = true
			nodes[at].loads[load], nodes[at].stems[load] = r, stem
		case b.rejectedAny(r, stem+"latency.p50") || b.rejectedAny(r, stem+"iops"):
			nodes[at].absent[load] = "the audit rejects its figure"
		default:
			nodes[at].loads[load], nodes[at].stems[load] = r, stem
		}
	}
	return nodes
}

// cachedWrite reports whether the audit rejects a write only because a cache took it. Such a
// write does just that on ZFS before 2.3, and the extra time of a synchronous one is still
// what it waits for.
func (b *builder) cachedWrite(r assay.Result) bool {
	rules := append(b.rejecting(r.Trial.ID, "storage.write.iops"), b.rejecting(r.Trial.ID, "storage.write.latency.p50")...)
	return slices.Contains(rules, ruleCached) && !slices.ContainsFunc(rules, func(rule string) bool { return rule != ruleCached && !slices.Contains(assay.ScatterRules, rule) })
}

const ruleCached = "direct-not-honoured"

// layerLoadOf returns the load of a waterfall that a result is for, as it ran or was
// to run. Ceph acknowledges writes to a pool once they are durable.
func layerLoadOf(r assay.Result) (load LayerLoad, stem string, is bool) {
	s := r.Trial.Subject
	set := r.Trial.Settings
	switch {
	case s.Kind == assay.KindPool && set["op"] == "write":
		load, stem = LayerDurable, "pool.write."
	case s.Kind == assay.KindPool:
		load, stem = LayerRead, "pool.read."
	case set["fdatasync"] != "" || set["fsync"] != "" || set["rate_iops"] != "":
		return "", "", false
	case strings.HasSuffix(set["rw"], "read"):
		load, stem = LayerRead, "storage.read."
	case strings.HasSuffix(set["rw"], "write") && set["sync"] != "" && set["sync"] != "0":
		load, stem = LayerDurable, "storage.write."
	case strings.HasSuffix(set["rw"], "write"):
		load, stem = LayerWrite, "storage.write."
	default:
		return "", "", false
	}
	size := requestSize(r, stem+"iops")
	return load, stem, inFlight(happenedTo(r, stem+"iops")) == 1 && size > 0 && size < assay.LargeBlock
}

// layerName returns what people call a storage.
func (b *builder) layerName(s assay.Subject) string {
	several := len(b.run.Inventory.Hosts) > 1
	name := s.Name
	switch {
	case s.Tier != "":
		return s.Tier
	case s.Kind == assay.KindDrive:
		name = "drive " + s.Name
	case s.Kind == assay.KindDirectory:
		if fs := b.fileSystem(s); fs != "" {
			name = fs + " at " + s.Name
		}
	}
	if several {
		name = s.Host + ": " + name
	}
	return name
}

// slowest returns its highest latency.
func (n layerNode) slowest() (most float64) {
	for load, r := range n.loads {
		most = max(most, middle(r, n.stems[load]+"latency.p50"), middle(r, n.stems[load]+"latency.mean"))
	}
	return most
}

// why returns why a layer has no figure for a load.
func (n layerNode) why(load LayerLoad) string {
	if why := n.absent[load]; why != "" {
		return why
	}
	if n.subject.Kind == assay.KindDrive || n.subject.Kind == assay.KindDevice {
		return "it is only read, since a write would destroy what is on it"
	}
	return "it was not measured"
}
