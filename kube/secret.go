package kube

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
)

// Secret reads a secret of the cluster that access leads to.
func Secret(ctx context.Context, access assay.KubernetesAccess, namespace, name string) (map[string][]byte, error) {
	c, err := Connect(access)
	if err != nil {
		return nil, err
	}
	secret, err := c.client.CoreV1().Secrets(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, c.Explain("read secret "+name+" in namespace "+namespace, err)
	}
	return secret.Data, nil
}
