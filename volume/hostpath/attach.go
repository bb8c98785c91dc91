package hostpath

import (
	"fmt"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"assay"
	"assay/stacks/kube"
)

// Options are the settings of a tier of this kind in cluster.yaml.
type Options struct {
	Path string // of an existing directory on the node
}

// Directories of the system or the cluster: nothing is written there or below.
var whole = []string{
	"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin", "/sys", "/usr",
	"/var/run", "/var/lib/kubelet", "/var/lib/etcd", "/var/lib/containerd", "/var/lib/docker", "/var/lib/containers",
	"/var/lib/crio", "/var/lib/cni", "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/rook", "/var/lib/ceph", "/var/lib/longhorn/replicas",
	"/var/lib/rancher/k3s/server", "/var/lib/rancher/k3s/agent", "/var/lib/rancher/rke2/server", "/var/lib/rancher/rke2/agent",
	"/var/lib/k0s", "/var/snap/microk8s/common/var", "/var/log/pods", "/var/log/containers",
}

// Directories too close to the system for a scratch directory directly in them;
// the user's own directories below are fine.
var top = []string{"/", "/home", "/root", "/tmp", "/var", "/var/lib", "/var/log", "/var/tmp",
	"/var/lib/longhorn", "/var/lib/rancher", "/var/lib/rancher/k3s", "/var/lib/rancher/rke2"}

// Attach returns what the pod needs in its spec. name is a DNS label, unique
// among the volumes of the pod.
func Attach(o Options, name string) (kube.Attachment, error) {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return kube.Attachment{}, fmt.Errorf("hostPath volume %q: %s", name, wrong[0])
	}
	if err := Check(o.Path); err != nil {
		return kube.Attachment{}, err
	}
	exists, at := corev1.HostPathDirectory, "/mnt/"+name
	return kube.Attachment{
		Volume: &corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			HostPath: &corev1.HostPathVolumeSource{Path: o.Path, Type: &exists}}},
		Mount:    &corev1.VolumeMount{Name: name, MountPath: at},
		Security: kube.Privileged,
		Path:     at,
		Persists: true,
	}, nil
}

// Check rejects a directory that is unsuitable for scratch space on a node, by
// name alone.
func Check(directory string) error {
	if !path.IsAbs(directory) || path.Clean(directory) != directory {
		return assay.WithHint("for example path: /srv/bench", "hostPath directory %q is not a plain absolute path", directory)
	}
	for _, d := range whole {
		if directory == d || strings.HasPrefix(directory, d+"/") {
			return assay.WithHint("use a dedicated directory such as /srv/bench",
				"hostPath directory %s: %s belongs to the system", directory, d)
		}
	}
	for _, d := range top {
		if directory == d {
			return assay.WithHint("use a dedicated directory on the node, such as "+path.Join(d, "bench"),
				"hostPath directory %s belongs to the system", directory)
		}
	}
	return nil
}
