package kube_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/kube"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
)

func TestPreflight(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	connect := func(file string) *kube.Cluster {
		c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: file})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	admin := connect(l.Kubeconfig())

	t.Run("all is there", func(t *testing.T) {
		ready, err := admin.Preflight(ctx, kube.Needs{Nodes: []string{"node2", "node1"}, Classes: []string{lab.ClassRetain, ""}})
		if err != nil {
			t.Fatal(err)
		}
		n := ready.Nodes[0]
		if n.Name != "node2" || n.Architecture != runtime.GOARCH || n.CPUs < 1 || n.Memory < 1<<28 || n.Kubelet != "v"+lab.Version || n.Address != l.Address("node2") {
			t.Errorf("node2 is %+v", n)
		}
		if c := ready.Classes[lab.ClassRetain]; c.Reclaim != "Retain" || c.Binding != "WaitForFirstConsumer" || c.Provisioner != "lab.assay/disk" {
			t.Errorf("class %+v", c)
		}
		if c := ready.Classes[""]; c.Name != lab.ClassDelete {
			t.Errorf("the default class is %+v", c)
		}
	})
	for name, c := range map[string]struct {
		needs      kube.Needs
		says, hint string
	}{
		"a node":      {kube.Needs{Nodes: []string{"node3"}}, `no node "node3"`, "did you mean node1?"},
		"a class":     {kube.Needs{Classes: []string{"lab-retained"}}, `no storage class "lab-retained"`, "did you mean lab-retain?"},
		"a namespace": {kube.Needs{Namespace: "nowhere"}, `no namespace "nowhere"`, ""},
	} {
		t.Run("no such "+name, func(t *testing.T) {
			_, err := admin.Preflight(ctx, c.needs)
			if kube.ReasonOf(err) != kube.NotFound || !strings.Contains(err.Error(), c.says) || assay.Hint(err) != c.hint {
				t.Errorf("got %v (%s)", err, assay.Hint(err))
			}
		})
	}
	// Who may too little is told what, and what to apply; applied, it is enough.
	for name, needs := range map[string]kube.Needs{
		"all":   {Nodes: []string{"node1"}},
		"given": {Namespace: "default", Bare: true},
	} {
		t.Run("rights "+name, func(t *testing.T) {
			file, err := l.User("joe-"+name, "testers")
			if err != nil {
				t.Fatal(err)
			}
			joe := connect(file)
			_, err = joe.Preflight(ctx, needs)
			if kube.ReasonOf(err) != kube.Forbidden {
				t.Fatalf("got %v", err)
			}
			for _, words := range []string{"user joe-" + name + " may not", "create, get, list, delete jobs.batch", "create, get pods/exec"} {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("%v: without %q", err, words)
				}
			}
			_, yaml, _ := strings.Cut(assay.Hint(err), "\n")
			if err := l.Apply(ctx, yaml); err != nil {
				t.Fatalf("%v in\n%s", err, yaml)
			}
			deadline := time.Now().Add(30 * time.Second)
			for {
				_, err := joe.Preflight(ctx, needs)
				if err == nil {
					return
				}
				if time.Now().After(deadline) {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
	t.Run("a kubelet is off", func(t *testing.T) {
		if err := l.Stop(ctx, "node2", lab.Kubelet); err != nil {
			t.Fatal(err)
		}
		for ctx.Err() == nil {
			if _, err := admin.Nodes(ctx, "node2"); kube.ReasonOf(err) == kube.Node {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
		t.Error("a node whose kubelet is off stayed ready")
	})
}
