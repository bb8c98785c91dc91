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
	"assay/kube"
)

// Close deletes the Job, its pod and the claims that Open made, and waits until
// they are gone, for a minute at most; with Options.Keep it leaves them all. It is
// idempotent, and may be called again where it failed.
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
	name, claims, over := p.name, p.made, p.closed
	p.mu.Unlock()
	if over || p.options.Keep || name == "" && len(claims) == 0 {
		return nil
	}
	namespace := p.options.Namespace
	policy := metav1.DeletePropagationBackground
	o := metav1.DeleteOptions{PropagationPolicy: &policy}
	if name != "" {
		if err := p.cluster.Client().BatchV1().Jobs(namespace).Delete(ctx, name, o); err != nil && !apierrors.IsNotFound(err) {
			return p.cluster.Explain("delete job "+name, err)
		}
	}
	these, err := p.letGo(ctx, claims)
	if err != nil {
		return err
	}
	for _, claim := range claims {
		if err := p.cluster.Client().CoreV1().PersistentVolumeClaims(namespace).Delete(ctx, claim, o); err != nil && !apierrors.IsNotFound(err) {
			return p.cluster.Explain("delete claim "+claim, err)
		}
	}
	if err := p.seeGone(ctx, name, claims); err != nil {
		return err
	}
	if len(these) > 0 {
		if err := p.cluster.SeeVolumesGone(ctx, namespace, these); err != nil {
			return err
		}
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return nil
}

// letGo has the claims' volumes go with them, and gives the claims by UID: none
// where nobody may see volumes, which then go or stay as their class says.
func (p *Place) letGo(ctx context.Context, claims []string) (map[types.UID]bool, error) {
	these := map[types.UID]bool{}
	for _, name := range claims {
		claim, err := p.cluster.Client().CoreV1().PersistentVolumeClaims(p.options.Namespace).Get(ctx, name, metav1.GetOptions{})
		if err == nil {
			these[claim.UID] = true
		} else if !apierrors.IsNotFound(err) {
			return nil, p.cluster.Explain("look at claim "+name, err)
		}
	}
	if len(these) == 0 {
		return nil, nil
	}
	err := p.cluster.LetVolumesGo(ctx, p.options.Namespace, these)
	if kube.ReasonOf(err) == kube.Forbidden {
		return nil, nil
	}
	return these, err
}

// seeGone waits until nothing is left of what was deleted.
func (p *Place) seeGone(ctx context.Context, job string, claims []string) error {
	for {
		left, err := p.left(ctx, job, claims)
		if err == nil && len(left) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			if err != nil {
				return err
			}
			return assay.WithHint("where the node is off, they go when it is back, or when it is deleted: kubectl -n "+p.options.Namespace+" get job,pod,pvc",
				"namespace %s: still there: %s", p.options.Namespace, strings.Join(left, ", "))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (p *Place) left(ctx context.Context, job string, claims []string) ([]string, error) {
	var left []string
	core := p.cluster.Client().CoreV1()
	if job != "" {
		pod, err := p.cluster.PodOf(ctx, p.options.Namespace, job)
		if err != nil {
			return nil, err
		}
		if pod != nil {
			left = append(left, leaving(pod))
		}
		switch _, err := p.cluster.Client().BatchV1().Jobs(p.options.Namespace).Get(ctx, job, metav1.GetOptions{}); {
		case err == nil:
			left = append(left, "job "+job)
		case !apierrors.IsNotFound(err):
			return nil, p.cluster.Explain("look for job "+job, err)
		}
	}
	for _, claim := range claims {
		switch _, err := core.PersistentVolumeClaims(p.options.Namespace).Get(ctx, claim, metav1.GetOptions{}); {
		case err == nil:
			left = append(left, "claim "+claim)
		case !apierrors.IsNotFound(err):
			return nil, p.cluster.Explain("look for claim "+claim, err)
		}
	}
	return left, nil
}

func leaving(pod *corev1.Pod) string {
	if pod.Spec.NodeName == "" {
		return "pod " + pod.Name
	}
	return "pod " + pod.Name + " on node " + pod.Spec.NodeName
}
