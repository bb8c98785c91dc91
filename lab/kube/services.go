package kube

import (
	"context"
	_ "embed" // the scripts that run inside a host
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/wait"
)

//go:embed provisioner.sh
var provisionerScript string

//go:embed service.sh
var serviceScript string

// The services of a cluster: Etcd, APIServer, Controllers and Scheduler on
// Control, the others on each node.
const (
	Etcd        = "etcd"
	APIServer   = "kube-apiserver"
	Controllers = "kube-controller-manager"
	Scheduler   = "kube-scheduler"
	Containerd  = "containerd"
	Kubelet     = "kubelet"
	Provisioner = "provisioner"
)

// Services returns the services of a host in start order.
func Services(host string) []string {
	if host == Control {
		return []string{Etcd, APIServer, Controllers, Scheduler}
	}
	return []string{Containerd, Kubelet, Provisioner}
}

// command returns the command line that starts a service inside its host.
func (l *Lab) command(host, service string) []string {
	api, _ := l.serviceAddresses()
	switch service {
	case Etcd:
		return []string{"etcd", "--data-dir=/var/lib/etcd", "--listen-client-urls=http://127.0.0.1:2379",
			"--advertise-client-urls=http://127.0.0.1:2379", "--listen-peer-urls=http://127.0.0.1:2380"}
	case APIServer:
		return []string{"/opt/lab/kube-apiserver", "--etcd-servers=http://127.0.0.1:2379",
			"--bind-address=0.0.0.0", "--secure-port=443", "--advertise-address=" + l.address(Control),
			"--service-cluster-ip-range=" + l.serviceNetwork(), "--allow-privileged=true",
			"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
			"--client-ca-file=/etc/lab/ca.crt", "--tls-cert-file=/etc/lab/server.crt", "--tls-private-key-file=/etc/lab/server.key",
			"--kubelet-certificate-authority=/etc/lab/ca.crt", "--kubelet-client-certificate=/etc/lab/kubelet-client.crt",
			"--kubelet-client-key=/etc/lab/kubelet-client.key", "--kubelet-preferred-address-types=InternalIP",
			"--service-account-issuer=https://" + api, "--service-account-key-file=/etc/lab/tokens.key",
			"--service-account-signing-key-file=/etc/lab/tokens.key", "--cert-dir=/run/lab"}
	case Controllers:
		return []string{"/opt/lab/kube-controller-manager", "--kubeconfig=/etc/lab/controllers.kubeconfig", "--leader-elect=false",
			"--bind-address=127.0.0.1", "--authentication-skip-lookup=true", "--use-service-account-credentials=true",
			"--service-account-private-key-file=/etc/lab/tokens.key", "--root-ca-file=/etc/lab/ca.crt", "--cert-dir=/run/lab",
			// Mark a stopped kubelet's node unhealthy after 20 s, not 50.
			"--node-monitor-grace-period=20s", "--node-monitor-period=2s"}
	case Scheduler:
		return []string{"/opt/lab/kube-scheduler", "--kubeconfig=/etc/lab/scheduler.kubeconfig", "--leader-elect=false",
			"--bind-address=127.0.0.1", "--authentication-skip-lookup=true", "--cert-dir=/run/lab"}
	case Containerd:
		return []string{"containerd", "--config=/etc/lab/containerd.toml"}
	case Kubelet:
		return []string{"/opt/lab/kubelet", "--config=/etc/lab/kubelet.yaml", "--kubeconfig=/etc/lab/kubelet.kubeconfig",
			"--hostname-override=" + host, "--node-ip=" + l.address(host), "--root-dir=/var/lib/kubelet", "--cert-dir=/run/lab"}
	default:
		return []string{"env", "LAB_NODE=" + host, "LAB_MARK=" + l.mark(host), "sh", "/etc/lab/provisioner.sh"}
	}
}

// configure writes the settings and credentials of a host's services.
func (l *Lab) configure(host string) error {
	etc := l.file(host, "etc")
	if err := errors.Join(os.MkdirAll(etc, 0o700), os.MkdirAll(l.file(host, "logs"), 0o700)); err != nil {
		return err
	}
	at := func(name string) string { return filepath.Join(etc, name) }
	kubeconfig := func(name, user string, groups ...string) error {
		return l.kubeconfig(at(name+".kubeconfig"), l.Server(), identity{name: user, groups: groups})
	}
	pair := func(name string, who identity) error { return l.issue(at(name+".crt"), at(name+".key"), who) }
	api, names := l.serviceAddresses()
	ca, _ := l.pair("ca")
	write := func(name, text string) error { return os.WriteFile(at(name), []byte(text), 0o600) }
	if err := errors.Join(copyFile(at("ca.crt"), ca), write("service.sh", serviceScript)); err != nil {
		return err
	}
	if host == Control {
		_, tokens := l.pair("tokens")
		return errors.Join(copyFile(at("tokens.key"), tokens),
			pair("server", identity{name: "kube-apiserver", at: []string{l.address(Control), api, "127.0.0.1", "localhost",
				"kubernetes", "kubernetes.default", "kubernetes.default.svc"}}),
			pair("kubelet-client", identity{name: "kube-apiserver-kubelet-client", groups: []string{"system:masters"}}),
			kubeconfig("controllers", "system:kube-controller-manager"),
			kubeconfig("scheduler", "system:kube-scheduler"))
	}
	if err := os.MkdirAll(at("cni"), 0o700); err != nil {
		return err
	}
	return errors.Join(
		pair("kubelet", identity{name: "system:node:" + host, groups: []string{"system:nodes"}, at: []string{host, l.address(host)}}),
		kubeconfig("kubelet", "system:node:"+host, "system:nodes"),
		kubeconfig("provisioner", "lab-provisioner"),
		write("provisioner.sh", provisionerScript),
		write("containerd.toml", containerdSettings),
		write("kubelet.yaml", fmt.Sprintf(kubeletSettings, names)),
		write("cni/lab.conflist", fmt.Sprintf(networkSettings, l.podNetwork(host))))
}

func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}

// containerdSettings: without CAP_SYS_RESOURCE no process may get a lower OOM
// score than its parent, and containerd must not try.
const containerdSettings = `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs"]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "` + pauseImage + `"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/lab/cni"
`

// kubeletSettings: images are never removed, as they cannot be pulled again,
// and a node does not evict pods because the machine's own disk is full.
const kubeletSettings = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: /etc/lab/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: /etc/lab/kubelet.crt
tlsPrivateKeyFile: /etc/lab/kubelet.key
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
clusterDNS: [%s]
clusterDomain: cluster.local
resolvConf: /etc/resolv.conf
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
makeIPTablesUtilChains: false
oomScoreAdj: 0
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 2%%, imagefs.available: 2%%, nodefs.inodesFree: 2%%}
nodeLeaseDurationSeconds: 12
nodeStatusUpdateFrequency: 4s
`

const networkSettings = `{"cniVersion": "0.4.0", "name": "lab", "plugins": [
  {"type": "bridge", "bridge": "cni0", "isDefaultGateway": true, "ipMasq": false,
   "ipam": {"type": "host-local", "subnet": "%s", "dataDir": "/run/lab/addresses"}}]}
`

// Alive returns the running services of a host, or an error if there is no such
// host.
func (l *Lab) Alive(ctx context.Context, host string) ([]string, error) {
	out, err := l.Run(ctx, host, "sh", "/etc/lab/service.sh", "alive")
	return strings.Fields(out), err
}

// Start starts a service of a host unless it runs. It waits for an API server
// to answer, but for no other service.
func (l *Lab) Start(ctx context.Context, host, service string) error {
	on, err := l.known(ctx, host, service)
	if err != nil || on {
		return err
	}
	if _, err := l.Run(ctx, host, append([]string{"sh", "/etc/lab/service.sh", "start", service},
		l.command(host, service)...)...); err != nil {
		return err
	}
	if service == APIServer {
		return l.awaitServer(ctx)
	}
	return nil
}

// Stop stops a service of a host if it runs. Pods keep running while their
// node's kubelet or containerd is stopped.
func (l *Lab) Stop(ctx context.Context, host, service string) error {
	on, err := l.known(ctx, host, service)
	if err != nil || !on {
		return err
	}
	_, err = l.Run(ctx, host, "sh", "/etc/lab/service.sh", "stop", service)
	return err
}

// known reports whether a service runs; it returns an error if there is no such
// service.
func (l *Lab) known(ctx context.Context, host, service string) (on bool, err error) {
	if !slices.Contains(l.hosts(), host) || !slices.Contains(Services(host), service) {
		return false, fmt.Errorf("no service %q on host %q: there are %s on %s, and %s on %s", service, host,
			strings.Join(Services(Control), ", "), Control, strings.Join(Services(""), ", "), strings.Join(l.Nodes(), ", "))
	}
	running, err := l.Alive(ctx, host)
	return slices.Contains(running, service), err
}

// await polls until done returns nil. Its error names what was awaited, or a
// service needed for it that has died.
func (l *Lab) await(ctx context.Context, what, host, service string, done func() error) error {
	died, giveUp := context.WithCancel(ctx)
	defer giveUp()
	last, err := wait.Until(died, 100*time.Millisecond, func() error {
		err := done()
		if err == nil {
			return nil
		}
		if running, gone := l.Alive(ctx, host); gone == nil && !slices.Contains(running, service) {
			giveUp()
		}
		return err
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil:
		return fmt.Errorf("%s of %s died: %s", service, host, command.LastLine(filepath.Join(l.file(host, "logs"), service+".log")))
	}
	return fmt.Errorf("%s: %w: %w", what, err, last)
}
