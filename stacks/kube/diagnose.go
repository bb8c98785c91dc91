package kube

import (
	"fmt"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// diagnose returns nil if nothing is wrong so far. It is pure.
func (p picture) diagnose() *Problem {
	if p.pod == nil {
		if p.last != nil || p.job == nil || p.job.DeletionTimestamp != nil {
			return p.vanished()
		}
		if problem := p.overdue(); problem != nil {
			return problem
		}
		return p.refused()
	}
	if p.pod.DeletionTimestamp != nil || disruption(p.pod) != nil {
		return p.vanished()
	}
	if problem := p.overdue(); problem != nil {
		return problem
	}
	// If the pod has other containers, it does not end with assay's.
	if p.pod.Status.Phase == corev1.PodFailed || p.pod.Status.Phase == corev1.PodSucceeded || ended(p.pod) != nil {
		return p.failed()
	}
	if problem := p.nodeTrouble(); problem != nil {
		return problem
	}
	if state := waiting(p.pod); state != nil {
		if problem := p.stuck(state); problem != nil {
			return problem
		}
	}
	if p.pod.Spec.NodeName == "" {
		return p.unscheduled()
	}
	if !running(p.pod) {
		return p.unmounted()
	}
	return nil
}

func (p picture) of(pod *corev1.Pod) string {
	if pod != nil && pod.Spec.NodeName != "" {
		return "pod " + pod.Name + " on " + pod.Spec.NodeName
	}
	if pod != nil {
		return "pod " + pod.Name
	}
	return "the pod of job " + p.name
}

// overdue returns a problem if the Job's time is over.
func (p picture) overdue() *Problem {
	if p.job == nil {
		return nil
	}
	for _, c := range p.job.Status.Conditions {
		if (c.Type == batchv1.JobFailed || c.Type == batchv1.JobFailureTarget) && c.Status == corev1.ConditionTrue && c.Reason == batchv1.JobReasonDeadlineExceeded {
			return &Problem{Reason: Deadline, Text: "job " + p.name + " exceeded its time limit", Event: c.Message,
				Advice: "allow more time with --time-budget"}
		}
	}
	return nil
}

func disruption(pod *corev1.Pod) *corev1.PodCondition {
	for i, c := range pod.Status.Conditions {
		if c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// vanished says why a pod is gone, or soon will be.
func (p picture) vanished() *Problem {
	pod := p.pod
	if pod == nil {
		pod = p.last
	}
	if problem := p.overdue(); problem != nil {
		return problem
	}
	if pod != nil {
		for _, as := range []*corev1.Pod{p.pod, p.last} {
			if as == nil {
				continue
			}
			if c := disruption(as); c != nil {
				return p.evicted(pod, c)
			}
		}
	}
	switch {
	case p.leaving:
		return &Problem{Reason: Removed, Text: "namespace " + p.namespace + " was deleted, and " + p.of(pod) + " with it"}
	case p.job == nil || p.job.DeletionTimestamp != nil:
		return &Problem{Reason: Removed, Text: "job " + p.name + " was deleted by someone else"}
	case p.nodeGone:
		return &Problem{Reason: Node, Text: p.of(pod) + " is gone with its node"}
	case p.node != nil && !ready(p.node):
		return p.unready(pod)
	case p.node != nil && p.node.Spec.Unschedulable:
		return &Problem{Reason: Evicted, Text: p.of(pod) + " was evicted: the node was drained",
			Advice: "make it schedulable again (kubectl uncordon " + p.node.Name + ") and resume the run"}
	}
	return &Problem{Reason: Removed, Text: p.of(pod) + " was deleted by someone else",
		Event: told(p.event("", "Evicted", "Preempted", "TaintManagerEviction", "NodeShutdown"))}
}

// The reasons of the DisruptionTarget condition.
// https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions
var disruptions = map[string]string{
	"PreemptionByScheduler":  "preempted by a pod of higher priority",
	"DeletionByTaintManager": "it does not tolerate a taint of the node",
	"EvictionByEvictionAPI":  "the node was drained",
	"DeletionByPodGC":        "its node is gone",
	"TerminationByKubelet":   "its node was short of resources or shutting down",
}

func (p picture) evicted(pod *corev1.Pod, c *corev1.PodCondition) *Problem {
	why := disruptions[c.Reason]
	if why == "" {
		why = c.Reason
	}
	return &Problem{Reason: Evicted, Text: p.of(pod) + " was evicted: " + why, Event: c.Message}
}

func ready(node *corev1.Node) bool {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func (p picture) nodeTrouble() *Problem {
	if p.node == nil || ready(p.node) {
		return nil
	}
	return p.unready(p.pod)
}

func (p picture) unready(pod *corev1.Pod) *Problem {
	said := ""
	for _, c := range p.node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			said = c.Message
		}
	}
	return &Problem{Reason: Node, Text: p.of(pod) + ": the node is not ready", Event: said,
		Advice: "check its kubelet: systemctl status kubelet (k3s: k3s-agent)"}
}

// failed says why a container ended instead of waiting for commands.
func (p picture) failed() *Problem {
	pod := p.pod
	switch pod.Status.Reason {
	case "Evicted", "NodeShutdown", "Terminated", "Preempting":
		return &Problem{Reason: Evicted, Text: p.of(pod) + " was evicted", Event: pod.Status.Message}
	case "NodeLost":
		return &Problem{Reason: Node, Text: p.of(pod) + ": the node was lost", Event: pod.Status.Message}
	case "DeadlineExceeded":
		return &Problem{Reason: Deadline, Text: p.of(pod) + " exceeded its time limit", Event: pod.Status.Message}
	}
	state := ended(pod)
	if state == nil { // refused by the kubelet: OutOfcpu, NodeAffinity, UnexpectedAdmissionError
		return &Problem{Reason: Scheduling, Text: p.of(pod) + " was rejected by the node", Event: strings.TrimSpace(pod.Status.Reason + " " + pod.Status.Message)}
	}
	said := lastLine(p.log)
	if said == "" {
		said = strings.TrimSpace(state.Message)
	}
	switch {
	case foreign(p.log), foreign(state.Message):
		return p.foreignImage()
	case state.Reason == "OOMKilled":
		return &Problem{Reason: Memory, Text: p.of(pod) + " was killed: it exceeded its memory limit",
			Advice: "raise the memory limit (limits:)"}
	}
	return &Problem{Reason: Container, Text: fmt.Sprintf("%s exited with status %d instead of waiting for commands", p.of(pod), state.ExitCode),
		Event: said, Advice: shellAdvice(said)}
}

// shellAdvice returns the advice for an image without the shell to wait in.
func shellAdvice(said string) string {
	if strings.Contains(said, "no such file") || strings.Contains(said, "not found in $PATH") {
		return "the image must have /bin/sh"
	}
	return ""
}

// foreign reports whether a program is for another processor, in the words of the
// kernel, runc or crun.
func foreign(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "exec format error") || strings.Contains(text, "no match for platform")
}

func (p picture) foreignImage() *Problem {
	arch := "this node's architecture"
	if p.node != nil && p.node.Status.NodeInfo.Architecture != "" {
		arch = p.node.Status.NodeInfo.Architecture
	}
	return &Problem{Reason: Architecture,
		Text:   fmt.Sprintf("image %s is not built for %s (node %s): exec format error", imageOf(p.pod), arch, p.pod.Spec.NodeName),
		Advice: "use an image built for " + arch + ", or nodes of another architecture"}
}

func imageOf(pod *corev1.Pod) string {
	for _, c := range pod.Spec.Containers {
		if c.Name == ContainerName {
			return c.Image
		}
	}
	return ""
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
