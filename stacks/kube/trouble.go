package kube

import (
	"context"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// picture is all that a diagnosis looks at.
type picture struct {
	namespace string
	leaving   bool         // the namespace is gone, or about to be
	name      string       // of the Job
	job       *batchv1.Job // nil if there is none
	pod       *corev1.Pod  // its newest; nil if there is none
	last      *corev1.Pod  // as it was when it ran, nil if it never did
	claims    []corev1.PersistentVolumeClaim
	node      *corev1.Node // the pod's; nil if it has none or cannot be read
	nodeGone  bool
	events    []corev1.Event
	log       string // the last lines of a container that has ended
}

// Trouble says why the pod of a Job does not become ready, or is gone: a
// *Problem, or an error if that cannot be determined. nil means that the pod
// runs, or that nothing is wrong so far. last is the pod as last seen running,
// nil if it never was.
func (c *Cluster) Trouble(ctx context.Context, namespace, job string, last *corev1.Pod) error {
	p, err := c.look(ctx, namespace, job, last)
	if err != nil {
		return err
	}
	if problem := p.diagnose(); problem != nil {
		return problem
	}
	return nil
}

func (c *Cluster) look(ctx context.Context, namespace, name string, last *corev1.Pod) (picture, error) {
	p := picture{namespace: namespace, name: name, last: last}
	job, err := c.client.Jobs(namespace).Get(ctx, name)
	switch {
	case err == nil:
		p.job = job
	case !apierrors.IsNotFound(err):
		return p, c.Explain("get job "+name, err)
	default:
		space, err := c.client.Namespaces().Get(ctx, namespace)
		p.leaving = apierrors.IsNotFound(err) || err == nil && space.DeletionTimestamp != nil
	}
	if p.pod, err = c.PodOf(ctx, namespace, name); err != nil {
		return p, err
	}
	seen := p.pod
	if seen == nil {
		seen = last
	}
	objects := []string{name}
	if seen != nil {
		objects = append(objects, seen.Name)
		if seen.Spec.NodeName != "" {
			// Without the right to see nodes, the diagnosis is merely less
			// detailed.
			node, err := c.client.Nodes().Get(ctx, seen.Spec.NodeName)
			if err == nil {
				p.node = node
			}
			p.nodeGone = apierrors.IsNotFound(err)
		}
	}
	if p.pod != nil && running(p.pod) && p.pod.DeletionTimestamp == nil {
		return p, nil
	}
	for _, claim := range claimsOf(p.job) {
		found, err := c.client.PersistentVolumeClaims(namespace).Get(ctx, claim)
		if err == nil {
			p.claims = append(p.claims, *found)
			objects = append(objects, claim)
		}
	}
	for _, object := range objects {
		list, err := c.client.Events(namespace).List(ctx, metav1.ListOptions{
			FieldSelector: fields.OneTermEqualSelector("involvedObject.name", object).String()})
		if err == nil {
			p.events = append(p.events, list.Items...)
		}
	}
	if p.pod != nil && ended(p.pod) != nil {
		p.log, _ = c.Log(ctx, namespace, p.pod.Name, logLines)
	}
	return p, nil
}

// logLines are enough to see why a container ended.
const logLines = 20

// PodOf returns the newest pod of a Job, nil if there is none.
func (c *Cluster) PodOf(ctx context.Context, namespace, job string) (*corev1.Pod, error) {
	list, err := c.client.Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job})
	if err != nil {
		return nil, c.Explain("find the pod of job "+job, err)
	}
	var newest *corev1.Pod
	for i := range list.Items {
		pod := &list.Items[i]
		if newest == nil || newest.CreationTimestamp.Before(&pod.CreationTimestamp) {
			newest = pod
		}
	}
	return newest, nil
}

// Log returns the last lines printed by assay's container in a pod.
func (c *Cluster) Log(ctx context.Context, namespace, pod string, lines int64) (string, error) {
	bytes := int64(16 << 20)
	o := &corev1.PodLogOptions{Container: ContainerName, LimitBytes: &bytes, TailLines: &lines}
	text, err := c.client.Log(ctx, namespace, pod, o)
	if err != nil {
		return "", c.Explain("read the log of pod "+pod, err)
	}
	return string(text), nil
}

func claimsOf(job *batchv1.Job) []string {
	var names []string
	if job == nil {
		return nil
	}
	for _, v := range job.Spec.Template.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			names = append(names, v.PersistentVolumeClaim.ClaimName)
		}
	}
	return names
}

// stateOf returns the state of assay's container.
func stateOf(pod *corev1.Pod) corev1.ContainerState {
	for _, s := range pod.Status.ContainerStatuses {
		if s.Name == ContainerName {
			return s.State
		}
	}
	return corev1.ContainerState{}
}

func running(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodRunning && stateOf(pod).Running != nil
}

// ended returns how the pod's container ended, nil where it has not.
func ended(pod *corev1.Pod) *corev1.ContainerStateTerminated { return stateOf(pod).Terminated }

// waiting returns why the pod's container has not started, nil if it has.
func waiting(pod *corev1.Pod) *corev1.ContainerStateWaiting { return stateOf(pod).Waiting }

// event returns the newest event with one of those reasons about an object, "" for
// any; nil if there is none.
func (p picture) event(object string, reasons ...string) *corev1.Event {
	var newest *corev1.Event
	for i := range p.events {
		e := &p.events[i]
		if object != "" && e.InvolvedObject.Name != object || !slices.Contains(reasons, e.Reason) {
			continue
		}
		if newest == nil || !eventTime(e).Before(eventTime(newest)) {
			newest = e
		}
	}
	return newest
}

func eventTime(e *corev1.Event) *metav1.Time {
	if !e.LastTimestamp.IsZero() {
		return &e.LastTimestamp
	}
	if !e.EventTime.IsZero() {
		return &metav1.Time{Time: e.EventTime.Time}
	}
	return &e.CreationTimestamp
}

// told formats an event for people.
func told(e *corev1.Event) string {
	if e == nil {
		return ""
	}
	return e.Reason + ": " + strings.TrimSpace(e.Message)
}
