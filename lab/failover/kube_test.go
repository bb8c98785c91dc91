package failover

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// web is a pod that prefers node2, and is made anew elsewhere two seconds after its node is missed.
const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      tolerations:
      - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 2}
      - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 2}
      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - {weight: 100, preference: {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node2]}]}}
      containers:
      - {name: main, image: "IMAGE", imagePullPolicy: Never, command: [sleep, "1000000"]}
`

// nodeLost is an entry by which a kubelet is stopped: what stands in for it tells this test, as a
// BMC is told.
const nodeLost = `failover:
  node:
    host: host3
    stop: curl -sf SWITCH/stop
    start: curl -sf SWITCH/start
    running: curl -sf SWITCH/running
    command: /run/kubectl --kubeconfig /run/kubeconfig exec deploy/web -- true
    whole: /run/kubectl --kubeconfig /run/kubeconfig wait --for=condition=Ready node/node2 --timeout=1s
    observers: [host1, host2]
    confirm: host3
`

// A pod of a real Kubernetes is made anew on another node when the kubelet of its own is gone: how
// long nothing can be run in it, as two hosts outside see it.
func TestKubernetes(t *testing.T) {
	k := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	all := hosts.Standard(3)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: gigabit, Disk: hosts.Disk{Bytes: 64 << 20}, Sudo: true, Rise: 1}
	}
	lab := hoststest.Up(t, all)
	own := strings.TrimSuffix(lab.Address("host1", hosts.Management), ".1") + ".254" // of this machine
	api := forward(t, own, net.JoinHostPort(k.Address(kube.Control), "443"))
	for _, host := range []string{"host1", "host2"} {
		bringKubectl(ctx, t, lab, host, k, api)
	}
	if err := k.Apply(ctx, strings.Replace(web, "IMAGE", kube.Image, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Kubectl(ctx, "rollout", "status", "deploy/web", "--timeout=180s"); err != nil {
		t.Fatal(err)
	}
	on := func() string {
		node, err := k.Kubectl(ctx, "get", "pods", "-l", "app=web", "--field-selector=status.phase=Running", "-o", "jsonpath={.items[*].spec.nodeName}")
		if err != nil {
			t.Fatal(err)
		}
		return node
	}
	if node := on(); node != "node2" {
		t.Fatalf("the pod runs on %q", node)
	}

	var text strings.Builder
	fmt.Fprintf(&text, "defaults: {user: lab, sudo: true, ssh: {config: %q}}\nhosts:\n", lab.Config())
	for _, host := range lab.Names() {
		fmt.Fprintf(&text, "  %s: %s\n", host, lab.Address(host, hosts.Management))
	}
	text.WriteString(strings.ReplaceAll(nodeLost, "SWITCH", kubelet(ctx, t, k, own)))
	file := filepath.Join(t.TempDir(), "node.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	l := laptop.New(t, file)
	f := figures(t, once(l).Wait(10*time.Minute))
	seen, least, whole := f["failover.time"].Value, f["failover.time.least"].Value, f["failover.whole"]
	t.Logf("no answer for %.2f s and %.2f s, a command takes %.2f s; %.0f of %.0f lost; whole %.2f s after it was put back", seen, least,
		f["failover.latency.before"].Value, f["failover.lost"].Value, f["failover.requests"].Value, whole.Value)
	// A node is missed 20 s after it was heard of last, which it is every 3 s.
	if seen < 15 || least < 15 || seen-least > max(5, 10*f["failover.latency.before"].Value) || whole.N != 1 {
		t.Errorf("no answer for %.2f s and %.2f s, whole %d times", seen, least, whole.N)
	}
	if !laptop.Eventually(patience, func() bool { return on() == "node1" }) {
		t.Errorf("the pod runs on %q", on())
	}
	if services, err := k.Alive(ctx, "node2"); err != nil || !slices.Contains(services, kube.Kubelet) {
		t.Errorf("on node2 run %v, %v", services, err)
	}
	l.ExpectEmpty()
}

// kubelet is where the kubelet of node2 is stopped and started by HTTP.
func kubelet(ctx context.Context, t *testing.T, k *kube.Lab, at string) string {
	t.Helper()
	const node = "node2"
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := fmt.Errorf("%s: no such path", r.URL.Path)
		switch r.URL.Path {
		case "/stop":
			err = k.Stop(ctx, node, kube.Kubelet)
		case "/start":
			err = k.Start(ctx, node, kube.Kubelet)
		case "/running":
			var services []string
			if services, err = k.Alive(ctx, node); err == nil && !slices.Contains(services, kube.Kubelet) {
				err = fmt.Errorf("only %v run", services)
			}
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	server.Listener = listen(t, at)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

func listen(t *testing.T, at string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(at, "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// forward has this machine pass connections on: the hosts see nothing else of the cluster.
func forward(t *testing.T, at, to string) (address string) {
	t.Helper()
	l := listen(t, at)
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				out, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer out.Close()
				go func() {
					_, _ = io.Copy(out, in)
					_ = out.Close()
				}()
				_, _ = io.Copy(in, out)
			}()
		}
	}()
	return l.Addr().String()
}

// bringKubectl gives a host a kubectl, and a kubeconfig by which it reaches the API server.
func bringKubectl(ctx context.Context, t *testing.T, lab *hosts.Lab, host string, k *kube.Lab, api string) {
	t.Helper()
	program, err := os.Open(filepath.Join(kube.Programs(), "kubectl"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	config, err := os.ReadFile(k.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	own := fmt.Sprintf("%q", k.Server())
	there := fmt.Sprintf("%q,\n\"tls-server-name\": \"kubernetes\"", "https://"+api)
	if _, err := lab.Pour(ctx, host, program, "sh", "-c", "cat >/run/kubectl && chmod 755 /run/kubectl"); err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Feed(ctx, host, strings.Replace(string(config), own, there, 1), "sh", "-c", "umask 077 && cat >/run/kubeconfig"); err != nil {
		t.Fatal(err)
	}
}
