package rawblock

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"assay"
	"assay/stacks/kube"
	"assay/volume/guard"
)

// Options are the settings of a tier of this kind in cluster.yaml.
type Options struct {
	Node   string // the node that the device is in
	Device string // /dev/sdb, or better /dev/disk/by-id/… (by-path names a port)
	Serial string
	// Backing is the file of a loop device, as losetup --list shows it on the
	// node; it replaces the serial, which a loop device lacks.
	Backing string
	// Overwrite confirms that file systems and the like on the device may be
	// overwritten, by repeating the serial or the backing file.
	Overwrite string
}

// nodeDevices returns where a pod sees the node's own /dev; the path has the
// volume's name, because a pod may have several.
func nodeDevices(name string) string { return "/node/" + name + "/dev" }

// Identity checks the device's settings, and returns what a subject's Params must
// hold of it.
func (o Options) Identity() (guard.Identity, error) {
	i := guard.Identity{Serial: o.Serial, Backing: o.Backing, Overwrite: o.Overwrite != ""}
	if err := i.Check(); err != nil {
		return i, err
	}
	if named := o.Serial + o.Backing; i.Overwrite && o.Overwrite != named {
		return i, assay.WithHint("to confirm it, write overwrite: "+named, "overwrite: %s does not match the device", o.Overwrite)
	}
	return i, nil
}

// Attach returns what the pod needs in its spec. name is a DNS label, unique among
// the volumes of the pod. The pod must be made to run on Options.Node.
//
// A privileged container gets the node's devices in /dev as they are when it is
// created, and none of udev's links. So the node's own /dev is mounted as well,
// where a link follows its device: read-only, which leaves devices writable. udev's
// database in /run/udev is not mounted: on a node without udev, a pod that requires
// the directory does not start, and for one that does not, the runtime creates it
// there. Everything needed of it is in the names of the links.
func Attach(o Options, name string) (kube.Attachment, error) {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return kube.Attachment{}, fmt.Errorf("block device %q: %s", name, wrong[0])
	}
	if o.Node == "" {
		return kube.Attachment{}, assay.WithHint("list them with: kubectl get nodes", "block device %s: no node given", o.Device)
	}
	if _, err := o.Identity(); err != nil {
		return kube.Attachment{}, fmt.Errorf("block device %s of node %s: %w", o.Device, o.Node, err)
	}
	exists, at := corev1.HostPathDirectory, nodeDevices(name)
	a := kube.Attachment{
		Security: kube.Privileged, Privileged: true, Path: o.Device, Persists: true,
		Volume: &corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/dev", Type: &exists}}},
		Mount:  &corev1.VolumeMount{Name: name, MountPath: at, ReadOnly: true},
	}
	switch {
	case guard.Plain(o.Device):
	case guard.ByID(o.Device):
		a.Path = at + o.Device[len("/dev"):]
	default:
		return kube.Attachment{}, assay.WithHint("give a whole device: /dev/sdb, or better /dev/disk/by-id/…",
			"invalid block device name %q for node %s", o.Device, o.Node)
	}
	return a, nil
}
