package namespace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"assay"
	"assay/stacks/kube"
)

// Sweep deletes what a run has made in a user's namespace: Jobs, pods and claims with
// its labels, and the volumes of these claims. It waits until all are gone, and is
// idempotent. Without permission to see volumes, it leaves them to their class. A
// claim that must not go stays, with the pod that owns it, and is an error.
func Sweep(ctx context.Context, c *kube.Cluster, namespace, run string) error {
	if kube.LabelValue(run) == "" {
		return fmt.Errorf("namespace %s: without a run id nothing in it can be identified as assay's", namespace)
	}
	s := sweep{cluster: c, namespace: namespace, of: metav1.ListOptions{LabelSelector: kube.OfRun(run)}, claims: map[types.UID]bool{}}
	vigil := kube.Vigil{}
	for begun := false; ; begun = true {
		left, err := s.once(ctx)
		if err != nil {
			return err
		}
		if len(left) == 0 && begun {
			break
		}
		if vigil.Rest(ctx); ctx.Err() != nil {
			return assay.WithHint("a pod on a node that is down is removed when the node is back; then run: assay cleanup",
				"kubernetes %s: namespace %s: not yet deleted: %s", c.Name(), namespace, strings.Join(left, ", "))
		}
	}
	if s.blind {
		return errors.Join(s.kept...)
	}
	err := c.SeeVolumesGone(ctx, namespace, s.claims)
	if len(s.claims) == 0 && kube.ReasonOf(err) == kube.Forbidden {
		err = nil
	}
	return errors.Join(append(s.kept, err)...)
}

type sweep struct {
	cluster   *kube.Cluster
	namespace string
	of        metav1.ListOptions
	claims    map[types.UID]bool // that were deleted
	blind     bool               // no permission to see volumes
	// As the last look found them:
	kept []error            // why claims stay
	pods map[types.UID]bool // that stay with their own claim
	jobs map[string]bool    // of these pods
}

// once deletes what is there, and returns what that was: claims first, because a
// pod's own claim goes with the pod, and its volume is then unknown.
func (s *sweep) once(ctx context.Context) (left []string, err error) {
	for _, each := range []func(context.Context) ([]string, error){s.dismissClaims, s.deleteJobs, s.deletePods} {
		some, err := each(ctx)
		if err != nil {
			return nil, err
		}
		left = append(left, some...)
	}
	return left, nil
}

func (s *sweep) lost(err error) error {
	return s.cluster.Explain("list what is left in namespace "+s.namespace, err)
}

func (s *sweep) deleted(what string, err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return s.cluster.Explain("delete "+what, err)
}

func background() metav1.DeleteOptions {
	policy := metav1.DeletePropagationBackground
	return metav1.DeleteOptions{PropagationPolicy: &policy}
}

func (s *sweep) dismissClaims(ctx context.Context) (left []string, err error) {
	claims := s.cluster.Client().PersistentVolumeClaims(s.namespace)
	list, err := claims.List(ctx, s.of)
	if err != nil {
		return nil, s.lost(err)
	}
	s.kept, s.pods, s.jobs = nil, map[types.UID]bool{}, map[string]bool{}
	for i := range list.Items {
		claim := &list.Items[i]
		if s.claims[claim.UID] {
			left = append(left, "claim "+claim.Name)
			continue
		}
		blind, err := s.cluster.LetClaimGo(ctx, claim)
		s.blind = s.blind || blind
		if err == nil {
			err = s.deleted("claim "+claim.Name, claims.Delete(ctx, claim.Name, background()))
		}
		if err != nil && (kube.Away(err) || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			s.keep(claim, err)
			continue
		}
		left = append(left, "claim "+claim.Name)
		s.claims[claim.UID] = true
	}
	return left, nil
}

// keep keeps a claim, and what it would go with.
func (s *sweep) keep(claim *corev1.PersistentVolumeClaim, why error) {
	s.kept = append(s.kept, why)
	if pod := kube.OwnPod(claim); pod != "" {
		s.pods[pod] = true
		s.jobs[claim.Labels[kube.LabelJob]] = true
	}
}

func (s *sweep) deleteJobs(ctx context.Context) (left []string, err error) {
	jobs := s.cluster.Client().Jobs(s.namespace)
	list, err := jobs.List(ctx, s.of)
	if err != nil {
		return nil, s.lost(err)
	}
	for _, job := range list.Items {
		if s.jobs[job.Name] {
			continue
		}
		left = append(left, "job "+job.Name)
		if err := s.deleted("job "+job.Name, jobs.Delete(ctx, job.Name, background())); err != nil {
			return nil, err
		}
	}
	return left, nil
}

func (s *sweep) deletePods(ctx context.Context) (left []string, err error) {
	pods := s.cluster.Client().Pods(s.namespace)
	list, err := pods.List(ctx, s.of)
	if err != nil {
		return nil, s.lost(err)
	}
	for _, pod := range list.Items {
		if s.pods[pod.UID] {
			continue
		}
		left = append(left, "pod "+pod.Name+" on node "+pod.Spec.NodeName)
		if pod.DeletionTimestamp != nil {
			continue
		}
		if err := s.deleted("pod "+pod.Name, pods.Delete(ctx, pod.Name, background())); err != nil {
			return nil, err
		}
	}
	return left, nil
}
