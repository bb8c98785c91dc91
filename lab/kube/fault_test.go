package kube_test

import (
	"testing"
	"time"

	"assay/lab/kube"
)

// longExec starts an exec that does not end by itself, and waits until it runs.
func longExec(t *testing.T, c cluster, pod string) (ended chan error) {
	t.Helper()
	ended = make(chan error, 1)
	go func() {
		_, err := c.Kubectl(c.ctx, "exec", pod, "--", "sh", "-c", "touch /tmp/runs; sleep 1000")
		ended <- err
	}()
	c.eventually(t, func() error { _, err := c.Kubectl(c.ctx, "exec", pod, "--", "test", "-e", "/tmp/runs"); return err })
	return ended
}

// streams cuts an exec at its node and at the API server; the pod keeps
// running.
func streams(t *testing.T, c cluster) {
	c.apply(t, pod("stream", "node1", "sleep 1000", "", ""))
	c.get(t, "wait --for=condition=Ready --timeout=180s pod/stream")
	for _, host := range []string{"node1", kube.Control} {
		ended := longExec(t, c, "stream")
		if err := c.CutStreams(c.ctx, host); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			t.Logf("cut at %s, kubectl exec said: %v", host, err)
			if err == nil && host == kube.Control {
				t.Error("an exec whose own connection was reset says that all went well")
			}
		case <-time.After(10 * time.Minute):
			t.Errorf("the exec was not cut at %s", host)
		}
		c.get(t, "exec stream -- true")
		c.get(t, "exec stream -- rm /tmp/runs")
	}
	c.get(t, "exec stream -- touch /tmp/runs")
}

// server restarts the API server while a pod runs.
func server(t *testing.T, c cluster) {
	if err := c.Stop(c.ctx, kube.Control, kube.APIServer); err != nil {
		t.Fatal(err)
	}
	if out, err := c.Kubectl(c.ctx, "get", "nodes", "--request-timeout=2s"); err == nil {
		t.Errorf("without an API server: %s", out)
	}
	if err := c.Restart(c.ctx, kube.Control, kube.APIServer); err != nil {
		t.Fatal(err)
	}
	c.get(t, "exec stream -- test -e /tmp/runs")
}

// drain evicts the pod; the node accepts no other until undrained.
func drain(t *testing.T, c cluster) {
	if err := c.Drain(c.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	c.gone(t, "pod/stream")
	c.apply(t, pod("waits", "node1", "true", "", ""))
	c.says(t, "unschedulable", "get pod waits -o jsonpath={.status.conditions[0].message}")
	if err := c.Undrain(c.ctx, "node1"); err != nil {
		t.Fatal(err)
	}
	c.says(t, "Succeeded", "get pod waits -o jsonpath={.status.phase}")
	c.get(t, "delete pod waits")
}

// kubelet stops a kubelet: its node is missed, and returns.
func kubelet(t *testing.T, c cluster) {
	ready := `get node node2 -o jsonpath={.status.conditions[?(@.type=="Ready")].status}`
	if err := c.Stop(c.ctx, "node2", kube.Kubelet); err != nil {
		t.Fatal(err)
	}
	c.says(t, "Unknown", ready)
	if err := c.Start(c.ctx, "node2", kube.Kubelet); err != nil {
		t.Fatal(err)
	}
	c.says(t, "True", ready)
}
