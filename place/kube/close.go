package kube

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

// Close deletes the Job, its pod and the claims that Open made, and waits until they
// are gone, for a minute at most; with Options.Keep it leaves them all. A claim that
// must not be deleted stays, and with it the Job if its pod owns the claim; this is
// an error. Close is idempotent, and may be called again if it failed.
func (p *Place) Close() error {
	if p.options.Keep {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.times.close)
	defer cancel()
	if err := p.remove(ctx); err != nil {
		return fmt.Errorf("host %s: %w", p.options.Host.Name, err)
	}
	return nil
}

func (p *Place) remove(ctx context.Context) error {
	p.mu.Lock()
	job, over := p.name, p.closed
	p.mu.Unlock()
	if over || p.options.Keep || job == "" {
		return nil
	}
	// Deleting the Job deletes its pod, and with it any claim that the pod owns:
	// after that, nothing names the claim's volume.
	g := going{place: p, job: job, claims: map[types.UID]bool{}}
	if _, err := g.dismiss(ctx); err != nil {
		return err
	}
	if g.owned {
		return errors.Join(g.kept...)
	}
	err := p.cluster.Client().Jobs(p.options.Namespace).Delete(ctx, job, background())
	if err != nil && !apierrors.IsNotFound(err) {
		return p.cluster.Explain("delete job "+job, err)
	}
	err = g.see(ctx) // checks once more what is kept
	if err = errors.Join(append(g.kept, err)...); err != nil {
		return err
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return nil
}

func background() metav1.DeleteOptions {
	policy := metav1.DeletePropagationBackground
	return metav1.DeleteOptions{PropagationPolicy: &policy}
}

// claimsOf returns the claims made for the pod of a Job, by assay or, if the pod has
// volumes of its own, by Kubernetes.
func (p *Place) claimsOf(ctx context.Context, job string) ([]corev1.PersistentVolumeClaim, error) {
	if len(p.options.claimed()) == 0 {
		return nil, nil
	}
	list, err := p.cluster.Client().PersistentVolumeClaims(p.options.Namespace).List(ctx,
		metav1.ListOptions{LabelSelector: kube.LabelJob + "=" + job})
	if err != nil {
		return nil, p.cluster.Explain("list the claims of job "+job, err)
	}
	return list.Items, nil
}

// going is a deletion in progress.
type going struct {
	place  *Place
	job    string
	claims map[types.UID]bool // that were deleted
	blind  bool               // no right to see volumes: their class decides if they go
	// As of the last check:
	kept  []error // why claims stay
	owned bool    // one of them would go with the Job
}

// dismiss deletes the existing claims, with their volumes, and returns the names of
// those being deleted.
func (g *going) dismiss(ctx context.Context) (names []string, err error) {
	p := g.place
	claims, err := p.claimsOf(ctx, g.job)
	if err != nil {
		return nil, err
	}
	g.kept, g.owned = nil, false
	for i := range claims {
		claim := &claims[i]
		if !g.claims[claim.UID] {
			err := g.delete(ctx, claim)
			if err != nil && (kube.Away(err) || ctx.Err() != nil) {
				return nil, err
			}
			if err != nil {
				g.kept = append(g.kept, err)
				g.owned = g.owned || kube.OwnPod(claim) != ""
				continue
			}
			g.claims[claim.UID] = true
		}
		names = append(names, claim.Name)
	}
	return names, nil
}

func (g *going) delete(ctx context.Context, claim *corev1.PersistentVolumeClaim) error {
	cluster := g.place.cluster
	blind, err := cluster.LetClaimGo(ctx, claim)
	g.blind = g.blind || blind
	if err != nil {
		return err
	}
	err = cluster.Client().PersistentVolumeClaims(claim.Namespace).Delete(ctx, claim.Name, background())
	if err != nil && !apierrors.IsNotFound(err) {
		return cluster.Explain("delete claim "+claim.Name, err)
	}
	return nil
}

// see waits until nothing is left.
func (g *going) see(ctx context.Context) error {
	for vigil := (kube.Vigil{}); ; {
		left, err := g.left(ctx)
		if err == nil && len(left) == 0 {
			break
		}
		if vigil.Rest(ctx); ctx.Err() != nil {
			if err != nil {
				return err
			}
			return assay.WithHint("if the node is down, they are removed when it is back or deleted: kubectl -n "+g.place.options.Namespace+" get job,pod,pvc",
				"namespace %s: not yet deleted: %s", g.place.options.Namespace, strings.Join(left, ", "))
		}
	}
	if len(g.claims) == 0 || g.blind {
		return nil
	}
	return g.place.cluster.SeeVolumesGone(ctx, g.place.options.Namespace, g.claims)
}

func (g *going) left(ctx context.Context) ([]string, error) {
	cluster, namespace := g.place.cluster, g.place.options.Namespace
	var left []string
	pod, err := cluster.PodOf(ctx, namespace, g.job)
	if err != nil {
		return nil, err
	}
	if pod != nil {
		left = append(left, leaving(pod))
	}
	switch _, err := cluster.Client().Jobs(namespace).Get(ctx, g.job); {
	case err == nil:
		left = append(left, "job "+g.job)
	case !apierrors.IsNotFound(err):
		return nil, cluster.Explain("get job "+g.job, err)
	}
	claims, err := g.dismiss(ctx)
	for _, claim := range claims {
		left = append(left, "claim "+claim)
	}
	return left, err
}

func leaving(pod *corev1.Pod) string {
	if pod.Spec.NodeName == "" {
		return "pod " + pod.Name
	}
	return "pod " + pod.Name + " on node " + pod.Spec.NodeName
}
