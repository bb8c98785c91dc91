package linstor

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format recognises the header of a table and the keys of a node or a resource.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "linstor", Commands: []string{"linstor"},
		Begins: func(line string) bool { return kindOf(cells(line)) != "" },
		Accepts: func(keys []string) bool {
			has := func(key string) bool { return slices.Contains(keys, key) }
			return has("net_interfaces") && has("name") || has("node_name") && (has("layer_object") || has("volumes")) || has("resource_states") && has("resources")
		},
	}
}

// placement holds the nodes and replicas of an output.
type placement struct {
	nodes  []node
	copies []replica
}

// node is a machine of the cluster.
type node struct{ name, kind, state string }

// replica is one resource on one node.
type replica struct {
	resource, node, state string
	diskless              bool
	used                  bool // the guest or the mount is on this node
}

// Learn sets what replicates, and on how many nodes.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("linstor: %w", assay.ErrNoOutput)
	}
	text := string(step.Output.Stdout)
	var p placement
	var err error
	if s := strings.TrimSpace(text); strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") {
		p, err = fromJSON(step.Output.Stdout)
	} else {
		p = fromTables(text)
	}
	if err != nil {
		return err
	}
	stack := assay.StackFacts{Kind: "drbd"}
	if f.Stack != nil && f.Stack.Kind == "drbd" {
		stack = *f.Stack
	}
	switch {
	case len(p.copies) > 0:
		replicas(&stack, p.copies)
	case len(p.nodes) > 0:
		machines(&stack, p.nodes)
	default:
		return assay.WithHint("linstor resource list prints them", "linstor: %w: no node and no resource", assay.ErrNoOutput)
	}
	f.Stack = &stack
	return nil
}

// machines counts the nodes that can hold data and records the state of an
// unhealthy one. Facts from a resource list take precedence.
func machines(stack *assay.StackFacts, nodes []node) {
	n, state := 0, "Online"
	for _, m := range nodes {
		if strings.EqualFold(m.kind, "controller") {
			continue
		}
		n++
		if !strings.EqualFold(m.state, "online") && m.state != "" {
			state = m.state
		}
	}
	if stack.Nodes == 0 {
		stack.Nodes = n
	}
	if state != "Online" || stack.Health == "" {
		stack.Health = state
	}
}

// replicas records the lowest copy count of any resource, and the lowest count
// on nodes other than the one using it.
func replicas(stack *assay.StackFacts, all []replica) {
	type placed struct {
		holders map[string]bool
		user    string
	}
	byName := map[string]*placed{}
	nodes := map[string]bool{}
	health := "UpToDate"
	for _, r := range all {
		p := byName[r.resource]
		if p == nil {
			p = &placed{holders: map[string]bool{}}
			byName[r.resource] = p
		}
		if r.used {
			p.user = r.node
		}
		if r.diskless {
			continue
		}
		p.holders[r.node], nodes[r.node] = true, true
		if r.state != "" && r.state != "UpToDate" && health == "UpToDate" {
			health = r.state
		}
	}
	copies, remote := -1, -1
	for _, p := range byName {
		n := len(p.holders)
		if copies < 0 || n < copies {
			copies = n
		}
		if p.user == "" {
			continue
		}
		if p.holders[p.user] {
			n--
		}
		if remote < 0 || n < remote {
			remote = n
		}
	}
	stack.Copies, stack.Remote = copies, max(remote, 0)
	stack.Nodes, stack.Health = len(nodes), health
}
