package kube

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"assay"
)

// provisioned says whether a volume was made for its claim. The provisioner of local
// disks says so of those that it found, too.
func provisioned(pv *corev1.PersistentVolume) bool {
	by := pv.Annotations["pv.kubernetes.io/provisioned-by"]
	return by != "" && !strings.HasPrefix(by, "local-volume-provisioner")
}

// claimed gives the volumes that are, or were, of claims of the namespace; of all
// of them where claims is nil.
func (c *Cluster) claimed(ctx context.Context, namespace string, claims map[types.UID]bool) ([]corev1.PersistentVolume, error) {
	list, err := c.client.CoreV1().PersistentVolumes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.Explain("look for the volumes of namespace "+namespace, err)
	}
	var found []corev1.PersistentVolume
	for _, pv := range list.Items {
		if claim := pv.Spec.ClaimRef; claim != nil && claim.Namespace == namespace && (claims == nil || claims[claim.UID]) {
			found = append(found, pv)
		}
	}
	return found, nil
}

// LetVolumesGo has the volumes that were made for claims of a namespace go with
// these, whatever their class says. claims are the claims' UIDs, nil for all. It
// is to be called before the claims are deleted, since a volume does not say for
// ever whose it was.
func (c *Cluster) LetVolumesGo(ctx context.Context, namespace string, claims map[types.UID]bool) error {
	volumes, err := c.claimed(ctx, namespace, claims)
	if err != nil {
		return err
	}
	for i := range volumes {
		if err := c.letGo(ctx, &volumes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) letGo(ctx context.Context, pv *corev1.PersistentVolume) error {
	if !provisioned(pv) || pv.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
		return nil
	}
	return c.patch(ctx, pv, `{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`)
}

// giveBack frees a volume that somebody made by hand for the next claim.
func (c *Cluster) giveBack(ctx context.Context, pv *corev1.PersistentVolume) error {
	// The version keeps a claim that came meanwhile.
	return c.patch(ctx, pv, fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"spec":{"claimRef":null}}`, pv.ResourceVersion))
}

func (c *Cluster) patch(ctx context.Context, pv *corev1.PersistentVolume, change string) error {
	_, err := c.client.CoreV1().PersistentVolumes().Patch(ctx, pv.Name, types.MergePatchType, []byte(change), metav1.PatchOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // it is looked at again
	}
	return c.Explain("have volume "+pv.Name+" go", err)
}

// SeeVolumesGone waits until the volumes of claims that were deleted are gone with
// what held them, or free again where they were there before. An API server that
// is away meanwhile is waited for, until ctx ends.
func (c *Cluster) SeeVolumesGone(ctx context.Context, namespace string, claims map[types.UID]bool) error {
	for {
		volumes, err := c.claimed(ctx, namespace, claims)
		if err != nil && (!Away(err) || ctx.Err() != nil) {
			return err
		}
		if err == nil && len(volumes) == 0 {
			return nil
		}
		for i := range volumes {
			pv := &volumes[i]
			if provisioned(pv) {
				err = c.letGo(ctx, pv)
			} else if pv.Status.Phase == corev1.VolumeReleased || pv.Status.Phase == corev1.VolumeFailed {
				err = c.giveBack(ctx, pv)
			}
			if err != nil && !Away(err) {
				return err
			}
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return c.remaining(namespace, volumes)
		}
	}
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
	return assay.WithHint("its provisioner deletes what holds the data: look at its pods and their log, then run: assay cleanup",
		"kubernetes %s: volumes of namespace %s are left: %s", c.name, namespace, strings.Join(words, ", "))
}
