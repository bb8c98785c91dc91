package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/incident/pods"
	"assay/inventory/cluster"
	"assay/stacks/kube"
)

// GatherPods asks the Kubernetes of a cluster.yaml which pods fail because of which
// storage. It is read-only. Nodes that are hosts of the file have the hosts' names.
func GatherPods(ctx context.Context, c cluster.Cluster, since time.Duration) (pods.Answer, error) {
	access, err := accessOf(c)
	if err != nil {
		return pods.Answer{}, invalid(err)
	}
	k, err := kube.Connect(access)
	if err != nil {
		return pods.Answer{}, invalid(err)
	}
	return pods.Ask(ctx, k, pods.Options{
		Since: time.Now().Add(-since), Namespace: string(c.Kubernetes.Namespace),
		HostOf: func(node string, addresses []string) string {
			for _, h := range c.Hosts {
				if h.Name == node || slices.Contains(addresses, h.Address) {
					return h.Name
				}
			}
			return ""
		},
	})
}

// accessOf returns the access to the Kubernetes of a cluster.yaml.
func accessOf(c cluster.Cluster) (assay.KubernetesAccess, error) {
	k := c.Kubernetes
	a := assay.KubernetesAccess{Context: string(k.Context)}
	if k.Kubeconfig == "" {
		return a, nil
	}
	home, err := os.UserHomeDir()
	if err != nil && strings.HasPrefix(string(k.Kubeconfig), "~/") {
		return a, err
	}
	a.Kubeconfig, err = filepath.Abs(c.Path(string(k.Kubeconfig), home))
	return a, err
}
