package kube

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/nearest"
)

// NodeFacts are what the cluster says of a node.
type NodeFacts struct {
	Name         string
	Architecture string // as Go names it: amd64, arm64
	Address      string // within the cluster
	CPUs         float64
	Memory       int64 // B
	Kubelet      string
	Runtime      string
	System       string // its operating system
	Kernel       string
	Ready        bool
	Unscheduled  bool // it takes no new pod
	Taints       []corev1.Taint
	Labels       map[string]string
}

// Nodes gives the facts of the nodes of those names in their order, or of all by
// name. A node that is not there, or not ready, is a *Problem.
func (c *Cluster) Nodes(ctx context.Context, names ...string) ([]NodeFacts, error) {
	list, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.Explain("look at the nodes", err)
	}
	byName := map[string]NodeFacts{}
	var all []string
	for i := range list.Items {
		byName[list.Items[i].Name] = factsOf(&list.Items[i])
		all = append(all, list.Items[i].Name)
	}
	slices.Sort(all)
	var facts []NodeFacts
	if len(names) == 0 {
		for _, n := range all {
			facts = append(facts, byName[n])
		}
		return facts, nil
	}
	for _, n := range names {
		found, known := byName[n]
		if !known {
			return nil, missing("node", n, c.name, nearest.Name(n, all))
		}
		if !found.Ready {
			return nil, &Problem{Reason: Node, Text: "kubernetes " + c.name + ": node " + n + " is not ready",
				Advice: "look at its kubelet: systemctl status kubelet (k3s: k3s-agent)"}
		}
		facts = append(facts, found)
	}
	return facts, nil
}

func factsOf(n *corev1.Node) NodeFacts {
	info := n.Status.NodeInfo
	f := NodeFacts{
		Name: n.Name, Architecture: info.Architecture, Kubelet: info.KubeletVersion, Runtime: info.ContainerRuntimeVersion,
		System: info.OSImage, Kernel: info.KernelVersion, Ready: ready(n), Unscheduled: n.Spec.Unschedulable,
		Taints: n.Spec.Taints, Labels: n.Labels,
		CPUs: n.Status.Capacity.Cpu().AsApproximateFloat64(), Memory: n.Status.Capacity.Memory().Value(),
	}
	for _, a := range n.Status.Addresses {
		if a.Type == corev1.NodeInternalIP && f.Address == "" {
			f.Address = a.Address
		}
	}
	return f
}
