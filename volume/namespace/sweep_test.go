package namespace

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
	lab "assay/lab/kube"
	"assay/stacks/kube"
)

// oneNamespace is a user with rights in one namespace who may see no volumes:
// anything the class deletes is removed all the same.
func oneNamespace(t *testing.T, b bed) {
	b.kubectl(t, "create ns only")
	file, err := b.Account(b.ctx, "only", "me")
	if err != nil {
		t.Fatal(err)
	}
	labels := fmt.Sprintf(`, labels: {%s: %s, %s: run1}`, kube.LabelManagedBy, kube.ManagedBy, kube.LabelRun)
	if err := b.Apply(b.ctx, kube.RoleYAML("system:serviceaccount:only:me", kube.PodRights("only"))+"---"+writer("only", lab.ClassDelete, labels)); err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "-n only wait --for=condition=Ready --timeout=90s pod --all")
	b.volume.Access.Kubeconfig, b.volume.Given = file, "only"
	b.release(t, b.lend(t))
	if left := b.kubectl(t, "-n only get pods,pvc -o name"); left != "" {
		t.Errorf("left in it: %s", left)
	}
	b.kept(t)
	b.kubectl(t, "delete ns only")
	for deadline := time.Now().Add(10 * time.Minute); strings.Contains(b.kubectl(t, "get pv -o name"), "pvc-"); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the volume is left")
		}
	}
	b.nothing(t)
}

// kept checks claims whose volumes may have existed before, for a user who may see
// neither them nor their class: they stay, with the pod that owns one of them, but
// the other pod is removed.
func (b bed) kept(t *testing.T) {
	t.Helper()
	labels := fmt.Sprintf(`, labels: {%s: %s, %s: run1}`, kube.LabelManagedBy, kube.ManagedBy, kube.LabelRun)
	if err := b.Apply(b.ctx, writer("only", lab.ClassStatic, labels)+own("only", lab.ClassStatic, labels)); err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "-n only wait --for=condition=Ready --timeout=90s pod --all")
	volumes := strings.Fields(b.kubectl(t, "-n only get pvc -o jsonpath={.items[*].spec.volumeName}"))
	err := New().Release(b.ctx, nil, b.lend(t))
	if kube.ReasonOf(err) != kube.Claim || !errors.Is(err, assay.ErrBusy) || len(volumes) != 2 {
		t.Errorf("of %v: %v", volumes, err)
	}
	for _, volume := range volumes {
		if !strings.Contains(fmt.Sprint(err), volume) {
			t.Errorf("%v: without %s", err, volume)
		}
	}
	left := b.kubectl(t, "-n only get pods,pvc -o name")
	if left != "pod/own\npersistentvolumeclaim/"+lab.ClassStatic+"\npersistentvolumeclaim/own-v" {
		t.Errorf("left in it: %s", left)
	}
	b.kubectl(t, "-n only delete pvc --all --wait=false") // which the pod keeps
	b.release(t, b.lend(t))
	for _, volume := range volumes {
		b.kubectl(t, "wait --for=jsonpath={.status.phase}=Released --timeout=60s pv/"+volume)
		b.kubectl(t, "patch pv "+volume+` --type=merge -p {"spec":{"claimRef":null}}`)
		b.kubectl(t, "wait --for=jsonpath={.status.phase}=Available --timeout=60s pv/"+volume)
	}
}
