package kube

import (
	corev1 "k8s.io/api/core/v1"
)

// Security is a level of the Pod Security Standards.
type Security string

// The levels, strictest first.
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

// ContainerName is the name of assay's container in a pod. There may be others:
// meshes add their own.
const ContainerName = "assay"

// Attachment is what a pod must be created with to have a volume: volumes cannot
// be added later. It is plain data, so that a place knows nothing about storage
// and a volume nothing about places.
type Attachment struct {
	// Claim is created in the pod's namespace before the pod; nil if none is needed.
	Claim  *corev1.PersistentVolumeClaim
	Volume *corev1.Volume       // the pod's; nil if it needs none
	Mount  *corev1.VolumeMount  // of its container: a file system
	Device *corev1.VolumeDevice // or a block device
	// Security is the strictest namespace level that allows all this.
	Security Security
	// Privileged makes the container privileged: it sees the node's devices.
	Privileged bool
	// Path is the directory or the device in the pod.
	Path string
	// Persists means that written data outlives the pod and its namespace.
	Persists bool
}
