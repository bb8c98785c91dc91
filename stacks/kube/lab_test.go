package kube_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	"assay/stacks/kube"
)

func TestPreflight(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
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
		notes, err := admin.Preflight(ctx, kube.Needs{Nodes: []string{"node2", "node1"}, Classes: []string{lab.ClassRetain}, Claims: true})
		if err != nil || len(notes) > 0 {
			t.Errorf("%v, %v", notes, err)
		}
		nodes, err := admin.Nodes(ctx, "node2", "node1")
		if err != nil || nodes[0] != (kube.NodeFacts{Name: "node2", Architecture: runtime.GOARCH, Ready: true}) || nodes[1].Name != "node1" {
			t.Errorf("%+v, %v", nodes, err)
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
	// Missing rights are named, with what to apply; once applied, they are enough. In
	// a given namespace that is a Role, without a ClusterRole.
	for name, c := range map[string]struct {
		account func() (string, error)
		user    string
		needs   kube.Needs
		roles   []string
		without []string
	}{
		"for a namespace of its own": {func() (string, error) { return l.User("joe", "testers") }, "joe", kube.Needs{Nodes: []string{"node1"}}, []string{"ClusterRole"}, nil},
		"in a namespace that is given": {func() (string, error) { return l.Account(ctx, "default", "jane") }, "system:serviceaccount:default:jane",
			kube.Needs{Namespace: "default", Nodes: []string{"node1"}, Classes: []string{lab.ClassDelete}, Claims: true},
			[]string{"Role"}, []string{"get, list nodes", "get, list, patch persistentvolumes", "get, list storageclasses.storage.k8s.io"}},
	} {
		t.Run("rights "+name, func(t *testing.T) {
			file, err := c.account()
			if err != nil {
				t.Fatal(err)
			}
			theirs := connect(file)
			_, err = theirs.Preflight(ctx, c.needs)
			if kube.ReasonOf(err) != kube.Forbidden {
				t.Fatalf("got %v", err)
			}
			for _, words := range []string{"user " + c.user + " is not allowed to", "create, get, list, delete jobs.batch", "create, get pods/exec"} {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("%v: without %q", err, words)
				}
			}
			_, yaml, _ := strings.Cut(assay.Hint(err), "\n")
			var roles []string
			for line := range strings.Lines(yaml) {
				if kind, is := strings.CutPrefix(strings.TrimSpace(line), "kind: "); is && kind != "List" && !strings.HasSuffix(kind, "Binding") {
					roles = append(roles, kind)
				}
			}
			if !slices.Equal(roles, c.roles) {
				t.Errorf("it asks for %v, want %v", roles, c.roles)
			}
			if err := l.Apply(ctx, yaml); err != nil {
				t.Fatalf("%v in\n%s", err, yaml)
			}
			deadline := time.Now().Add(2 * time.Minute)
			for {
				notes, err := theirs.Preflight(ctx, c.needs)
				if err == nil {
					told(t, notes, c.without)
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

func told(t *testing.T, notes []assay.Note, words []string) {
	t.Helper()
	if len(notes) != len(words) {
		t.Errorf("the notes are %v", notes)
	}
	for i := range min(len(notes), len(words)) {
		if !strings.Contains(notes[i].Text, words[i]) {
			t.Errorf("note %q does not say %q", notes[i].Text, words[i])
		}
	}
}
