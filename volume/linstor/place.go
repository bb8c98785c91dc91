package linstor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
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
	replicas int
	protocol string
	pools    []pool // candidates for a replica, one per node
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
	if len(p.pools) == 0 {
		return p, assay.WithHint("list them with: linstor storage-pool list", "%s: LINSTOR has no storage pool %s: %w", at.Host().Name, strings.Join(allowed, ", "), assay.ErrNotFound)
	}
	return p, nil
}

// add adds the pools that a replica may be in; allowed are their names, none means all.
func (p *placing) add(all []pool, allowed []string) {
	for _, one := range all {
		named := func(name string) bool { return strings.EqualFold(name, one.name) }
		if len(allowed) > 0 && !slices.ContainsFunc(allowed, named) || !p.open(one.node) {
			continue
		}
		if len(p.pools) == 0 || one.room() < p.fullest.room() {
			p.fullest = one
		}
		if !slices.ContainsFunc(p.pools, func(q pool) bool { return q.node == one.node }) {
			p.pools = append(p.pools, one)
		}
	}
}

// open reports whether a node may get a replica.
func (p *placing) open(name string) bool {
	if name == p.node {
		return !p.diskless
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
