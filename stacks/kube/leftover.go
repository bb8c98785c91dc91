package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"assay"
)

// Kubernetes binds a claim to a free volume that fits rather than making one. In a
// class that provisions volumes, a free one is what someone left: a run must not
// write to it, nor a pod that mounts it change the owner of its files.

// CheckFree rejects a claim, before it is created, that would be bound to an
// existing volume; node is where its pod is to run, "" for anywhere. It returns
// nil if the user may not look at classes and volumes.
func (c *Cluster) CheckFree(ctx context.Context, spec corev1.PersistentVolumeClaimSpec, node string) error {
	name := ""
	if spec.StorageClassName != nil {
		name = *spec.StorageClassName
	}
	class, err := c.class(ctx, name)
	switch ReasonOf(err) {
	case Forbidden, NotFound: // the claim's events will show it
		return nil
	}
	if err != nil || !provisions(class) {
		return err
	}
	list, err := c.client.PersistentVolumes().List(ctx, metav1.ListOptions{})
	if apierrors.IsForbidden(err) {
		return nil
	}
	if err != nil {
		return c.Explain("list free volumes", err)
	}
	for i := range list.Items {
		if pv := &list.Items[i]; fits(pv, spec, class, node) {
			return leftover(pv, class.Name, "would be")
		}
	}
	return nil
}

// fits reports whether a claim may be bound to a volume, by the controller's
// conditions except for node affinity, of which it reads only node names: a volume
// located by other labels may be elsewhere, and is left to CheckMade.
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
	where := pv.Spec.NodeAffinity
	anywhere := where == nil || where.Required == nil
	return !waits || node == "" || anywhere || slices.Contains(NodesOf(where), node)
}

func modeOf(mode *corev1.PersistentVolumeMode) corev1.PersistentVolumeMode {
	if mode == nil {
		return corev1.PersistentVolumeFilesystem
	}
	return *mode
}

// CheckMade rejects a claim that was bound to a volume which existed before. A claim
// without a volume passes. If the volume may not be read, it judges by the claim.
func (c *Cluster) CheckMade(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	if claim.Spec.VolumeName == "" {
		return nil
	}
	pv, err := c.client.PersistentVolumes().Get(ctx, claim.Spec.VolumeName)
	if apierrors.IsForbidden(err) {
		return c.checkUnseen(ctx, claim)
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return c.Explain("get volume "+claim.Spec.VolumeName, err)
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
		Text: fmt.Sprintf("a claim of class %s %s given the existing volume %s (%s), which may hold someone's data", class, given, pv.Name, size.String()),
		Advice: fmt.Sprintf("if nobody needs it, delete it (kubectl delete pv %s); otherwise reserve it with its spec.claimRef, or use another class",
			pv.Name), cause: assay.ErrBusy}
}

// checkUnseen rejects a claim whose volume may not be read and is not named after the
// claim's UID. That the claim names a provisioner is no proof: Kubernetes writes that
// when it requests a volume, and binds another that becomes free before it is made.
func (c *Cluster) checkUnseen(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	volume, name := claim.Spec.VolumeName, ""
	if claim.Spec.StorageClassName != nil {
		name = *claim.Spec.StorageClassName
	}
	if volume == "" || name == "" || namedFor(volume, claim.UID) { // no class, no provisioning
		return nil
	}
	class, err := c.class(ctx, name)
	switch reason := ReasonOf(err); {
	case err == nil && !provisions(class):
		return nil
	case err == nil, reason == Forbidden, reason == NotFound:
		return &Problem{Reason: Claim,
			Text: fmt.Sprintf("claim %s of class %s was given volume %s, whose name lacks the claim's UID: it may have existed before and hold someone's data",
				claim.Name, name, volume),
			Advice: "ask for permission to get and list persistentvolumes and storageclasses.storage.k8s.io so that this can be checked, or use another class",
			cause:  assay.ErrBusy}
	}
	return err
}

// namedFor reports whether a provisioner named a volume after the claim with a UID:
// in Kubernetes the name contains the UID. The CSI external-provisioner can be set to
// keep only its beginning, without dashes (--volume-name-uuid-length).
func namedFor(volume string, uid types.UID) bool {
	if uid == "" {
		return false
	}
	const enough = 8 // hexadecimal digits
	end := volume[strings.LastIndex(volume, "-")+1:]
	return strings.Contains(volume, string(uid)) || len(end) >= enough && strings.HasPrefix(strings.ReplaceAll(string(uid), "-", ""), end)
}
