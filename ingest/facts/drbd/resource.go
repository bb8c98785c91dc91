package drbd

import (
	"cmp"
	"slices"

	"assay"
)

// resource is one replicated device, as one node sees it.
type resource struct {
	name     string
	disks    []string // states of this node's volumes: UpToDate, Diskless
	peers    []peer
	protocol string
}

// peer is another node of a resource.
type peer struct {
	name       string
	connection string // "" where it is fine and not printed
	disks      []string
}

// connected reports whether writes wait for the peer.
func (p peer) connected() bool { return p.connection == "" || p.connection == "Connected" }

// holds reports whether every volume there has an attached disk.
func holds(disks []string) bool {
	for _, d := range disks {
		switch d {
		case "UpToDate", "Consistent", "Inconsistent", "Outdated", "Negotiating":
		default:
			return false
		}
	}
	return len(disks) > 0
}

// sum sets stack to the least replicated of the resources and the worst state.
func sum(stack *assay.StackFacts, all []resource) {
	nodes := map[string]bool{}
	stack.Copies, stack.Remote, stack.Health = 0, 0, ""
	protocols := map[string]bool{}
	for i, r := range all {
		remote, local := 0, 0
		if holds(r.disks) {
			local = 1
			nodes[""] = true // this node, whatever its name
		}
		for _, p := range r.peers {
			if p.connected() && holds(p.disks) {
				remote++
				nodes[p.name] = true
			}
		}
		if i == 0 || local+remote < stack.Copies {
			stack.Copies = local + remote
		}
		if i == 0 || remote < stack.Remote {
			stack.Remote = remote
		}
		if r.protocol != "" {
			protocols[r.protocol] = true
		}
		if h := r.health(); stack.Health == "" || stack.Health == "UpToDate" {
			stack.Health = h
		}
	}
	stack.Nodes = len(nodes)
	if len(protocols) == 1 {
		for p := range protocols {
			stack.Protocol = p
		}
	}
}

// health returns UpToDate if all is well, else the first state that is not. A
// diskless client counts as healthy.
func (r resource) health() string {
	for _, p := range r.peers {
		if !p.connected() {
			return p.connection
		}
		if i := slices.IndexFunc(p.disks, unwell); i >= 0 {
			return cmp.Or(p.disks[i], "Unknown")
		}
	}
	if i := slices.IndexFunc(r.disks, unwell); i >= 0 {
		return cmp.Or(r.disks[i], "Unknown")
	}
	return "UpToDate"
}

func unwell(disk string) bool { return disk != "UpToDate" && disk != "Diskless" }
