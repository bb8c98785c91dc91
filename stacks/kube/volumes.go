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

// provisioned reports whether a provisioner made a volume for some claim. That of local
// disks says so of those that it found, too.
func provisioned(pv *corev1.PersistentVolume) bool {
	by := pv.Annotations[annotationMadeBy]
	return by != "" && !strings.HasPrefix(by, "local-volume-provisioner")
}

// madeForClaim reports whether a volume was provisioned for the very claim that has it.
// Kubernetes gives a claim a free volume that fits before it has one made, and that
// may hold what somebody left on it. It is told by its mark: a provisioner makes a
// volume that names its claim, by its UID as a rule, and one that does not the
// controller marks as bound by itself.
func madeForClaim(pv *corev1.PersistentVolume) bool {
	claim := pv.Spec.ClaimRef
	if claim == nil || claim.UID == "" || !provisioned(pv) {
		return false
	}
	return namedFor(pv.Name, claim.UID) || pv.Annotations[annotationBoundLater] == ""
}

const (
	annotationBoundLater = "pv.kubernetes.io/bound-by-controller"
	// annotationPolicy keeps the reclaim policy of a volume that was there before,
	// while another protects what is on it.
	annotationPolicy = "assay/reclaim-policy"
)

// claimed returns the volumes that are, or were, of claims of the namespace; of all
// of them where claims is nil. What changes after version can be watched.
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

// LetVolumesGo has the volumes that were made for claims of a namespace go with
// these, whatever their class says, and those stay that were there before. claims
// are the claims' UIDs, nil for all. It is to be called before the claims are
// deleted, since a volume does not say for ever whose it was.
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

// LetClaimGo is LetVolumesGo for one claim, which may be deleted where err is nil.
// blind says that its volume may not be seen or changed: it goes or stays as its
// class says. A claim whose volume may not be seen and may be somebody's is refused.
func (c *Cluster) LetClaimGo(ctx context.Context, claim *corev1.PersistentVolumeClaim) (blind bool, err error) {
	volumes, _, err := c.claimed(ctx, claim.Namespace, map[types.UID]bool{claim.UID: true})
	if ReasonOf(err) == Forbidden {
		// Somebody who deletes it has done what is advised below, and its pod keeps it.
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

// mayBeTheirs refuses to delete a claim. Somebody else can, once what is on the
// volume is safe; who may not see that it is cannot go on before.
func (c *Cluster) mayBeTheirs(claim *corev1.PersistentVolumeClaim) error {
	volume := claim.Spec.VolumeName
	return &Problem{Reason: Claim,
		Text: fmt.Sprintf("kubernetes %s: claim %s of namespace %s was kept: the name of its volume %s lacks the claim's UID, so deleting both might delete someone's data",
			c.name, claim.Name, claim.Namespace, volume),
		Advice: fmt.Sprintf(`ask a cluster administrator to keep it: kubectl patch pv %s -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'; then delete the claim: kubectl -n %s delete pvc --wait=false %s; and run: assay cleanup`,
			volume, claim.Namespace, claim.Name), cause: assay.ErrBusy}
}

// OwnPod returns the pod that a claim is part of, whose deletion is the claim's; "" for
// a claim that stands by itself.
func OwnPod(claim *corev1.PersistentVolumeClaim) types.UID {
	for _, owner := range claim.OwnerReferences {
		if owner.Kind == "Pod" {
			return owner.UID
		}
	}
	return ""
}

// letGo has a volume go with its claim, or stay. changed says that this was to be
// asked for.
func (c *Cluster) letGo(ctx context.Context, pv *corev1.PersistentVolume) (changed bool, err error) {
	policy := pv.Spec.PersistentVolumeReclaimPolicy
	switch {
	case madeForClaim(pv) && policy != corev1.PersistentVolumeReclaimDelete:
		return true, c.patch(ctx, pv, nil, object{"persistentVolumeReclaimPolicy": corev1.PersistentVolumeReclaimDelete})
	case provisioned(pv) && !madeForClaim(pv) && policy != corev1.PersistentVolumeReclaimRetain:
		err := c.patch(ctx, pv, object{"annotations": object{annotationPolicy: policy}},
			object{"persistentVolumeReclaimPolicy": corev1.PersistentVolumeReclaimRetain})
		if ReasonOf(err) == Forbidden {
			// Nobody may take this for a right that can be done without.
			return false, &Problem{Reason: Claim, Text: "volume " + pv.Name + " existed before its claim and would be deleted with it", Event: Said(err),
				Advice: "ask a cluster administrator to set its persistentVolumeReclaimPolicy to Retain, then run: assay cleanup"}
		}
		return true, err
	}
	return false, nil
}

// giveBack frees a volume that was there before its claim for the next one, as it
// was.
func (c *Cluster) giveBack(ctx context.Context, pv *corev1.PersistentVolume) error {
	// The version keeps a claim that came meanwhile.
	err := c.patch(ctx, pv, object{"resourceVersion": pv.ResourceVersion}, object{"claimRef": nil})
	if err != nil || pv.Annotations[annotationPolicy] == "" {
		return err
	}
	return c.restorePolicy(ctx, pv.Name)
}

// restorePolicy returns a volume the policy back that it had, once it is free:
// provisioners delete one of policy Delete for as long as it is called released,
// whether it is anybody's or not.
func (c *Cluster) restorePolicy(ctx context.Context, name string) error {
	for vigil := (Vigil{}); ; {
		pv, err := c.client.PersistentVolumes().Get(ctx, name)
		free := err == nil && (pv.Status.Phase == corev1.VolumeAvailable || pv.Status.Phase == corev1.VolumeBound)
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil && (!Away(err) || ctx.Err() != nil):
			return c.Explain("check that volume "+name+" is released", err)
		case err != nil: // it is waited for
		case pv.Annotations[annotationPolicy] == "":
			return nil
		case free:
			err = c.patch(ctx, pv, object{"resourceVersion": pv.ResourceVersion, "annotations": object{annotationPolicy: nil}},
				object{"persistentVolumeReclaimPolicy": pv.Annotations[annotationPolicy]})
			if err != nil && !Away(err) {
				return err
			}
		case pv.Spec.ClaimRef != nil:
			return nil // it is not given back yet, and looked at again
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

// restorePolicies returns the free volumes their policies back for which a run that
// was killed could not: nothing says any more whose claim they had.
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
		// Who may not change it is not the one who did.
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

// SeeVolumesGone waits until the volumes of claims that were deleted are gone with
// what held them, or free again where they were there before, also those that an
// earlier run has freed and not finished. An API server that is away meanwhile is
// waited for, until ctx ends.
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

// hurry has a volume go, or gives it back where its claim has left it. changed says
// that it asked for something, and is to look soon what came of it.
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
