package namespace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	"assay/stacks/kube"
)

const id = "0123456789abcdef"

// bed is the lab and a volume for it.
type bed struct {
	*lab.Lab
	ctx    context.Context
	volume Volume
}

func TestNamespace(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	b := bed{l, ctx, Volume{Access: assay.KubernetesAccess{Kubeconfig: l.Kubeconfig()}, Security: kube.Baseline, Run: "run1", Hosts: []string{"pvc@node1", "sd"}}}
	for _, part := range []struct {
		name string
		test func(*testing.T, bed)
	}{
		{"conformance", conformance}, {"volumes", volumes}, {"a namespace of the user's", given}, {"rights in one namespace", oneNamespace}, {"not ours", notOurs}, {"no API server", away},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.test(t, b)
			if t.Failed() {
				t.Log(l.Kubectl(ctx, "get", "ns,jobs,pods,pvc,pv", "-A", "-o", "wide"))
			}
		})
	}
}

func (b bed) kubectl(t *testing.T, words string, more ...string) string {
	t.Helper()
	out, err := b.Kubectl(b.ctx, append(strings.Fields(words), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func (b bed) present(t *testing.T) bool {
	t.Helper()
	return strings.Contains(b.kubectl(t, "get ns -o name"), Name(id))
}

func (b bed) reserve(t *testing.T) assay.Receipt {
	t.Helper()
	r, err := b.volume.Reserve(id, assay.Subject{ID: "here/kubernetes/lab", Host: "here"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (b bed) lend(t *testing.T) assay.Receipt {
	t.Helper()
	r := b.reserve(t)
	if err := b.volume.Make(b.ctx, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// release uses a volume that knows only the receipt.
func (b bed) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	if err := New().Release(b.ctx, nil, r); err != nil {
		t.Error(err)
	}
}

// conformance is volumetest's suite, without the parts about space.
func conformance(t *testing.T, b bed) {
	r := b.reserve(t)
	if b.present(t) {
		t.Error("something exists before Lend")
	}
	if r.Volume != Kind || r.Host != "here" || r.Subject != "here/kubernetes/lab" || In(r) != Name(id) {
		t.Errorf("the receipt is %+v", r)
	}
	for _, bad := range []string{"", "x", "../../../../etc", "0123456789/x", "01234567 89", "$(reboot)aaaa", "ABCDEFGHIJ", strings.Repeat("a", 64)} {
		if _, err := b.volume.Reserve(bad, assay.Subject{}); err == nil {
			t.Errorf("id %q was accepted", bad)
		}
	}
	for role := range r.Names {
		forged := r
		forged.Names = map[string]string{role: "/etc"}
		if err := New().Release(b.ctx, nil, forged); err == nil {
			t.Errorf("released %v", forged.Names)
		}
	}
	if hosts, gone := New().Takes(r); !slices.Equal(hosts, b.volume.Hosts) || !errors.Is(gone, kube.ErrRemoved) || !strings.Contains(gone.Error(), Name(id)) {
		t.Errorf("with it go %q: %v", hosts, gone)
	}
	b.release(t, r) // before it was lent
	dead, cancel := context.WithCancel(b.ctx)
	cancel()
	if err := b.volume.Make(dead, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Lend: %v", err)
	}
	b.release(t, r)
	b.lend(t)
	labels := b.kubectl(t, "get ns "+Name(id)+" -o jsonpath={.metadata.labels}")
	for _, want := range []string{`"assay/run":"run1"`, `"pod-security.kubernetes.io/enforce":"baseline"`, `"assay/receipt":"` + id + `"`} {
		if !strings.Contains(labels, want) {
			t.Errorf("its labels are %s, without %s", labels, want)
		}
	}
	if err := b.volume.Make(b.ctx, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("lent a second time: %v", err)
	}
	b.release(t, r)
	b.release(t, r)
	if b.present(t) {
		t.Error("it is left after Release")
	}
}

// writer returns a pod that writes into a claim.
func writer(namespace, class, labels string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: %[2]s, namespace: %[1]s%[3]s}
spec: {storageClassName: %[2]s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 32Mi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: %[2]s, namespace: %[1]s%[3]s}
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 1
  containers: [{name: main, image: "%[4]s", imagePullPolicy: Never, command: [sh, -c, "echo x >/data/x; sleep 1000"], volumeMounts: [{name: v, mountPath: /data}]}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: %[2]s}}]
---`, namespace, class, labels, lab.Image)
}

// own returns a pod with its own volume, for which Kubernetes makes the claim.
func own(namespace, class, labels string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: own, namespace: %[1]s%[3]s}
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 1
  containers: [{name: main, image: "%[4]s", imagePullPolicy: Never, command: [sleep, "1000"], volumeMounts: [{name: v, mountPath: /data}]}]
  volumes:
  - name: v
    ephemeral:
      volumeClaimTemplate:
        metadata: {%[5]s}
        spec: {storageClassName: %[2]s, accessModes: [ReadWriteOnce], resources: {requests: {storage: 32Mi}}}
---`, namespace, class, labels, lab.Image, strings.TrimPrefix(labels, ", "))
}

var classes = []string{lab.ClassDelete, lab.ClassRetain, lab.ClassStatic}

// nothing checks that no claim left a volume, not even on the nodes, and that
// the static ones are free.
func (b bed) nothing(t *testing.T) {
	t.Helper()
	out := b.kubectl(t, `get pv -o jsonpath={range.items[*]}{.metadata.name}={.status.phase}{"\n"}{end}`)
	if strings.Contains(out, "pvc-") || strings.Count(out, "=Available") != 4 {
		t.Errorf("the volumes are %s", out)
	}
	for _, node := range b.Nodes() {
		if out, err := b.Run(b.ctx, node, "sh", "-c", "ls /var/lib/lab/volumes /mnt/lab | grep pvc-; true"); err != nil || strings.TrimSpace(out) != "" {
			t.Errorf("on %s: %s, %v", node, out, err)
		}
	}
}

// volumes of every class go with the namespace.
func volumes(t *testing.T, b bed) {
	r := b.lend(t)
	var all strings.Builder
	for _, class := range classes {
		all.WriteString(writer(In(r), class, ""))
	}
	if err := b.Apply(b.ctx, all.String()); err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "-n "+In(r)+" wait --for=condition=Ready --timeout=90s pod --all")
	b.release(t, r)
	if b.present(t) {
		t.Error("the namespace is left")
	}
	b.nothing(t)
}

// given is a namespace of the user's: anything the run did not make stays.
func given(t *testing.T, b bed) {
	b.kubectl(t, "create ns theirs")
	b.volume.Given = "theirs"
	r := b.lend(t)
	labels := fmt.Sprintf(`, labels: {%s: %s, %s: run1}`, kube.LabelManagedBy, kube.ManagedBy, kube.LabelRun)
	mine := writer("theirs", lab.ClassRetain, labels)
	other := strings.ReplaceAll(writer("theirs", lab.ClassDelete, strings.Replace(labels, "run1", "run2", 1)), "name: lab,", "name: other,")
	other = strings.ReplaceAll(other, "claimName: lab", "claimName: other")
	if err := b.Apply(b.ctx, mine+own("theirs", lab.ClassRetain, labels)+other); err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "-n theirs wait --for=condition=Ready --timeout=90s pod --all")
	b.release(t, r)
	b.release(t, r)
	if left := b.kubectl(t, "-n theirs get pods,pvc -o name"); left != "pod/other\npersistentvolumeclaim/other" {
		t.Errorf("left in it: %s", left)
	}
	if out := b.kubectl(t, "get pv -o name"); strings.Count(out, "pvc-") != 1 {
		t.Errorf("the volumes are %s", out)
	}
	r.Names[roleRun] = "run2"
	b.release(t, r)
	b.nothing(t)
	b.kubectl(t, "delete ns theirs")
}

// notOurs is a namespace with the receipt's name, made by somebody else.
func notOurs(t *testing.T, b bed) {
	b.kubectl(t, "create ns "+Name(id))
	r := b.reserve(t)
	if err := b.volume.Make(b.ctx, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("lent: %v", err)
	}
	if err := New().Release(b.ctx, nil, r); err == nil || !strings.Contains(err.Error(), "label") {
		t.Errorf("released: %v", err)
	}
	if !b.present(t) {
		t.Error("it was deleted")
	}
	b.kubectl(t, "delete ns "+Name(id))
}

// away is an API server that is down at the first attempt.
func away(t *testing.T, b bed) {
	r := b.lend(t)
	if err := b.Stop(b.ctx, lab.Control, lab.APIServer); err != nil {
		t.Fatal(err)
	}
	if err := New().Release(b.ctx, nil, r); kube.ReasonOf(err) != kube.Unreachable || !strings.Contains(err.Error(), b.Server()) {
		t.Errorf("without an API server: %v", err)
	}
	if err := b.Start(b.ctx, lab.Control, lab.APIServer); err != nil {
		t.Fatal(err)
	}
	b.release(t, r)
	if b.present(t) {
		t.Error("it is left")
	}
}

// TestReceipts needs no cluster: a context that refers to another cluster by then
// is refused, and a receipt holds no secret.
func TestReceipts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	write := func(server string) {
		text := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: home,
clusters: [{name: c, cluster: {server: %q}}], contexts: [{name: home, context: {cluster: c, user: u}}], users: [{name: u, user: {token: hunter2}}]}`, server)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("https://127.0.0.1:1")
	t.Setenv("KUBECONFIG", file)
	r, err := Volume{Run: "run1"}.Reserve(id, assay.Subject{Host: "here"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Names[roleKubeconfig] != file || r.Names[roleContext] != "home" || r.Names[roleSecurity] != "restricted" {
		t.Errorf("the receipt is %v", r.Names)
	}
	if strings.Contains(fmt.Sprint(r), "hunter2") {
		t.Error("the receipt holds the token")
	}
	write("https://127.0.0.1:2")
	t.Setenv("KUBECONFIG", "")
	if err := New().Release(context.Background(), nil, r); err == nil || !strings.Contains(err.Error(), "is now at https://127.0.0.1:2 and was at https://127.0.0.1:1") {
		t.Errorf("released in another cluster: %v", err)
	}
	if _, err := (Volume{Given: "theirs"}).Reserve(id, assay.Subject{}); err == nil {
		t.Error("a run without an id may sweep")
	}
}
