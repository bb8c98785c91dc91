package pvc

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"assay"
	"assay/stacks/kube"
)

// Options are the settings of a tier of this kind in cluster.yaml.
type Options struct {
	Class  string // storage class; "" is the cluster's default
	Size   string // a Kubernetes quantity: 20Gi
	Access string // ReadWriteOnce (""), ReadWriteOncePod or ReadWriteMany
	Mode   string // Filesystem ("") or Block
}

var (
	accesses = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteOncePod, corev1.ReadWriteMany}
	modes    = []corev1.PersistentVolumeMode{corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeBlock}
)

// Attach returns what the pod needs in its spec. name is a DNS label: of the
// claim in its namespace, and of the volume in the pod.
func Attach(o Options, name string) (kube.Attachment, error) {
	if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
		return kube.Attachment{}, fmt.Errorf("claim %q: %s", name, wrong[0])
	}
	spec, err := claim(o)
	if err != nil {
		return kube.Attachment{}, fmt.Errorf("claim %s: %w", name, err)
	}
	a := kube.Attachment{
		Claim: &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec},
		Volume: &corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}},
	}
	if *spec.VolumeMode == corev1.PersistentVolumeBlock {
		// A device belongs to root in the container, whatever fsGroup says: the pod
		// must be allowed to run as root, which level restricted forbids.
		a.Path, a.Security = "/dev/"+name, kube.Baseline
		a.Device = &corev1.VolumeDevice{Name: name, DevicePath: a.Path}
		return a, nil
	}
	a.Path, a.Security = "/mnt/"+name, kube.Restricted
	a.Mount = &corev1.VolumeMount{Name: name, MountPath: a.Path}
	// A volume that existed before its claim outlives it, with its contents.
	a.Persists = true
	return a, nil
}

// claim builds the spec from the options.
func claim(o Options) (corev1.PersistentVolumeClaimSpec, error) {
	var spec corev1.PersistentVolumeClaimSpec
	size, err := resource.ParseQuantity(o.Size)
	if err != nil || size.Sign() <= 0 {
		return spec, assay.WithHint("for example size: 20Gi", "invalid size %q", o.Size)
	}
	access, err := oneOf("access", o.Access, accesses)
	if err != nil {
		return spec, err
	}
	mode, err := oneOf("mode", o.Mode, modes)
	if err != nil {
		return spec, err
	}
	spec = corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{access},
		VolumeMode:  &mode,
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: size}},
	}
	if o.Class != "" {
		if wrong := validation.IsDNS1123Subdomain(o.Class); len(wrong) > 0 {
			return spec, fmt.Errorf("storage class %q: %s", o.Class, wrong[0])
		}
		spec.StorageClassName = &o.Class
	}
	return spec, nil
}

// oneOf parses a word; "" means the first of all.
func oneOf[T ~string](key, word string, all []T) (T, error) {
	if word == "" {
		return all[0], nil
	}
	if slices.Contains(all, T(word)) {
		return T(word), nil
	}
	var names []string
	for _, a := range all {
		names = append(names, string(a))
	}
	return "", assay.WithHint("it is one of "+strings.Join(names, ", "), "unknown %s %q", key, word)
}

// The parameters of a subject: what was asked for, which this volume's errors
// mention.
const (
	paramSize  = "size"
	paramClass = "class" // none means the default
)

// Params returns what was asked for as parameters of a subject.
func (o Options) Params() map[string]string {
	params := map[string]string{paramSize: o.Size}
	if o.Class != "" {
		params[paramClass] = o.Class
	}
	return params
}

// askedFor describes what was asked for, "" if the subject does not say. Stored
// runs have the words themselves as its Source.
func askedFor(s assay.Subject) string {
	switch size, class := s.Params[paramSize], s.Params[paramClass]; {
	case size == "" && strings.HasPrefix(s.Source, claimed):
		return s.Source
	case size == "":
		return ""
	case class == "":
		return claimed + size + " of the default class"
	default:
		return claimed + size + " of class " + class
	}
}

const claimed = "a claim for "
