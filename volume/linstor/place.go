package linstor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
)

// LINSTOR's defaults (user's guide, resource groups).
const (
	usualGroup    = "DfltRscGrp"
	usualProtocol = "C"
)

// placing is where the resource may be placed.
type placing struct {
	node     string // LINSTOR's name for the measuring node
	diskless bool   // there
	local    bool   // it has a pool, whether a replica may be in it or not
	replicas int
	protocol string
	pools    []pool // candidates for a replica, one per node: the one with the most free
	fullest  pool   // of all that a replica may be in: a node may have several
	nodes    []node // all of the cluster
}

// placing asks LINSTOR for the candidates.
func (h how) placing(ctx context.Context, at assay.Place) (placing, error) {
	p := placing{diskless: h.Diskless}
	var err error
	if p.node, p.nodes, err = nodeOf(ctx, at, h); err != nil {
		return p, err
	}
	text, err := h.ask(ctx, at, "storage-pool", "list")
	if err != nil {
		return p, err
	}
	all, err := readPools(text)
	if err != nil {
		return p, fmt.Errorf("%s: linstor storage-pool list: %w", at.Host().Name, err)
	}
	g, err := h.group(ctx, at, cmp.Or(h.Group, usualGroup))
	if err != nil && h.Group != "" {
		return p, err
	}
	p.protocol = cmp.Or(g.protocol, usualProtocol)
	p.replicas = cmp.Or(h.Replicas, g.replicas, usualReplicas)
	allowed := g.pools
	if h.Pool != "" {
		allowed = []string{h.Pool}
	}
	p.add(all, allowed)
	which := strings.TrimSpace("storage pool " + strings.Join(allowed, ", "))
	switch {
	case len(p.pools) == 0 && !p.chooses():
		return p, assay.WithHint("list them with: linstor storage-pool list", "%s: LINSTOR has no %s: %w", at.Host().Name, which, assay.ErrNotFound)
	case !p.diskless && !p.local:
		return p, assay.WithHint("measure on a node that has one, or set diskless: true", "node %s of LINSTOR has no %s: %w", p.node, which, assay.ErrNotFound)
	case p.chooses() && h.Group != "" && g.rules:
		return p, assay.WithHint("measure on a node without a pool for it, or name a storage_pool and replicas",
			"resource group %s has rules for which nodes get replicas, and LINSTOR may place one on node %s, which is to have none", h.Group, p.node)
	case p.chooses() && len(p.pools) < p.replicas:
		return p, assay.WithHint("ask for fewer replicas, or measure on another node", "%s need as many nodes besides %s with %s; LINSTOR has %d",
			prose.Plural(p.replicas, "replica"), p.node, which, len(p.pools))
	}
	return p, nil
}

// chooses reports whether assay chooses the nodes: LINSTOR itself may also place replicas on the
// measuring node, even if the resource is there already without a disk.
func (p *placing) chooses() bool {
	shunned := slices.ContainsFunc(p.nodes, func(n node) bool { return n.name == p.node && n.shunned })
	return p.diskless && p.local && !shunned
}

// add adds the pools that a replica may be in; allowed are their names, none means all.
func (p *placing) add(all []pool, allowed []string) {
	for _, one := range all {
		named := func(name string) bool { return strings.EqualFold(name, one.name) }
		if len(allowed) > 0 && !slices.ContainsFunc(allowed, named) {
			continue
		}
		p.local = p.local || one.node == p.node
		if !p.open(one.node) {
			continue
		}
		if len(p.pools) == 0 || one.room() < p.fullest.room() {
			p.fullest = one
		}
		switch i := slices.IndexFunc(p.pools, func(q pool) bool { return q.node == one.node }); {
		case i < 0:
			p.pools = append(p.pools, one)
		case one.free > p.pools[i].free:
			p.pools[i] = one
		}
	}
}

// open reports whether a node may get a replica.
func (p *placing) open(name string) bool {
	if name == p.node {
		return !p.diskless
	}
	if p.replicas == 1 && !p.diskless {
		return false
	}
	return slices.ContainsFunc(p.nodes, func(n node) bool { return n.name == name && n.status == "ONLINE" && !n.shunned })
}

// least is the smallest space worth lending, in bytes.
const least = 64 << 20

// lendable returns how much of the room to lend to each of its sharers. LINSTOR chooses the
// nodes, so each of them may have a replica in the fullest pool.
func (p *placing) lendable(want int64, sharers int) (int64, error) {
	room, sharers := p.fullest.room(), max(1, sharers)
	share := room / int64(sharers)
	if share < min(least, want) {
		return 0, assay.WithHint("free some space there, name another storage pool, or measure fewer hosts (--host)",
			"%w: storage pool %s on node %s of LINSTOR has %d MiB free, of which assay leaves %d MiB unused: %d MiB for each of %d at a time",
			assay.ErrNoSpace, p.fullest.name, p.fullest.node, p.fullest.free>>20, (p.fullest.free-room)>>20, share>>20, sharers)
	}
	if share < want {
		return share >> 20 << 20, nil
	}
	return want, nil
}

// commands returns the commands that create a resource, in order. The measuring node's replica is
// the first, so that LINSTOR places the others around it. How many there are to be in all is
// given as a number and not as +N: LINSTOR takes a group's place_count instead of N while there
// are fewer.
func (p *placing) commands(h how, name string, bytes int64) [][]string {
	size := strconv.FormatInt((bytes+1023)/1024, 10) + "KiB"
	all := [][]string{{"resource-definition", "create", name}, {"volume-definition", "create", name, size}}
	here := []string{"resource", "create", h.Node, name, "--storage-pool", h.Pool}
	auto := []string{"resource", "create", name, "--auto-place", strconv.Itoa(p.replicas)}
	if h.Group != "" {
		all = [][]string{{"resource-group", "spawn-resources", "--definition-only", h.Group, name, size}}
		here = []string{"resource", "make-available", h.Node, name, "--diskful"} // in one of the group's pools
	} else {
		auto = append(auto, "--storage-pool", h.Pool)
	}
	switch {
	case p.chooses():
		all = append(all, p.chosen(name)...)
	case p.diskless:
		all = append(all, auto)
	case p.replicas == 1:
		return append(all, here)
	default:
		return append(all, here, auto)
	}
	return append(all, []string{"resource", "create", h.Node, name, "--drbd-diskless"})
}

// chosen returns the commands that create the replicas on the nodes with the most free: one for
// all with pools of one name, so that LINSTOR adds no tie-breaker before it has all of them.
func (p *placing) chosen(name string) (all [][]string) {
	pools := slices.SortedStableFunc(slices.Values(p.pools), func(a, b pool) int { return cmp.Compare(b.free, a.free) })[:p.replicas]
	for _, one := range pools {
		i := slices.IndexFunc(all, func(words []string) bool { return words[len(words)-1] == one.name })
		if i < 0 {
			all = append(all, []string{"resource", "create", one.node, name, "--storage-pool", one.name})
			continue
		}
		all[i] = slices.Insert(all[i], len(all[i])-3, one.node)
	}
	return all
}

// group asks for a resource group.
func (h how) group(ctx context.Context, at assay.Place, name string) (group, error) {
	text, err := h.ask(ctx, at, "resource-group", "list", "--resource-groups", name)
	if err != nil {
		return group{}, err
	}
	g, err := readGroup(text, name)
	if err != nil {
		return group{}, fmt.Errorf("%s: linstor resource-group list: %w", at.Host().Name, err)
	}
	return g, nil
}
