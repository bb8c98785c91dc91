package s3_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	place "assay/place/kube"
	"assay/stacks/kube"
)

// TestInAPod pushes the agent into a pod that never had assay.
func TestInAPod(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: l.Kubeconfig()})
	if err != nil {
		t.Fatal(err)
	}
	at := place.New(c, place.Options{Host: assay.Host{Name: "s3@node1"}, Namespace: "default", Run: "run1", Tier: "s3", Image: lab.Image,
		PullPolicy: corev1.PullNever, Node: "node1", Deadline: 10 * time.Minute})
	if err := at.Open(ctx, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	})
	b := lendOn(t, garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1, Host: l.Machine()}), at, "abcdef0123456789")
	m := parse(t, b.run(b.trial("mixed", 1, map[string]string{"mix": "GET=1,PUT=1", "size": "4k", "iodepth": "2", "objects": "10"})))
	if m.of("object.get.ops").Value <= 0 || m.of("object.put.ops").Value <= 0 || m.of("object.put.errors").Value != 0 {
		t.Errorf("%+v", m.all)
	}
}
