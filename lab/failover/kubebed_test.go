package failover

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/kube"
	"assay/lab/kube/kubetest"
)

// web is a service with a pod that prefers node2 and is evicted two seconds after its node is
// missed. The web server runs on the node's own perl: the image has none.
const web = `
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
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
      - name: main
        image: "IMAGE"
        imagePullPolicy: Never
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}
        volumeMounts: [{name: node, mountPath: /node}]
        command:
        - chroot
        - /node
        - perl
        - -e
        - |
          use Socket;
          socket(my $s, PF_INET, SOCK_STREAM, 0) or die;
          setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
          setsockopt $s, SOL_SOCKET, SO_RCVTIMEO, pack('l!l!', 1, 0);
          bind($s, sockaddr_in(8080, INADDR_ANY)) && listen($s, 64) or die $!;
          $SIG{TERM} = sub { exit };
          for (;;) {
            accept(my $c, $s) or next;
            sysread $c, my $asked, 4096;
            syswrite $c, "HTTP/1.0 200 OK\r\n\r\nhere\n";
          }
      volumes: [{name: node, hostPath: {path: /, type: Directory}}]
`

// login makes a node reachable by SSH.
const login = `
mkdir -p -m 700 /root/.ssh
mkdir -p -m 755 /run/sshd
echo "$1" >/root/.ssh/authorized_keys
ssh-keygen -q -t ed25519 -N '' -f /run/lab/host_key
cat >/run/lab/sshd_config <<'END'
HostKey /run/lab/host_key
PidFile none
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
PrintMotd no
MaxStartups 200
MaxSessions 200
END
sh /etc/lab/service.sh start sshd /usr/sbin/sshd -D -f /run/lab/sshd_config
cat /run/lab/host_key.pub
`

// kubeBed is a Kubernetes cluster with a service, two hosts outside it, and the address at
// which they reach the service.
type kubeBed struct {
	*kube.Lab
	ctx           context.Context
	hosts         *hosts.Lab
	address, port string
	config        string // ssh's, for node2
	start         string // starts its kubelet
}

func newKubeBed(t *testing.T) *kubeBed {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Minute)
	t.Cleanup(cancel)
	b := &kubeBed{Lab: kubetest.Up(t), ctx: ctx}
	all := hosts.Standard(2)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: gigabit, Disk: hosts.Disk{Bytes: 64 << 20}, Sudo: true, Rise: 1}
	}
	b.hosts = hoststest.Up(t, all)
	b.address = strings.TrimSuffix(b.hosts.Address("host1", hosts.Management), ".1") + ".254" // this machine
	b.letIn(t)
	kubelet := b.node(t, `tr '\0' ' ' </proc/$(cat /run/lab/kubelet.pid)/cmdline`)
	b.start = "sh /etc/lab/service.sh start kubelet " + strings.TrimSpace(kubelet)
	if err := b.Apply(ctx, strings.Replace(web, "IMAGE", kube.Image, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Kubectl(ctx, "rollout", "status", "deploy/web", "--timeout=180s"); err != nil {
		t.Fatal(err)
	}
	b.serve(t)
	b.bringKubectl(t)
	return b
}

// laptopWith returns a laptop whose cluster.yaml has these entries under
// failover:.
func (b *kubeBed) laptopWith(t *testing.T, entries string) *laptop.Laptop {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "defaults: {ssh: {config: %q}}\nhosts:\n", b.hosts.Config())
	for _, host := range b.hosts.Names() {
		fmt.Fprintf(&text, "  %s: {address: %s, user: lab, sudo: true}\n", host, b.hosts.Address(host, hosts.Management))
	}
	fmt.Fprintf(&text, "  node2: {address: %s, user: root, ssh: {config: %q}}\n", b.Address("node2"), b.config)
	text.WriteString("failover:\n" + strings.NewReplacer("ADDRESS", b.address, "PORT", b.port, "START", strconv.Quote(b.start), "FAILBACK", strconv.Quote(failback)).Replace(entries))
	file := filepath.Join(t.TempDir(), "failover.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return laptop.New(t, file)
}

// node runs a script on node2, whatever the state of its link.
func (b *kubeBed) node(t *testing.T, script string, words ...string) string {
	t.Helper()
	out, err := b.Run(b.ctx, "node2", append([]string{"sh", "-euc", script, "sh"}, words...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// linked reports whether node2's link is up.
func (b *kubeBed) linked() bool {
	out, err := b.Run(b.ctx, "node2", "ip", "-o", "link", "show", "dev", "eth0", "up")
	return err == nil && out != ""
}

func (b *kubeBed) ready() bool {
	_, err := b.Kubectl(b.ctx, "wait", "--for=condition=Ready", "node/node2", "--timeout=1s")
	return err == nil
}

// expectHome fails unless node2 works as before and no trace of a guard is left there.
func (b *kubeBed) expectHome(t *testing.T) {
	t.Helper()
	services, err := b.Alive(b.ctx, "node2")
	if err != nil || !slices.Contains(services, kube.Kubelet) || !b.linked() || !b.ready() {
		t.Errorf("on node2 run %v, %v; its link is up: %t, it is ready: %t", services, err, b.linked(), b.ready())
	}
	if left := b.node(t, "ls -d /run/assay-failover-* 2>/dev/null || :"); left != "" {
		t.Errorf("left on node2: %s", left)
	}
	pods := func() string {
		out, err := b.Kubectl(b.ctx, "get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].status.phase}")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !laptop.Eventually(patience, func() bool { return pods() == "Running" }) {
		t.Errorf("the pods are %s, want one", pods())
	}
}

// letIn makes node2 reachable by SSH.
func (b *kubeBed) letIn(t *testing.T) {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	known := b.Address("node2") + " " + b.node(t, login, strings.TrimSpace(string(public)))
	b.config = key + ".config"
	config := fmt.Sprintf("Host *\n\tIdentityFile %q\n\tIdentitiesOnly yes\n\tIdentityAgent none\n\tUserKnownHostsFile %q\n\tGlobalKnownHostsFile none\n\tStrictHostKeyChecking yes\n\tUpdateHostKeys no\n\tConnectTimeout 15\n",
		key, key+".known")
	for file, text := range map[string]string{b.config: config, key + ".known": known} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// serve makes this machine act as kube-proxy, which the lab lacks: it forwards connections to
// the pod that the API server lists as the service's endpoint.
func (b *kubeBed) serve(t *testing.T) {
	t.Helper()
	var pod atomic.Value
	pod.Store("")
	watch := exec.CommandContext(b.ctx, filepath.Join(kube.Programs(), "kubectl"), "--kubeconfig="+b.Kubeconfig(), "--cache-dir="+t.TempDir(),
		"get", "endpoints", "web", "--watch", "-o", `jsonpath={.subsets[*].addresses[*].ip}{"\n"}`)
	out, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = watch.Process.Kill()
		_ = watch.Wait()
	})
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			pod.Store(strings.TrimSpace(lines.Text()))
		}
	}()
	at := passOn(t, b.address, func() string {
		if ip := pod.Load().(string); ip != "" {
			return net.JoinHostPort(ip, "8080")
		}
		return ""
	})
	_, b.port, err = net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
}

// passOn makes this machine forward connections, or close them if there is no destination: the
// hosts see nothing else of the cluster.
func passOn(t *testing.T, at string, to func() string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(at, "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				there := to()
				if there == "" {
					return
				}
				out, err := net.DialTimeout("tcp", there, time.Second)
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

// bringKubectl gives host1 a kubectl that can reach the API server.
func (b *kubeBed) bringKubectl(t *testing.T) {
	t.Helper()
	program, err := os.Open(filepath.Join(kube.Programs(), "kubectl"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	config, err := os.ReadFile(b.Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	api := passOn(t, b.address, func() string { return net.JoinHostPort(b.Address(kube.Control), "443") })
	there := strings.Replace(string(config), strconv.Quote(b.Server()), fmt.Sprintf("%q,\n\"tls-server-name\": \"kubernetes\"", "https://"+api), 1)
	if _, err := b.hosts.Pour(b.ctx, "host1", program, "sh", "-c", "cat >/run/kubectl && chmod 755 /run/kubectl"); err != nil {
		t.Fatal(err)
	}
	const wrap = `umask 077 && cat >/run/kubeconfig && printf '#!/bin/sh\nexec /run/kubectl --kubeconfig /run/kubeconfig --cache-dir /run/kubecache "$@"\n' >/usr/local/bin/kubectl && chmod 755 /usr/local/bin/kubectl`
	if _, err := b.hosts.Feed(b.ctx, "host1", there, "sh", "-c", wrap); err != nil {
		t.Fatal(err)
	}
}
