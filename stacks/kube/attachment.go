package kube

import (
	corev1 "k8s.io/api/core/v1"
)

// Security is a level of the Pod Security Standards.
type Security string

// The levels, from the one that forbids most.
const (
	Restricted Security = "restricted"
	Baseline   Security = "baseline"
	Privileged Security = "privileged"
)

// AtLeast returns the level that allows both.
func (s Security) AtLeast(other Security) Security {
	order := map[Security]int{Restricted: 0, Baseline: 1, Privileged: 2}
	if order[other] > order[s] {
		return other
	}
	return s
}

// ContainerName is that of the one that assay makes in a pod. There may be others:
// meshes put their own beside it.
const ContainerName = "assay"

// Attachment is what a pod must be made with to have a volume: pods are given
// theirs when they are made, and none after. It is data, so that a place knows no
// storage and a volume no place.
type Attachment struct {
	// Claim is made in the pod's namespace before the pod; nil where none is needed.
	Claim  *corev1.PersistentVolumeClaim
	Volume *corev1.Volume       // of the pod; nil where it needs none
	Mount  *corev1.VolumeMount  // of its container: a file system
	Device *corev1.VolumeDevice // or a block device
	// Security is the least level of the namespace that allows all this.
	Security Security
	// Privileged has the container run so: it sees the node's devices.
	Privileged bool
	// Path is the directory or the device in the pod.
	Path string
	// Persists says that what is written outlives the pod and its namespace.
	Persists bool
}
