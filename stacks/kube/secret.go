package kube

import (
	"context"

	"assay"
)

// Secret reads a secret of the cluster that access leads to.
func Secret(ctx context.Context, access assay.KubernetesAccess, namespace, name string) (map[string][]byte, error) {
	c, err := Connect(access)
	if err != nil {
		return nil, err
	}
	secret, err := c.client.Secrets(namespace).Get(ctx, name)
	if err != nil {
		return nil, c.Explain("read secret "+name+" in namespace "+namespace, err)
	}
	return secret.Data, nil
}
