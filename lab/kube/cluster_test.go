package kube_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/lab/kube"
)

// cluster is a lab in a test.
type cluster struct {
	*kube.Lab
	ctx context.Context
}

// get runs kubectl, which must succeed.
func (c cluster) get(t *testing.T, words string, more ...string) string {
	t.Helper()
	out, err := c.Kubectl(c.ctx, append(strings.Fields(words), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func (c cluster) apply(t *testing.T, objects string) {
	t.Helper()
	if err := c.Apply(c.ctx, objects); err != nil {
		t.Fatal(err)
	}
}

// eventually polls until done succeeds.
func (c cluster) eventually(t *testing.T, done func() error) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for {
		err := done()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// says waits until kubectl prints want.
func (c cluster) says(t *testing.T, want, words string, more ...string) {
	t.Helper()
	c.eventually(t, func() error {
		out, err := c.Kubectl(c.ctx, append(strings.Fields(words), more...)...)
		if err == nil && !strings.Contains(out, want) {
			err = fmt.Errorf("kubectl %s printed %q, want %q", words, out, want)
		}
		return err
	})
}

// gone waits until an object no longer exists.
func (c cluster) gone(t *testing.T, object string) {
	t.Helper()
	c.eventually(t, func() error {
		if out, err := c.Kubectl(c.ctx, "get", object); err == nil || !strings.Contains(err.Error(), "NotFound") {
			return fmt.Errorf("%s is left: %s %w", object, out, err)
		}
		return nil
	})
}

// pod returns a pod that runs a shell script on a node; rest is added to its
// container, volumes to the pod.
func pod(name, node, script, rest, volumes string) string {
	quoted, _ := json.Marshal(script)
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s, labels: {app: %[1]s}}
spec:
  nodeSelector: {kubernetes.io/hostname: %s}
  restartPolicy: Never
  terminationGracePeriodSeconds: 1
  containers:
  - {name: main, image: "%s", imagePullPolicy: Never, command: [sh, -c, %s]%s}
%s
---`, name, node, kube.Image, quoted, rest, volumes)
}

// claim returns a claim of a storage class.
func claim(name, class, mode, size string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: %s}
spec: {storageClassName: %s, volumeMode: %s, accessModes: [ReadWriteOnce], resources: {requests: {storage: %s}}}
---`, name, class, mode, size)
}

// files and device put a claim into a pod.
const (
	files  = `, volumeMounts: [{name: v, mountPath: /data}]`
	device = `, volumeDevices: [{name: v, devicePath: /dev/data}]`
	// Invalidating a device's cache needs privileges; with O_DIRECT there is
	// none.
	fioArgs = ` --name=x --rw=randwrite --bs=4k --size=16m --direct=1 --ioengine=psync --invalidate=0 --output-format=json`
)

func claimed(name string) string {
	return "  volumes: [{name: v, persistentVolumeClaim: {claimName: " + name + "}}]"
}

// written checks fio's output in a finished pod.
func (c cluster) written(t *testing.T, pod string) {
	t.Helper()
	var result struct {
		Jobs []struct {
			Error int
			Write struct {
				Bytes int64 `json:"io_bytes"`
			}
		}
	}
	c.says(t, "Succeeded", "get pod "+pod+" -o jsonpath={.status.phase}")
	out := c.get(t, "logs "+pod)
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(result.Jobs) != 1 || result.Jobs[0].Error != 0 || result.Jobs[0].Write.Bytes != 16<<20 {
		t.Errorf("fio in %s: %+v", pod, result)
	}
}
