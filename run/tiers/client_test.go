package tiers

import (
	"os"
	"path/filepath"
	"testing"

	"assay"
	"assay/inventory/cluster"
	"assay/volume/bucket"
)

const kubeconfig = `{apiVersion: v1, kind: Config, current-context: home, users: [{name: u, user: {}}],
contexts: [{name: home, context: {cluster: c, user: u}}, {name: other, context: {cluster: c, user: u}}],
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]}`

// When a bucket is removed, its store's secrets are read again from the cluster that
// was current when it was made.
func TestSecretsStayOfOneCluster(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("KUBECONFIG", "config")
	s3 := func(credentials, token string) cluster.Tier {
		s := &bucket.Storage{Endpoint: "http://s3:3900", Credentials: bucket.Credentials(credentials)}
		if token != "" {
			s.Garage = &bucket.Garage{Admin: "http://s3:3903", Token: bucket.Token(token)}
		}
		return cluster.Tier{Name: "s3", Kind: bucket.Describe(), Storage: s}
	}
	current := &cluster.Kubernetes{}
	for name, c := range map[string]struct {
		tier cluster.Tier
		in   *cluster.Kubernetes
		want *assay.KubernetesAccess
	}{
		"keys":               {s3("secret garage/keys", ""), current, &assay.KubernetesAccess{Kubeconfig: file, Context: "home"}},
		"token":              {s3("", "secret garage/admin"), current, &assay.KubernetesAccess{Kubeconfig: file, Context: "home"}},
		"a context":          {s3("", "secret garage/admin"), &cluster.Kubernetes{Context: "other"}, &assay.KubernetesAccess{Kubeconfig: file, Context: "other"}},
		"the file says none": {s3("secret garage/keys", ""), nil, &assay.KubernetesAccess{Kubeconfig: file, Context: "home"}},
		"no secret":          {s3("env", "env TOKEN"), current, nil},
	} {
		o := Options{Here: "here", Cluster: cluster.Cluster{File: filepath.Join(dir, "cluster.yaml"), Kubernetes: c.in}}
		all, err := o.clientsOf(c.tier)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := all[0].subject.Store.Kubernetes
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
