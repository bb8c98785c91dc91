package kube_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// TestCluster runs everything that a cluster is for in one lab, and then breaks
// it.
func TestCluster(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	c := cluster{l, ctx}
	for _, part := range []struct {
		name string
		test func(*testing.T, cluster)
	}{
		{"nodes", nodes}, {"jobs", jobs}, {"exec", execs}, {"network", network},
		{"volumes", volumes}, {"static", static}, {"slow", slow}, {"retained", retained}, {"full", full}, {"never", never},
		{"crash loop", crashLoop}, {"security", security}, {"rights", rights}, {"images", images},
		{"streams", streams}, {"server", server}, {"drain", drain}, {"kubelet", kubelet},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.test(t, c)
			if t.Failed() {
				t.Log(c.Kubectl(ctx, "get", "pods,pvc,pv,nodes", "-A", "-o", "wide"))
				t.Log(c.Kubectl(ctx, "get", "events", "-A", "--field-selector", "type=Warning"))
			}
		})
	}
}

func nodes(t *testing.T, c cluster) {
	out := c.get(t, `get nodes -o jsonpath={range.items[*]}{.metadata.name},{.status.nodeInfo.architecture},{.status.nodeInfo.kubeletVersion};{end}`)
	want := fmt.Sprintf("node1,%s,v%s;node2,%[1]s,v%[2]s;", runtime.GOARCH, kube.Version)
	if out != want {
		t.Errorf("nodes %s, want %s", out, want)
	}
}

// jobs runs fio to completion on both nodes at once.
func jobs(t *testing.T, c cluster) {
	for _, node := range c.Nodes() {
		c.apply(t, fmt.Sprintf(`
apiVersion: batch/v1
kind: Job
metadata: {name: fio-%s}
spec:
  backoffLimit: 0
  template:
    spec:
      nodeSelector: {kubernetes.io/hostname: %[1]s}
      restartPolicy: Never
      containers:
      - name: fio
        image: %s
        imagePullPolicy: IfNotPresent
        command: [sh, -c, "exec fio --directory=/data%s"]
        resources: {limits: {memory: 256Mi, cpu: "1"}}
        volumeMounts: [{name: sd, mountPath: /data}]
      volumes: [{name: sd, hostPath: {path: /srv/bench, type: Directory}}]
`, node, kube.Image, fioArgs))
	}
	for _, node := range c.Nodes() {
		c.get(t, "wait --for=condition=Complete --timeout=120s job/fio-"+node)
		if out := c.get(t, "logs job/fio-"+node); !strings.Contains(out, `"io_bytes" : 16777216`) {
			t.Errorf("fio on %s printed %s", node, out)
		}
		// fio wrote on the node, not on this machine.
		if _, err := c.Run(c.ctx, node, "test", "-s", "/srv/bench/x.0.0"); err != nil {
			t.Error(err)
		}
		c.get(t, "delete job fio-"+node)
	}
}

// execs also checks that the image has what a run needs, so that none installs
// it.
func execs(t *testing.T, c cluster) {
	c.apply(t, pod("exec", "node2", "sleep 1000", "", ""))
	c.get(t, "wait --for=condition=Ready --timeout=180s pod/exec")
	out, err := c.Kubectl(c.ctx, "exec", "exec", "--", "sh", "-c", "cat /etc/debian_version; uname -n; exit 7")
	if err == nil || !strings.Contains(err.Error(), "exit code 7") || !strings.HasSuffix(out, "\nexec\n") {
		t.Errorf("exec: %q, %v", out, err)
	}
	for _, program := range []string{"fio", "iperf3", "ping", "blockdev", "lsblk", "wipefs", "findmnt", "gzip", "ps", "smartctl", "sysbench", "awk", "flock"} {
		if _, err := c.Kubectl(c.ctx, "exec", "exec", "--", "sh", "-c", "command -v "+program); err != nil {
			t.Errorf("the image has no %s: %v", program, err)
		}
	}
	c.get(t, "exec exec -- lsblk --version")
	c.get(t, "delete pod exec")
}

// network checks that a pod reaches one on the other node, the other node, the
// API server by its service, and this machine.
func network(t *testing.T, c cluster) {
	c.apply(t, pod("listens", "node2", "iperf3 -s", "", "")+pod("asks", "node1", "sleep 1000", "", ""))
	c.get(t, "wait --for=condition=Ready --timeout=180s pod/listens pod/asks")
	address := c.get(t, "get pod listens -o jsonpath={.status.podIP}")
	service := c.get(t, "get service kubernetes -o jsonpath={.spec.clusterIP}")
	for _, to := range []string{address + "/5201", c.Address("node2") + "/10250", service + "/443"} {
		c.eventually(t, func() error {
			_, err := c.Kubectl(c.ctx, "exec", "asks", "--", "timeout", "5", "bash", "-c", "exec 3<>/dev/tcp/"+to)
			return err
		})
	}
	here, err := net.Listen("tcp", c.Machine()+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	_, port, _ := net.SplitHostPort(here.Addr().String())
	c.get(t, "exec asks -- timeout 60 bash -c", "exec 3<>/dev/tcp/"+c.Machine()+"/"+port)
	c.get(t, "exec asks -- ping -c 1 -W 60 "+c.Machine())
	out := c.get(t, "exec asks -- iperf3 -t 1 -J -c "+address)
	if !strings.Contains(out, `"sum_received"`) {
		t.Errorf("iperf3 printed %s", out)
	}
	c.get(t, "delete pod listens asks")
}

// security checks that Pod Security admission refuses what a namespace forbids.
func security(t *testing.T, c cluster) {
	c.apply(t, `{apiVersion: v1, kind: Namespace, metadata: {name: strict, labels: {pod-security.kubernetes.io/enforce: baseline}}}`)
	bad := strings.Replace(pod("bad", "node1", "true", ", securityContext: {privileged: true}", ""), "name: bad", "namespace: strict, name: bad", 1)
	if err := c.Apply(c.ctx, bad); err == nil || !strings.Contains(err.Error(), `violates PodSecurity "baseline:latest"`) {
		t.Errorf("a privileged pod in a namespace of level baseline: %v", err)
	}
	// Elsewhere it is admitted, and sees the node's devices.
	c.apply(t, pod("good", "node1", "test -b "+c.BlockDevice("node1"), ", securityContext: {privileged: true}", ""))
	c.says(t, "Succeeded", "get pod good -o jsonpath={.status.phase}")
	c.get(t, "delete pod good")
	c.get(t, "delete namespace strict")
}

// rights checks that a user may do what a role grants, and no more.
func rights(t *testing.T, c cluster) {
	file, err := c.User("joe", "testers")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := c.KubectlAs(c.ctx, file, "get", "pods"); err == nil || !strings.Contains(err.Error(), `User "joe" cannot list resource "pods"`) {
		t.Errorf("without a role: %v", err)
	}
	c.get(t, "create role reader --verb=list --resource=pods")
	c.get(t, "create rolebinding reader --role=reader --group=testers")
	c.eventually(t, func() error { _, err := c.KubectlAs(c.ctx, file, "get", "pods"); return err })
	if _, err := c.KubectlAs(c.ctx, file, "get", "pods", "-A"); err == nil {
		t.Error("the role of one namespace is good for all")
	}
}

// images checks what a pod reports about a missing image and about one for
// another architecture, and that the lab's own image can be tagged.
func images(t *testing.T, c cluster) {
	other := "docker.io/library/debian:bookworm-slim"
	if err := c.Tag(c.ctx, other); err != nil {
		t.Fatal(err)
	}
	named := strings.Replace(pod("named", "node1", "true", "", ""), kube.Image, "debian:bookworm-slim", 1)
	absent := strings.Replace(pod("absent", "node1", "true", "", ""), kube.Image, "assay.lab/absent:1", 1)
	foreign := strings.Replace(pod("foreign", "node2", "true", "", ""), kube.Image, kube.ForeignImage, 1)
	foreign = strings.Replace(foreign, `command: [sh, -c, "true"]`, "command: [/program]", 1)
	c.apply(t, named+absent+foreign)
	c.says(t, "Succeeded", "get pod named -o jsonpath={.status.phase}")
	c.says(t, "ErrImageNeverPull", "get pod absent -o jsonpath={.status.containerStatuses[0].state.waiting.reason}")
	c.says(t, "exec format error", "logs foreign")
	c.get(t, "delete pod named absent foreign")
	if err := c.Untag(c.ctx, other, "node2"); err != nil {
		t.Fatal(err)
	}
	c.apply(t, named+strings.NewReplacer("name: named", "name: there", "app: named", "app: there", "node1", "node2").Replace(named))
	c.says(t, "Succeeded", "get pod named -o jsonpath={.status.phase}")
	c.says(t, "ErrImageNeverPull", "get pod there -o jsonpath={.status.containerStatuses[0].state.waiting.reason}")
	c.get(t, "delete pod named there")
	if err := c.Untag(c.ctx, other); err != nil {
		t.Fatal(err)
	}
}
