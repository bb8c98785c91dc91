package kube

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
)

// A claim is given a free volume that fits rather than a new one. In a class that
// has its volumes made, a free one is what somebody has left: a run is not to write
// there, nor a pod that mounts it to change whose its files are.

// CheckFree refuses a claim, before it is made, that would be given a volume which
// is there already; node is where its pod is to run, "" for anywhere. Who may not
// look at classes and volumes is told nothing.
func (c *Cluster) CheckFree(ctx context.Context, spec corev1.PersistentVolumeClaimSpec, node string) error {
	name := ""
	if spec.StorageClassName != nil {
		name = *spec.StorageClassName
	}
	class, err := c.class(ctx, name)
	switch ReasonOf(err) {
	case Forbidden, NotFound: // the claim's events will tell
		return nil
	}
	if err != nil || !provisions(class) {
		return err
	}
	list, err := c.client.CoreV1().PersistentVolumes().List(ctx, metav1.ListOptions{})
	if apierrors.IsForbidden(err) {
		return nil
	}
	if err != nil {
		return c.Explain("look for volumes that are free", err)
	}
	for i := range list.Items {
		if pv := &list.Items[i]; fits(pv, spec, class, node) {
			return leftover(pv, class.Name, "would be")
		}
	}
	return nil
}

// fits says whether a claim may be given a volume: the conditions are those of the
// controller, but for node affinity, of which only host names are read.
func fits(pv *corev1.PersistentVolume, spec corev1.PersistentVolumeClaimSpec, class *storagev1.StorageClass, node string) bool {
	if pv.Status.Phase != corev1.VolumeAvailable || pv.DeletionTimestamp != nil || pv.Spec.ClaimRef != nil || pv.Spec.StorageClassName != class.Name {
		return false
	}
	has, wants := pv.Spec.Capacity[corev1.ResourceStorage], spec.Resources.Requests[corev1.ResourceStorage]
	if has.Cmp(wants) < 0 || modeOf(pv.Spec.VolumeMode) != modeOf(spec.VolumeMode) {
		return false
	}
	for _, access := range spec.AccessModes {
		if !slices.Contains(pv.Spec.AccessModes, access) {
			return false
		}
	}
	waits := class.VolumeBindingMode != nil && *class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	only := nodesOf(pv.Spec.NodeAffinity)
	return !waits || node == "" || len(only) == 0 || slices.Contains(only, node)
}

func modeOf(mode *corev1.PersistentVolumeMode) corev1.PersistentVolumeMode {
	if mode == nil {
		return corev1.PersistentVolumeFilesystem
	}
	return *mode
}

// CheckMade refuses a claim that was given a volume which was there already. A claim
// without a volume is none; nor is one whose volume may not be seen.
func (c *Cluster) CheckMade(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if claim.Spec.VolumeName == "" {
		return nil
	}
	pv, err := c.client.CoreV1().PersistentVolumes().Get(ctx, claim.Spec.VolumeName, metav1.GetOptions{})
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return c.Explain("look at volume "+claim.Spec.VolumeName, err)
	}
	if madeForClaim(pv) {
		return nil
	}
	class, err := c.class(ctx, pv.Spec.StorageClassName)
	switch reason := ReasonOf(err); {
	case provisioned(pv), err == nil && provisions(class) && pv.Spec.StorageClassName != "":
		return leftover(pv, pv.Spec.StorageClassName, "was")
	case reason == Forbidden, reason == NotFound:
		return nil
	}
	return err
}

func leftover(pv *corev1.PersistentVolume, class, given string) error {
	size := pv.Spec.Capacity[corev1.ResourceStorage]
	return &Problem{Reason: Claim,
		Text: fmt.Sprintf("a claim of class %s %s given volume %s (%s), which was there before: what is on it may be somebody's", class, given, pv.Name, size.String()),
		Advice: fmt.Sprintf("delete it where nobody needs it (kubectl delete pv %s), keep it for whom it is meant (its spec.claimRef), or name another class",
			pv.Name), cause: assay.ErrBusy}
}
