package tierfaults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
)

// tooNarrow are namespaces in which nothing can be measured.
const tooNarrow = `
apiVersion: v1
kind: Namespace
metadata: {name: %[1]s-full}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: none, namespace: %[1]s-full}
spec: {hard: {pods: "0"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: %[1]s-strict, labels: {pod-security.kubernetes.io/enforce: restricted}}
`

// refusals checks pods that the cluster refuses: assay ends soon with status 1, in
// plain words with Kubernetes' message, and nothing was measured.
func refusals(t *testing.T, b *bed) {
	const name = "refusing"
	if err := b.Kube.Apply(b.ctx, fmt.Sprintf(tooNarrow, name)); err != nil {
		t.Fatal(err)
	}
	type refusal struct {
		kubernetes map[string]string
		tier       string
		words      []string
	}
	cases := map[string]refusal{
		"image": {map[string]string{"image": "assay.lab/none:1"}, sd, []string{"assay.lab/none:1 is not on node node1", "ErrImageNeverPull", "hint: load it on the node"}},
		"foreign image": {map[string]string{"image": kube.ForeignImage}, sd,
			[]string{"node1", `exec: "/bin/sh"`, "hint: the image must have /bin/sh"}},
		"quota": {map[string]string{"namespace": name + "-full"}, sd, []string{"namespace " + name + "-full", "exceeded quota", "hint: set requests and limits"}},
		"level": {map[string]string{"namespace": name + "-strict"}, sd,
			[]string{"namespace " + name + "-strict", "violates PodSecurity", "hostPath", "hint: use a namespace with a less strict level"}},
		"priority class": {map[string]string{"priority-class": "no-such"}, sd, []string{"no PriorityClass with name no-such", "hint: kubectl get priorityclass"}},
		"node":           {nil, strings.Replace(sd, "node1", "nodee1", 1), []string{`no node "nodee1"`, "hint: did you mean node1?"}},
		"class":          {nil, strings.Replace(pvc, kube.ClassDelete+",", kube.ClassDelete+"b,", 1), []string{`no storage class "labb"`, "hint: did you mean lab?"}},
	}
	begun := map[string]*laptop.Command{}
	for name, c := range cases {
		begun[name] = measure(b.laptopWith(t, c.kubernetes, c.tier), short, 3, reads).Command
	}
	for name, c := range cases {
		r := begun[name].Wait(90 * time.Second)
		if r.Exit != failed || r.Stdout != "" {
			t.Errorf("%s: ended with %d and printed %q", name, r.Exit, r.Stdout)
		}
		for _, w := range c.words {
			if !strings.Contains(r.Said, w) {
				t.Errorf("%s: assay does not say %q:\n%s", name, w, r.Said)
			}
		}
		begun[name].Laptop.ExpectEmpty()
	}
	for _, space := range []string{"-full", "-strict"} {
		if left := b.kubectl(t, "-n", name+space, "get", "jobs,pods,pvc", "-o", "name"); left != "" {
			t.Errorf("left in namespace %s%s: %s", name, space, left)
		}
		b.kubectl(t, "delete", "ns", name+space)
	}
}

// oneTierRefused has a claim that nobody provisions and one that is too small,
// next to a healthy tier: that one is measured.
func oneTierRefused(t *testing.T, b *bed) {
	l := b.laptop(t, sd,
		"  never: {node: node2, pvc: {class: "+kube.ClassNever+", size: 1Gi}}\n",
		"  small: {node: node2, pvc: {class: "+kube.ClassDelete+", size: 64Mi}}\n")
	m := measure(l, short, 3, reads)
	m.awaitEvent("gone", "never") // it does not wait forever
	o := m.end()
	o.expectExit(partial)
	o.expectFigures("sd")
	o.expectAway("never", "claim never-", " (class "+kube.ClassNever+", 1Gi) is not bound", "ExternalProvisioning")
	o.expectAway("small", "/mnt/small", "but 256 MiB are needed")
	l.ExpectEmpty()
}

// rights has a user without any rights: the roles that assay prints are enough.
func rights(t *testing.T, b *bed) {
	user, err := b.Kube.User("narrow")
	if err != nil {
		t.Fatal(err)
	}
	l := b.laptopWith(t, map[string]string{"kubeconfig": user}, pvc)
	r := measure(l, short, 3, reads).Wait(time.Minute)
	if r.Exit != failed {
		t.Errorf("ended with %d", r.Exit)
	}
	expectSaid(t, r, "user narrow is not allowed to: create, get, delete namespaces", "create, get, list, delete jobs.batch", "pods/exec")
	_, roles, found := strings.Cut(r.Said, "apply this:\n")
	if !found {
		t.Fatalf("no role is printed: %s", r.Said)
	}
	l.ExpectEmpty()
	if err := os.WriteFile(filepath.Join(l.Dir, "roles.yaml"), []byte(roles), 0o600); err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "apply", "-f", filepath.Join(l.Dir, "roles.yaml"))
	defer b.kubectl(t, "delete", "-f", filepath.Join(l.Dir, "roles.yaml"))
	o := measure(l, short, 3, reads).end()
	o.expectDone()
	o.expectFigures("pvc")
	l.ExpectEmpty()
}
