package linstor

import (
	"context"
	"fmt"
	"slices"

	"assay"
	"assay/internal/prose"
	"assay/stacks/drbd"
	replicated "assay/volume/drbd"
)

// Learn implements volume.Learner: it adds the room for the block device to be lent, what its
// replica there lies on, and how it is replicated. LINSTOR chooses the nodes of the replicas;
// the candidates are noted.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	placed, err := s.how().placing(ctx, at)
	if err != nil {
		return nil, err
	}
	notes := []assay.Note{{ID: "linstor-placement", Text: placed.words(s.Path())}}
	if here := placed.here(); here >= 0 && !s.Diskless {
		p := placed.pools[here]
		notes = append(notes, replicated.Lies(ctx, at, s.Path(), p.kind, p.of, f)...)
	}
	stack := placed.stack(at.Host().Name)
	if text, err := drbd.Ask(ctx, at, "cat", "/proc/drbd"); err == nil {
		stack.Version, _, _ = drbd.ReadVersion(text)
	}
	paths := placed.paths()
	stack.ClusterNIC = drbd.Shared(ctx, at, paths)
	drbd.Describe(f, s.Path(), stack)
	f.DeviceAt(s.Path()).Bytes = placed.fullest.room()
	if len(paths) > stack.Remote { // not all of them will be used
		return notes, nil
	}
	return append(notes, drbd.Network(ctx, at, s.Path(), paths, *f)...), nil
}

// here returns the index of the measuring node's pool, -1 for none.
func (p placing) here() int {
	return slices.IndexFunc(p.pools, func(one pool) bool { return one.node == p.node })
}

// stack returns how the resource will be replicated; host is the measuring node's name.
func (p placing) stack(host string) assay.StackFacts {
	s := assay.StackFacts{Kind: replicated.Kind, Nodes: p.replicas, Copies: p.replicas, Remote: p.replicas, Protocol: p.protocol}
	if !p.diskless {
		s.Remote--
	}
	if s.Remote == 0 {
		return s
	}
	for _, one := range p.pools {
		d := assay.StackDisk{Name: "replica", Host: one.node, Copies: p.address(one.node)}
		if one.node == p.node {
			d.Host = host
		}
		s.Disks = append(s.Disks, d)
	}
	return s
}

// address returns a node's address for DRBD.
func (p placing) address(name string) string {
	for _, n := range p.nodes {
		if n.name == name {
			return n.address
		}
	}
	return ""
}

// paths returns the paths to the nodes that may get the other replicas.
func (p placing) paths() (all []drbd.Path) {
	here := p.address(p.node)
	for _, one := range p.pools {
		if there := p.address(one.node); one.node != p.node && here != "" && there != "" && (p.replicas > 1 || p.diskless) {
			all = append(all, drbd.Path{Here: here, There: there})
		}
	}
	return all
}

// words describes where the replicas may be.
func (p placing) words(of string) string {
	var nodes []string
	for _, one := range p.pools {
		nodes = append(nodes, one.node)
	}
	where := "on " + prose.Few(nodes)
	if len(nodes) > p.replicas {
		where = "on some of " + prose.Few(nodes)
	}
	if p.replicas == 1 && !p.diskless {
		return fmt.Sprintf("%s: LINSTOR places 1 replica, on %s, which measures (protocol %s)", of, p.node, p.protocol)
	}
	here := "one of them on " + p.node + ", which measures"
	if p.diskless {
		here = "none on " + p.node + ", which measures and reaches them over the network"
	}
	return fmt.Sprintf("%s: LINSTOR places %s %s, %s (protocol %s)", of, prose.Plural(p.replicas, "replica"), where, here, p.protocol)
}
