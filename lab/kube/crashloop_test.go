package kube_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/lab/internal/laptop"
	"assay/lab/kube"
)

// diagnosis is what the tests check of assay diagnose's output.
type diagnosis struct {
	Verdict struct {
		Cause *struct {
			Layer, Host, How string
		}
		Between []struct {
			Layer, Device, Why string
		}
	}
	Pods []struct {
		Name, Node, Exit string
		Restarts         int
		Volumes, Said    []string
	}
	Collected []struct {
		What, Absent string
	}
}

// pod checks the diagnosis of a pod, and fails if there is none.
func (d diagnosis) pod(t *testing.T, name, node, volume, said string) {
	t.Helper()
	for _, p := range d.Pods {
		if p.Name != name {
			continue
		}
		if p.Node != node || p.Restarts < 1 || p.Exit != "status 1 (Error)" || !slices.ContainsFunc(p.Volumes, func(v string) bool { return strings.Contains(v, volume) }) ||
			said != "" && !strings.Contains(strings.Join(p.Said, "\n"), said) {
			t.Errorf("%+v; want it on %s with %s, and %q", p, node, volume, said)
		}
		return
	}
	t.Errorf("%s is not among %+v", name, d.Pods)
}

// diagnosed runs assay diagnose on the cluster with a kubeconfig's rights, and no host.
func diagnosed(t *testing.T, l *laptop.Laptop, kubeconfig string) diagnosis {
	t.Helper()
	l.File = filepath.Join(l.Dir, "cluster.yaml")
	if err := os.WriteFile(l.File, fmt.Appendf(nil, "kubernetes: {kubeconfig: %s}\n", kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	r := l.Do("diagnose", "-i", l.File, "--format", "json")
	if r.Exit != 0 {
		t.Fatalf("diagnose ended with %d: %s", r.Exit, r.Said)
	}
	return laptop.Read[diagnosis](t, r)
}

// crashLoop makes two pods crash-loop over broken volumes: a full one, and one whose file
// system went read-only. assay names both with restarts, exits and volumes, and the layer.
func crashLoop(t *testing.T, c cluster) {
	const worn = "/mnt/worn"
	built := make(chan error, 1) // while the pods begin to fail
	go func() {
		_, err := laptop.Binary()
		built <- err
	}()
	if _, err := c.Run(c.ctx, "node2", "sh", "-ec", `mkdir -p "$1" && truncate -s 16M /srv/worn.img && mkfs.ext4 -q -F /srv/worn.img && mount -o loop /srv/worn.img "$1" && mount -o remount,ro "$1"`, "sh", worn); err != nil {
		t.Fatal(err)
	}
	again := func(pod string) string {
		return strings.Replace(pod, "restartPolicy: Never", "restartPolicy: Always", 1)
	}
	c.apply(t, claim("full", kube.ClassDelete, "Filesystem", "16Mi")+again(pod("full", "node1", "cat /dev/zero > /data/zeros", files, claimed("full")))+
		fmt.Sprintf(`
apiVersion: v1
kind: PersistentVolume
metadata: {name: worn}
spec:
  capacity: {storage: 16Mi}
  accessModes: [ReadWriteOnce]
  storageClassName: worn
  persistentVolumeReclaimPolicy: Retain
  local: {path: %s}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node2]}]}]}}
---`, worn)+claim("worn", "worn", "Filesystem", "16Mi")+again(pod("worn", "node2", "touch /data/x", files, claimed("worn"))))
	reason := " -o jsonpath={.status.containerStatuses[0].state.waiting.reason}"
	c.says(t, "CrashLoopBackOff", "get pod full"+reason)
	c.says(t, "CrashLoopBackOff", "get pod worn"+reason)

	if err := <-built; err != nil {
		t.Fatal(err)
	}
	l := laptop.New(t, "")
	d := diagnosed(t, l, c.Kubeconfig())
	d.pod(t, "default/full", "node1", "/data: claim default/full (", "No space left on device")
	d.pod(t, "default/worn", "node2", "/data: claim default/worn (local "+worn+")", "Read-only file system")
	if v := d.Verdict.Cause; v == nil || v.Layer != "file system" || v.Host != "node1" || v.How != "very likely" {
		t.Errorf("of a full volume: %+v", d.Verdict)
	}

	// With only the right to list pods it still names them, and says what would tell
	// more.
	c.get(t, "create clusterrole sees-pods --verb=list --resource=pods")
	c.get(t, "create clusterrolebinding sees-pods --clusterrole=sees-pods --user=sue")
	sue, err := c.User("sue", "lookers")
	if err != nil {
		t.Fatal(err)
	}
	d = diagnosed(t, l, sue)
	d.pod(t, "default/worn", "node2", "/data: claim default/worn", "")
	for _, right := range []string{"get on pods/log", "list on events", "get on persistentvolumeclaims"} {
		if !slices.ContainsFunc(d.Collected, func(r struct{ What, Absent string }) bool { return strings.Contains(r.Absent, right) }) {
			t.Errorf("%s is not missed: %+v", right, d.Collected)
		}
	}
	c.get(t, "delete clusterrolebinding,clusterrole sees-pods")

	c.get(t, "delete pod,pvc full")
	d = diagnosed(t, l, c.Kubeconfig())
	if b := d.Verdict.Between; d.Verdict.Cause != nil || len(b) != 2 || b[0].Layer != "file system" || b[0].Device != "default/worn" || !strings.Contains(b[0].Why, worn) {
		t.Errorf("of a read-only one: %+v", d.Verdict)
	}
	c.get(t, "delete pod,pvc,pv worn")
	l.ExpectNothingRuns()
	if _, err := c.Run(c.ctx, "node2", "umount", worn); err != nil {
		t.Error(err)
	}
}
