package kube

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// refused says why a Job has no pod.
func (p picture) refused() *Problem {
	e := p.event(p.name, "FailedCreate")
	if e == nil {
		return nil
	}
	said := strings.TrimPrefix(strings.TrimSpace(e.Message), "Error creating: ")
	problem := &Problem{Reason: Admission, Text: "job " + p.name + " in namespace " + p.namespace + " cannot create its pod", Event: "FailedCreate: " + said}
	switch {
	case strings.Contains(said, "violates PodSecurity"):
		problem.Reason, problem.Advice = PodSecurity, securityAdvice
	case strings.Contains(said, "exceeded quota"), strings.Contains(said, "failed quota"):
		problem.Reason, problem.Advice = Quota, "set requests and limits that fit, or have the quota raised: kubectl -n "+p.namespace+" describe quota"
	case strings.Contains(said, " per Container is "), strings.Contains(said, " per Pod is "), strings.Contains(said, "limit to request ratio"):
		problem.Reason, problem.Advice = Limits, "set requests and limits that fit: kubectl -n "+p.namespace+" describe limitrange"
	case strings.Contains(said, "no PriorityClass"):
		problem.Advice = "kubectl get priorityclass"
	case strings.Contains(said, "service account"), strings.Contains(said, "serviceaccount"):
		problem.Passing = true // a namespace gets its own a moment after creation
	}
	return problem
}

// unscheduled says why no node accepts the pod.
func (p picture) unscheduled() *Problem {
	said := ""
	for _, c := range p.pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			said = c.Message
		}
	}
	if said == "" {
		return nil
	}
	if problem := p.unbound(said); problem != nil {
		return problem
	}
	problem := &Problem{Reason: Scheduling, Text: p.of(p.pod) + " cannot be scheduled", Event: said, Passing: true}
	problem.Advice = schedulingAdvice(said)
	return problem
}

// schedulingAdvice returns advice for every cause that the scheduler names: each
// node may have its own.
func schedulingAdvice(said string) string {
	var advice []string
	for _, cause := range []struct{ words, advice string }{
		{"didn't match Pod's node", "compare node: and selector: with kubectl get nodes --show-labels"},
		{"untolerated taint", "add the taint to tolerations:"},
		{"were unschedulable", "make the node schedulable again: kubectl uncordon NODE"},
		{"volume node affinity conflict", "use the node that the volume is on"},
		{"Too many pods", "remove pods from the node: it is at its pod limit"},
		{"Insufficient", "lower requests:, or free up resources on the node"},
	} {
		if strings.Contains(said, cause.words) {
			advice = append(advice, cause.advice)
		}
	}
	return strings.Join(advice, "; ")
}

// unbound says which claim keeps the pod from being scheduled, nil if none
// does.
func (p picture) unbound(said string) *Problem {
	blames := strings.Contains(said, "PersistentVolumeClaim") || strings.Contains(said, "persistentvolumeclaim") ||
		strings.Contains(said, "persistent volumes to bind") || strings.Contains(said, "enough free storage")
	for _, claim := range p.claims {
		if claim.Status.Phase == corev1.ClaimBound {
			continue
		}
		e := p.event(claim.Name, "ProvisioningFailed", "FailedBinding", "ExternalProvisioning")
		if e == nil && !blames {
			continue
		}
		problem := &Problem{Reason: Claim, Text: described(claim) + " is not bound", Event: told(e), Passing: true}
		switch {
		case e == nil:
			problem.Event = said
			problem.Advice = "no volume of that class, size and mode is free: kubectl get pv"
		case e.Reason == "ProvisioningFailed" && strings.Contains(e.Message, "storageclass") && strings.Contains(e.Message, "not found"):
			problem.Passing = false
			problem.Advice = "use one of: kubectl get storageclass"
		case e.Reason == "FailedBinding":
			problem.Advice = "give a storage class, or create a matching volume: kubectl get pv,storageclass"
		case e.Reason == "ExternalProvisioning":
			problem.Advice = "the storage class's provisioner may not be running: check its pods and their logs"
		}
		return problem
	}
	if blames {
		return &Problem{Reason: Claim, Text: p.of(p.pod) + " is waiting for a claim", Event: said, Passing: true}
	}
	return nil
}

func described(claim corev1.PersistentVolumeClaim) string {
	class := "no storage class"
	if claim.Spec.StorageClassName != nil && *claim.Spec.StorageClassName != "" {
		class = "class " + *claim.Spec.StorageClassName
	}
	size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	return fmt.Sprintf("claim %s (%s, %s)", claim.Name, class, size.String())
}

// stuck says why a container does not start, nil if it is merely on its way.
func (p picture) stuck(state *corev1.ContainerStateWaiting) *Problem {
	said := strings.TrimSpace(state.Reason + ": " + state.Message)
	image := imageOf(p.pod)
	if foreign(state.Message) {
		return p.foreignImage()
	}
	switch state.Reason {
	case "ErrImageNeverPull":
		return &Problem{Reason: Image, Text: "image " + image + " is not on node " + p.pod.Spec.NodeName + ", and pulling is not allowed", Event: said,
			Advice: "load it on the node, or allow pulling it (pull: IfNotPresent)"}
	case "InvalidImageName":
		return &Problem{Reason: Image, Text: fmt.Sprintf("invalid image name %q", image), Event: said}
	case "ErrImagePull", "ImagePullBackOff", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed":
		if e := p.event(p.pod.Name, "Failed"); e != nil && len(e.Message) > len(state.Message) {
			said = told(e) // the back-off says less than the failure before it
			if foreign(e.Message) {
				return p.foreignImage()
			}
		}
		return &Problem{Reason: Image, Text: "cannot pull image " + image + " on node " + p.pod.Spec.NodeName, Event: said, Passing: true,
			Advice: "check its name, and that the node can reach the registry; without a registry, load an image on the node and set image: to it"}
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PostStartHookError", "CrashLoopBackOff":
		return &Problem{Reason: Container, Text: p.of(p.pod) + ": the container cannot start", Event: said, Advice: shellAdvice(said)}
	}
	return nil
}

// unmounted says why a scheduled pod does not start, nil if it is merely on its
// way.
func (p picture) unmounted() *Problem {
	if e := p.lasting("FailedMount", "FailedAttachVolume", "FailedMapVolume"); e != nil {
		return &Problem{Reason: Mount, Text: p.of(p.pod) + ": a volume cannot be mounted", Event: told(e), Passing: true}
	}
	if e := p.lasting("FailedCreatePodSandBox"); e != nil {
		return &Problem{Reason: Container, Text: p.of(p.pod) + " cannot be set up", Event: told(e), Passing: true}
	}
	return nil
}

// lasting returns the pod's newest event with one of those reasons if it may still
// apply: events stay for an hour, even if the next attempt succeeded. The condition
// exists since Kubernetes 1.29.
func (p picture) lasting(reasons ...string) *corev1.Event {
	for _, c := range p.pod.Status.Conditions {
		if c.Type == corev1.PodReadyToStartContainers && c.Status == corev1.ConditionTrue {
			return nil
		}
	}
	e, on := p.event(p.pod.Name, reasons...), p.event(p.pod.Name, "SuccessfulAttachVolume", "Pulling", "Pulled", "Created")
	// Event times are in whole seconds.
	if e != nil && on != nil && !eventTime(on).Before(eventTime(e)) {
		return nil
	}
	return e
}
