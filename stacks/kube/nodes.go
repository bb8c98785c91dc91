package kube

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/nearest"
)

// NodeFacts are what the cluster reports about a node.
type NodeFacts struct {
	Name         string
	Architecture string // as Go names it: amd64, arm64
	Ready        bool
}

// Nodes returns the facts of the named nodes, in that order. A node that is missing
// or not ready is a *Problem.
func (c *Cluster) Nodes(ctx context.Context, names ...string) ([]NodeFacts, error) {
	list, err := c.client.Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.Explain("list nodes", err)
	}
	byName := map[string]NodeFacts{}
	var all []string
	for i := range list.Items {
		n := &list.Items[i]
		byName[n.Name] = NodeFacts{Name: n.Name, Architecture: n.Status.NodeInfo.Architecture, Ready: ready(n)}
		all = append(all, n.Name)
	}
	slices.Sort(all)
	var facts []NodeFacts
	for _, n := range names {
		found, known := byName[n]
		if !known {
			return nil, missing("node", n, c.name, nearest.Name(n, all))
		}
		if !found.Ready {
			return nil, &Problem{Reason: Node, Text: "kubernetes " + c.name + ": node " + n + " is not ready",
				Advice: "check its kubelet: systemctl status kubelet (k3s: k3s-agent)"}
		}
		facts = append(facts, found)
	}
	return facts, nil
}
