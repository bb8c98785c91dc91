package namespace

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"assay"
	"assay/kube"
)

// Sweep deletes from a namespace of the user's what a run has made there: Jobs,
// pods and claims with its labels, and the volumes of these claims. It waits until
// all is gone, and is idempotent.
func Sweep(ctx context.Context, c *kube.Cluster, namespace, run string) error {
	if kube.LabelValue(run) == "" {
		return fmt.Errorf("namespace %s: without a run's id nothing in it is known as assay's", namespace)
	}
	of := metav1.ListOptions{LabelSelector: kube.OfRun(run)}
	core, jobs := c.Client().CoreV1(), c.Client().BatchV1().Jobs(namespace)
	background := metav1.DeletePropagationBackground
	o := metav1.DeleteOptions{PropagationPolicy: &background}
	claims := map[types.UID]bool{}
	for begun := false; ; begun = true {
		var left []string
		found, err := jobs.List(ctx, of)
		if err != nil {
			return c.Explain("look for what is left in namespace "+namespace, err)
		}
		for _, job := range found.Items {
			left = append(left, "job "+job.Name)
			if err := jobs.Delete(ctx, job.Name, o); err != nil && !apierrors.IsNotFound(err) {
				return c.Explain("delete job "+job.Name, err)
			}
		}
		pods, err := core.Pods(namespace).List(ctx, of)
		if err != nil {
			return c.Explain("look for what is left in namespace "+namespace, err)
		}
		for _, pod := range pods.Items {
			left = append(left, "pod "+pod.Name+" on node "+pod.Spec.NodeName)
			if pod.DeletionTimestamp == nil {
				if err := core.Pods(namespace).Delete(ctx, pod.Name, o); err != nil && !apierrors.IsNotFound(err) {
					return c.Explain("delete pod "+pod.Name, err)
				}
			}
		}
		these, err := core.PersistentVolumeClaims(namespace).List(ctx, of)
		if err != nil {
			return c.Explain("look for what is left in namespace "+namespace, err)
		}
		for _, claim := range these.Items {
			left = append(left, "claim "+claim.Name)
			if claims[claim.UID] {
				continue
			}
			claims[claim.UID] = true
			if err := c.LetVolumesGo(ctx, namespace, map[types.UID]bool{claim.UID: true}); err != nil {
				return err
			}
			if err := core.PersistentVolumeClaims(namespace).Delete(ctx, claim.Name, o); err != nil && !apierrors.IsNotFound(err) {
				return c.Explain("delete claim "+claim.Name, err)
			}
		}
		if len(left) == 0 && begun {
			break
		}
		if pause(ctx, 200*time.Millisecond) != nil {
			return assay.WithHint("a pod on a node that is off goes when the node is back; then run: assay cleanup",
				"kubernetes %s: namespace %s: still there: %s", c.Name(), namespace, strings.Join(left, ", "))
		}
	}
	if len(claims) == 0 {
		return nil
	}
	return c.SeeVolumesGone(ctx, namespace, claims)
}
