package ephemeral

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"assay"
	"assay/stacks/kube"
)

// Options are the settings of a tier of this kind in cluster.yaml.
type Options struct {
	// Size is a Kubernetes quantity such as 10Gi: the limit of an emptyDir,
	// above which the pod is evicted, or the size of a generic ephemeral
	// volume. "" means no limit; a volume of a class needs a size.
	Size string
	// Class is the storage class of a generic ephemeral volume; "" for an emptyDir.
	Class string
}

// paramSize is the size limit of an emptyDir in a subject's Params: nothing in the
// pod shows it.
const paramSize = "size"

// Params returns the volume's size limit as parameters of a subject; nil if only the
// underlying storage limits it.
func (o Options) Params() map[string]string {
	if o.Class != "" || o.Size == "" {
		return nil
	}
	return map[string]string{paramSize: o.Size}
}

// bound returns the size limit of a subject's emptyDir; ok is false if there is
// none. Stored runs have it in words, as the subject's Source.
func bound(s assay.Subject) (size string, ok bool) {
	if size, ok = s.Params[paramSize]; ok {
		return size, true
	}
	return strings.CutPrefix(s.Source, bounded)
}

const bounded = "an emptyDir of at most "

// Attach returns what the pod needs in its spec. name is a DNS label, unique
// among the volumes of the pod.
func Attach(o Options, name string) (kube.Attachment, error) {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return kube.Attachment{}, fmt.Errorf("ephemeral volume %q: %s", name, wrong[0])
	}
	source, err := sourceOf(o, name)
	if err != nil {
		return kube.Attachment{}, err
	}
	path := "/mnt/" + name
	return kube.Attachment{
		Volume:   &corev1.Volume{Name: name, VolumeSource: source},
		Mount:    &corev1.VolumeMount{Name: name, MountPath: path},
		Security: kube.Restricted,
		Path:     path,
	}, nil
}

func sourceOf(o Options, name string) (corev1.VolumeSource, error) {
	var size *resource.Quantity
	if o.Size != "" {
		q, err := resource.ParseQuantity(o.Size)
		if err != nil || q.Sign() <= 0 {
			return corev1.VolumeSource{}, assay.WithHint("for example size: 10Gi", "ephemeral volume %s: invalid size %q", name, o.Size)
		}
		size = &q
	}
	switch {
	case o.Class == "":
		return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: size}}, nil
	case size == nil:
		return corev1.VolumeSource{}, assay.WithHint("for example size: 10Gi", "ephemeral volume %s of class %s: no size given", name, o.Class)
	}
	if wrong := validation.IsDNS1123Subdomain(o.Class); len(wrong) > 0 {
		return corev1.VolumeSource{}, fmt.Errorf("ephemeral volume %s: storage class %q: %s", name, o.Class, wrong[0])
	}
	return corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes:      []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			StorageClassName: &o.Class,
			Resources:        corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: *size}},
		},
	}}}, nil
}
