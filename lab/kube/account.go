package kube

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Account creates a service account in a namespace, and returns the path of a
// kubeconfig for it, with a token valid for an hour. It has no rights unless a role
// is bound to user system:serviceaccount:NAMESPACE:NAME.
func (l *Lab) Account(ctx context.Context, namespace, name string) (string, error) {
	if _, err := l.Kubectl(ctx, "-n", namespace, "create", "serviceaccount", name); err != nil {
		return "", err
	}
	token, err := l.Kubectl(ctx, "-n", namespace, "create", "token", name)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.Dir, usersDir)
	cert, _ := l.pair("ca")
	ca, rerr := os.ReadFile(cert)
	if err := errors.Join(rerr, os.MkdirAll(dir, 0o700)); err != nil {
		return "", err
	}
	type named map[string]any
	b, err := json.MarshalIndent(named{
		"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": []named{{"name": "lab", "cluster": named{"server": l.Server(), "certificate-authority-data": ca}}},
		"users":    []named{{"name": name, "user": named{"token": strings.TrimSpace(token)}}},
		"contexts": []named{{"name": "lab", "context": named{"cluster": "lab", "user": name, "namespace": namespace}}},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, namespace+"."+name+".kubeconfig")
	return file, os.WriteFile(file, append(b, '\n'), 0o600)
}
