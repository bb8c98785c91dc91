package limits

import (
	"fmt"
	"strconv"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Pool is a replicated pool such as Ceph's, as its clients see it: nodes, drives
// and copies, and the payload rate of one link between nodes.
type Pool struct {
	Stack   assay.StackFacts
	Link    Limit // of one node, or one link of a mesh
	Copies  Limit // of one node, on the replication network if separate
	Write   bool
	Clients int
}

// Names of the limits of a pool.
const (
	PoolDrives  = "the drives"
	PoolNetwork = "the network"
	PoolMesh    = "the mesh"
	PoolCopies  = "the copies' network"
	PoolClient  = "the client's own link"
)

// copies returns how many times each byte that a client moves is moved: once for
// reads.
func (p Pool) copies() int {
	if p.Write {
		return p.Stack.Copies
	}
	return 1
}

// Missing returns the names of the unknown facts that limits of the pool need.
func (p Pool) Missing() []string {
	s := p.Stack
	each, what := p.each()
	var all []string
	for _, fact := range []struct {
		known bool
		name  string
	}{
		{p.copies() > 0, "copies of each byte"}, {s.Drives > 0, "number of drives"}, {each > 0, what},
		{p.Link.Known(), p.Link.Missing}, {s.Nodes > 0, "number of nodes"},
		{!p.Write || !s.Apart || s.Copies == 1 || p.Copies.Known(), "speed of the network that carries the copies"},
	} {
		if !fact.known {
			all = append(all, fact.name)
		}
	}
	return all
}

// each returns the rate of one drive, and the name of that fact.
func (p Pool) each() (rate float64, fact string) {
	if p.Write {
		return p.Stack.Write, "write rate of one drive"
	}
	return p.Stack.Read, "read rate of one drive"
}

// Drives returns the combined rate of all drives: each byte is written once per
// copy. It is unknown if Missing names a fact that it needs.
func (p Pool) Drives() Limit {
	each, fact := p.each()
	if p.copies() <= 0 || p.Stack.Drives <= 0 || !(each > 0) {
		return missing(fact+", number of drives, and copies of each byte", "")
	}
	l := Limit{
		Name: PoolDrives, Value: float64(p.Stack.Drives) * each / float64(p.copies()), Unit: assay.BytesPerSecond,
		Sum: fmt.Sprintf("%d drives x %s", p.Stack.Drives, quantity.Megabytes(each)),
	}
	if p.Write {
		l.Sum += fmt.Sprintf(" / %d copies", p.Stack.Copies)
	}
	return l
}

// Network returns the limits of the links between the nodes, and those of a single client.
// Every byte crosses them once for each copy but the first, unless copies have a separate
// network, and once more from its client if the first is elsewhere. It returns nil if no
// formula covers the cluster: more copies than nodes, a mesh of other than three, or clients
// outside a mesh.
func (p Pool) Network() []Limit {
	s := p.Stack
	nodes, copies := float64(s.Nodes), float64(p.copies())
	if !p.Link.Known() || s.Nodes <= 0 || copies <= 0 || copies > nodes || s.Mesh && (s.Nodes != 3 || s.Outside) {
		return nil
	}
	away := (nodes - 1) / nodes
	if s.Outside {
		away = 1
	}
	name, links, own, words := PoolNetwork, nodes, 1.0, strconv.Itoa(s.Nodes)+" links"
	if s.Mesh { // each of three nodes has a link to both others, in each direction
		name, links, own, words = PoolMesh, 6, 2, "mesh 6"
	}
	between := copies - 1
	if s.Apart {
		between = 0
	}
	var all []Limit
	add := func(name, words string, links, crossings float64) {
		if crossings > 0 {
			l := Limit{Name: name, Value: links * p.Link.Value, Unit: assay.BytesPerSecond, Sum: words + " x " + p.Link.Amount()}
			l.Value /= crossings
			l.Sum += " / " + quantity.Figure(crossings)
			all = append(all, l)
		}
	}
	add(name, words, links, away+between)
	if s.Apart && p.Write && copies > 1 && p.Copies.Known() {
		all = append(all, Limit{
			Name: PoolCopies, Value: nodes * p.Copies.Value / (copies - 1), Unit: assay.BytesPerSecond,
			Sum: strconv.Itoa(s.Nodes) + " links x " + p.Copies.Amount() + " / " + quantity.Figure(copies-1),
		})
	}
	if p.Clients == 1 {
		crossings := away
		if !s.Outside {
			crossings += between / nodes
		}
		add(PoolClient, "one client "+quantity.Plain(own), own, crossings)
	}
	return all
}

// Replicated returns the limits of that many clients of replicated storage, as far as a node's
// link and the known facts of the storage allow, and the missing facts that would allow more.
// copies is a node's link on the replication network, if it has one. It has no formula for
// several clients of storage that has one client.
func Replicated(s assay.StackFacts, link, copies Limit, write bool, clients int) (known []Limit, missing []string) {
	if s.Kind != "ceph" {
		if clients > 1 {
			return nil, []string{"how several clients of " + s.Kind + " use the network"}
		}
		l := RemoteCopies(s, link, !write)
		if !l.Known() {
			return nil, []string{l.Missing}
		}
		return []Limit{l}, nil
	}
	p := Pool{Stack: s, Link: link, Copies: copies, Write: write, Clients: clients}
	known = p.Network()
	if l := p.Drives(); l.Known() {
		known = append(known, l)
	}
	return known, p.Missing()
}

// Crossings returns how often a write at depth 1 waits for its data on a link. With Ceph, that
// is the share of writes whose first copy is on another node than the client, plus one for
// each further copy; with other storage, it is once per remote copy.
func Crossings(s assay.StackFacts) float64 {
	if s.Kind != "ceph" {
		return float64(s.Remote)
	}
	away := 1.
	if !s.Outside && s.Nodes > 0 {
		away = float64(s.Nodes-1) / float64(s.Nodes)
	}
	return away + float64(max(s.Copies-1, 0))
}

// RemoteCopies returns the limit that the client's link sets for storage whose client
// writes every copy itself and waits for all of them: the remote copies share the link, but
// in a mesh each has one of its own.
// Longhorn reads from its replicas in turn, so only the share of the remote ones crosses
// the network (longhorn-engine, pkg/controller/replicator.go: WriteAt goes to all, ReadAt
// to the next); DRBD reads locally (DRBD user's guide, read balancing), and without a
// local disk from a peer.
func RemoteCopies(s assay.StackFacts, link Limit, read bool) Limit {
	switch {
	case s.Kind != "longhorn" && s.Kind != "drbd" || s.Protocol == "A":
		return missing("how "+s.Kind+" uses the network", "")
	case read && s.Kind == "drbd" && (s.Copies <= 0 || s.Copies > s.Remote), s.Copies == 1 && s.Remote == 0:
		return missing("link of the drive under its replica", "")
	case s.Remote <= 0:
		return missing("replicas on other nodes", "")
	case read && s.Copies < s.Remote:
		return missing("number of replicas", "")
	case !link.Known():
		return link
	}
	if read && s.Kind == "drbd" { // a node without a disk of its own reads from one peer
		link.Name += " without a replica of its own"
		return link
	}
	if read {
		link.Name = fmt.Sprintf("%s with %s of %s replicas remote", link.Name, prose.Number(s.Remote), prose.Number(s.Copies))
		link.Sum = fmt.Sprintf("%s x %d / %d", link.Sum, s.Copies, s.Remote)
		link.Value = link.Value * float64(s.Copies) / float64(s.Remote)
		return link
	}
	if s.Mesh {
		link.Name += " to each remote replica"
		return link
	}
	replicas := " remote replica"
	if s.Remote > 1 {
		replicas += "s"
	}
	link.Name += " with " + prose.Number(s.Remote) + replicas
	link.Sum += " / " + strconv.Itoa(s.Remote)
	link.Value /= float64(s.Remote)
	return link
}
