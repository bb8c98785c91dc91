package kube

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"assay"
)

// provisioned reports whether a provisioner created a volume for some claim. The one
// for local disks marks those that it found, too.
func provisioned(pv *corev1.PersistentVolume) bool {
	by := pv.Annotations[annotationMadeBy]
	return by != "" && !strings.HasPrefix(by, "local-volume-provisioner")
}

// madeForClaim reports whether a volume was provisioned for the very claim that has it.
// Kubernetes prefers binding a claim to a free volume that fits, which may hold
// someone's data. The volume's marks tell: a provisioner creates one that names its
// claim, by UID as a rule; any other is marked by the controller as bound by itself.
func madeForClaim(pv *corev1.PersistentVolume) bool {
	claim := pv.Spec.ClaimRef
	if claim == nil || claim.UID == "" || !provisioned(pv) {
		return false
	}
	return namedFor(pv.Name, claim.UID) || pv.Annotations[annotationBoundLater] == ""
}

const (
	annotationBoundLater = "pv.kubernetes.io/bound-by-controller"
	// annotationPolicy keeps the reclaim policy of a volume that existed before,
	// while another policy protects its data.
	annotationPolicy = "assay/reclaim-policy"
)

// claimed returns the volumes that belong, or belonged, to claims of the namespace;
// to any of them if claims is nil. Changes after version can be watched.
func (c *Cluster) claimed(ctx context.Context, namespace string, claims map[types.UID]bool) (found []corev1.PersistentVolume, version string, err error) {
	list, err := c.client.PersistentVolumes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, "", c.Explain("list the volumes of namespace "+namespace, err)
	}
	for _, pv := range list.Items {
		if claim := pv.Spec.ClaimRef; claim != nil && claim.Namespace == namespace && (claims == nil || claims[claim.UID]) {
			found = append(found, pv)
		}
	}
	return found, list.ResourceVersion, nil
}

// LetVolumesGo has the volumes created for a namespace's claims deleted with
// them, whatever their class says, and keeps those that existed before. claims
// are the claims' UIDs, nil for all. Call it before the claims are deleted, since
// a volume does not remember its claim forever.
func (c *Cluster) LetVolumesGo(ctx context.Context, namespace string, claims map[types.UID]bool) error {
	volumes, _, err := c.claimed(ctx, namespace, claims)
	if err != nil {
		return err
	}
	for i := range volumes {
		if _, err := c.letGo(ctx, &volumes[i]); err != nil {
			return err
		}
	}
	return nil
}

// LetClaimGo is LetVolumesGo for one claim, which may be deleted if err is nil.
// blind means that its volume may not be read or changed: it goes or stays as its
// class says. A claim whose volume may not be read and may be someone's is refused.
func (c *Cluster) LetClaimGo(ctx context.Context, claim *corev1.PersistentVolumeClaim) (blind bool, err error) {
	volumes, _, err := c.claimed(ctx, claim.Namespace, map[types.UID]bool{claim.UID: true})
	if ReasonOf(err) == Forbidden {
		// Whoever deleted it has followed the advice below, and its pod still holds it.
		if claim.DeletionTimestamp != nil {
			return true, nil
		}
		if err := c.checkUnseen(ctx, claim); ReasonOf(err) != Claim {
			return true, err
		}
		return true, c.mayBeTheirs(claim)
	}
	if err != nil {
		return false, err
	}
	for i := range volumes {
		switch _, err := c.letGo(ctx, &volumes[i]); {
		case ReasonOf(err) == Forbidden:
			blind = true
		case err != nil:
			return blind, err
		}
	}
	return blind, nil
}

// mayBeTheirs refuses to delete a claim. Someone else can, once the data on the
// volume is safe; whoever cannot see that must not.
func (c *Cluster) mayBeTheirs(claim *corev1.PersistentVolumeClaim) error {
	volume := claim.Spec.VolumeName
	return &Problem{Reason: Claim,
		Text: fmt.Sprintf("kubernetes %s: claim %s of namespace %s was kept: the name of its volume %s lacks the claim's UID, so deleting both might delete someone's data",
			c.name, claim.Name, claim.Namespace, volume),
		Advice: fmt.Sprintf(`ask a cluster administrator to keep it: kubectl patch pv %s -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'; then delete the claim: kubectl -n %s delete pvc --wait=false %s; and run: assay cleanup`,
			volume, claim.Namespace, claim.Name), cause: assay.ErrBusy}
}

// OwnPod returns the pod that a claim is part of and is deleted with; "" for a
// standalone claim.
func OwnPod(claim *corev1.PersistentVolumeClaim) types.UID {
	for _, owner := range claim.OwnerReferences {
		if owner.Kind == "Pod" {
			return owner.UID
		}
	}
	return ""
}

// letGo has a volume deleted with its claim, or kept. changed means that this
// took a request.
func (c *Cluster) letGo(ctx context.Context, pv *corev1.PersistentVolume) (changed bool, err error) {
	policy := pv.Spec.PersistentVolumeReclaimPolicy
	switch {
	case madeForClaim(pv) && policy != corev1.PersistentVolumeReclaimDelete:
		return true, c.patch(ctx, pv, nil, object{"persistentVolumeReclaimPolicy": corev1.PersistentVolumeReclaimDelete})
	case provisioned(pv) && !madeForClaim(pv) && policy != corev1.PersistentVolumeReclaimRetain:
		err := c.patch(ctx, pv, object{"annotations": object{annotationPolicy: policy}},
			object{"persistentVolumeReclaimPolicy": corev1.PersistentVolumeReclaimRetain})
		if ReasonOf(err) == Forbidden {
			// This must not pass for a missing right that is optional.
			return false, &Problem{Reason: Claim, Text: "volume " + pv.Name + " existed before its claim and would be deleted with it", Event: Said(err),
				Advice: "ask a cluster administrator to set its persistentVolumeReclaimPolicy to Retain, then run: assay cleanup"}
		}
		return true, err
	}
	return false, nil
}

// giveBack frees a volume that existed before its claim for the next one, as it
// was.
func (c *Cluster) giveBack(ctx context.Context, pv *corev1.PersistentVolume) error {
	// The version protects a claim that was bound meanwhile.
	err := c.patch(ctx, pv, object{"resourceVersion": pv.ResourceVersion}, object{"claimRef": nil})
	if err != nil || pv.Annotations[annotationPolicy] == "" {
		return err
	}
	return c.restorePolicy(ctx, pv.Name)
}

// restorePolicy restores a volume's reclaim policy once it is free: provisioners
// delete a volume with policy Delete as long as it is called released, whether a
// claim has it or not.
func (c *Cluster) restorePolicy(ctx context.Context, name string) error {
	for vigil := (Vigil{}); ; {
		pv, err := c.client.PersistentVolumes().Get(ctx, name)
		free := err == nil && (pv.Status.Phase == corev1.VolumeAvailable || pv.Status.Phase == corev1.VolumeBound)
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil && (!Away(err) || ctx.Err() != nil):
			return c.Explain("check that volume "+name+" is released", err)
		case err != nil: // wait for it
		case pv.Annotations[annotationPolicy] == "":
			return nil
		case free:
			err = c.patch(ctx, pv, object{"resourceVersion": pv.ResourceVersion, "annotations": object{annotationPolicy: nil}},
				object{"persistentVolumeReclaimPolicy": pv.Annotations[annotationPolicy]})
			if err != nil && !Away(err) {
				return err
			}
		case pv.Spec.ClaimRef != nil:
			return nil // not given back yet; looked at again
		}
		if err != nil || free {
			vigil.Rest(ctx)
		} else {
			vigil.Change(ctx, c.client.PersistentVolumes(), metav1.ListOptions{
				FieldSelector: "metadata.name=" + name, ResourceVersion: pv.ResourceVersion}, map[string]bool{name: true})
		}
		if ctx.Err() != nil {
			return fmt.Errorf("volume %s is not released yet: %w", name, ctx.Err())
		}
	}
}

// restorePolicies restores the policies of free volumes after a run that was killed
// before it could: nothing shows any more whose claims they had.
func (c *Cluster) restorePolicies(ctx context.Context) error {
	list, err := c.client.PersistentVolumes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return c.Explain("list released volumes", err)
	}
	for i := range list.Items {
		pv := &list.Items[i]
		if pv.Annotations[annotationPolicy] == "" || pv.Spec.ClaimRef != nil || pv.DeletionTimestamp != nil {
			continue
		}
		// Without the right to change it, this user did not.
		if err := c.restorePolicy(ctx, pv.Name); err != nil && ReasonOf(err) != Forbidden {
			return err
		}
	}
	return nil
}

type object map[string]any

func (c *Cluster) patch(ctx context.Context, pv *corev1.PersistentVolume, meta, spec object) error {
	whole := object{"spec": spec}
	if meta != nil {
		whole["metadata"] = meta
	}
	_, err := c.client.PersistentVolumes().Patch(ctx, pv.Name, whole)
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // it is looked at again
	}
	return c.Explain("delete volume "+pv.Name, err)
}

// SeeVolumesGone waits until the volumes of deleted claims are gone with their
// storage, or free again if they existed before, including those that an earlier
// run freed but did not finish. It waits for an API server that is away, until ctx
// ends.
func (c *Cluster) SeeVolumesGone(ctx context.Context, namespace string, claims map[types.UID]bool) error {
	for vigil := (Vigil{}); ; {
		volumes, version, err := c.claimed(ctx, namespace, claims)
		if err == nil && len(volumes) == 0 {
			if err = c.restorePolicies(ctx); err == nil {
				return nil
			}
		}
		if err != nil && (!Away(err) || ctx.Err() != nil) {
			return err
		}
		names, changed := map[string]bool{}, false
		for i := range volumes {
			names[volumes[i].Name] = true
			did, hurryErr := c.hurry(ctx, &volumes[i])
			if hurryErr != nil && !Away(hurryErr) {
				return hurryErr
			}
			changed = changed || did
		}
		if err != nil || changed {
			vigil.Rest(ctx)
		} else {
			vigil.Change(ctx, c.client.PersistentVolumes(), metav1.ListOptions{ResourceVersion: version}, names)
		}
		if ctx.Err() != nil {
			return c.remaining(namespace, volumes)
		}
	}
}

// hurry has a volume deleted, or gives it back once its claim has left it. changed
// means that it requested something, whose result is to be checked soon.
func (c *Cluster) hurry(ctx context.Context, pv *corev1.PersistentVolume) (changed bool, err error) {
	if changed, err = c.letGo(ctx, pv); err != nil {
		return true, err
	}
	if !madeForClaim(pv) && (pv.Status.Phase == corev1.VolumeReleased || pv.Status.Phase == corev1.VolumeFailed) {
		return true, c.giveBack(ctx, pv)
	}
	return changed, nil
}

func (c *Cluster) remaining(namespace string, volumes []corev1.PersistentVolume) error {
	var words []string
	for _, pv := range volumes {
		word := fmt.Sprintf("%s (%s)", pv.Name, pv.Status.Phase)
		if pv.Status.Message != "" {
			word += ": " + pv.Status.Message
		}
		words = append(words, word)
	}
	return assay.WithHint("its provisioner must delete them: check its pods and their logs, then run: assay cleanup",
		"kubernetes %s: volumes of namespace %s are left: %s", c.name, namespace, strings.Join(words, ", "))
}
