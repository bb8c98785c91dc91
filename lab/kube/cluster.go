package kube

import (
	"context"
	_ "embed" // the objects that a lab comes with
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"assay/lab/internal/command"
)

//go:embed objects.yaml
var standardObjects string

// The storage classes of a lab. Each of the first two provisions volumes of
// exactly the requested size, on the node of the first pod, as a file system or
// as a block device.
const (
	ClassDelete = "lab"        // the default; deletes a volume with its claim
	ClassRetain = "lab-retain" // keeps a volume when its claim goes
	ClassStatic = "lab-static" // a local 1 GiB volume of each mode on each node
	ClassNever  = "lab-never"  // nobody provisions it
)

// Kubeconfig returns the path of the administrator's kubeconfig.
func (l *Lab) Kubeconfig() string { return filepath.Join(l.Dir, usersDir, "admin.kubeconfig") }

// Kubectl runs kubectl as the administrator and returns its output; the error
// includes its standard error.
func (l *Lab) Kubectl(ctx context.Context, argv ...string) (string, error) {
	return l.kubectl(ctx, "", l.Kubeconfig(), argv...)
}

// KubectlAs is Kubectl as the user of another kubeconfig; see User.
func (l *Lab) KubectlAs(ctx context.Context, kubeconfig string, argv ...string) (string, error) {
	return l.kubectl(ctx, "", kubeconfig, argv...)
}

// Apply creates or changes objects, in YAML or JSON, as the administrator.
func (l *Lab) Apply(ctx context.Context, objects string) error {
	_, err := l.kubectl(ctx, objects, l.Kubeconfig(), "apply", "-f", "-")
	return err
}

func (l *Lab) kubectl(ctx context.Context, stdin, kubeconfig string, argv ...string) (string, error) {
	dir, err := programs()
	if err != nil {
		return "", err
	}
	return command.Output(ctx, stdin, append([]string{filepath.Join(dir, "kubectl"), "--kubeconfig=" + kubeconfig,
		"--cache-dir=" + filepath.Join(l.Dir, usersDir, "cache")}, argv...)...)
}

// awaitServer waits until the API server reports that it is ready.
func (l *Lab) awaitServer(ctx context.Context) error {
	return l.await(ctx, "the API server is not ready", Control, APIServer, func() error {
		_, err := l.Kubectl(ctx, "get", "--raw=/readyz", "--request-timeout=5s")
		return err
	})
}

// awaitNode waits until a node is ready.
func (l *Lab) awaitNode(ctx context.Context, node string) error {
	return l.await(ctx, node+" is not ready", node, Kubelet, func() error {
		_, err := l.Kubectl(ctx, "wait", "--for=condition=Ready", "node/"+node, "--timeout=2s")
		return err
	})
}

// awaitAccount waits until pods can be created in namespace default: they are
// refused until it has a service account.
func (l *Lab) awaitAccount(ctx context.Context) error {
	return l.await(ctx, "there is no service account", Control, Controllers, func() error {
		return errors.Join(
			second(l.Kubectl(ctx, "get", "serviceaccount", "default")),
			second(l.Kubectl(ctx, "-n", "default", "get", "configmap", "kube-root-ca.crt")))
	})
}

func second(_ string, err error) error { return err }

// objects returns the objects that a lab comes with: storage classes, the
// provisioner's rights, and the static volumes of each node.
func (l *Lab) objects() string {
	var all strings.Builder
	all.WriteString(standardObjects)
	for _, node := range l.Nodes() {
		for mode, path := range map[string]string{"Filesystem": "/mnt/lab/fs", "Block": l.BlockDevice(node)} {
			fmt.Fprintf(&all, staticVolume, node+"-"+strings.ToLower(mode), staticBytes, mode, path, node)
		}
	}
	return all.String()
}

// BlockDevice returns the path of a node's static block device, on the node and
// in its privileged pods.
func (l *Lab) BlockDevice(node string) string { return "/dev/" + l.mark(node) + "-block" }

const staticVolume = `---
apiVersion: v1
kind: PersistentVolume
metadata: {name: %s}
spec:
  capacity: {storage: "%d"}
  accessModes: [ReadWriteOnce]
  volumeMode: %s
  storageClassName: lab-static
  persistentVolumeReclaimPolicy: Retain
  local: {path: %s}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]
`
