package kube

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
)

var theNode = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "pi1"}, Status: corev1.NodeStatus{
	Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
	NodeInfo:   corev1.NodeSystemInfo{Architecture: "arm64"}}}

// aPicture returns a starting pod's picture, changed.
func aPicture(change func(*picture)) picture {
	p := picture{namespace: "ns", name: "job",
		job: &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "job"}},
		pod: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "job-1"},
			Spec:   corev1.PodSpec{NodeName: "pi1", Containers: []corev1.Container{{Name: "istio-proxy", Image: "istio:1"}, {Name: ContainerName, Image: "debian:12"}}},
			Status: corev1.PodStatus{Phase: corev1.PodPending}},
		node: theNode.DeepCopy()}
	change(&p)
	return p
}

func state(p *picture, s corev1.ContainerState) {
	p.pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: ContainerName, State: s}}
}

// beside puts the state of a foreign container before that of assay's.
func beside(p *picture, s corev1.ContainerState) {
	p.pod.Status.ContainerStatuses = append([]corev1.ContainerStatus{{Name: "istio-proxy", State: s}}, p.pod.Status.ContainerStatuses...)
}

func happened(p *picture, object, reason, message string) {
	p.events = append(p.events, corev1.Event{InvolvedObject: corev1.ObjectReference{Name: object}, Reason: reason, Message: message,
		LastTimestamp: metav1.Time{Time: time.Unix(int64(len(p.events)), 0)}})
}

func waits(reason, message string) func(*picture) {
	return func(p *picture) {
		state(p, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}})
	}
}

// Every cause named gets its advice, always in the same order.
func TestEveryCauseHasItsAdvice(t *testing.T) {
	const said = "0/3 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable, 1 node(s) had untolerated taint {a: b}."
	const want = "add the taint to tolerations:; make the node schedulable again: kubectl uncordon NODE; lower requests:, or free up resources on the node"
	for range 20 {
		if got := schedulingAdvice(said); got != want {
			t.Fatalf("%q", got)
		}
	}
	if got := schedulingAdvice("no reason"); got != "" {
		t.Errorf("%q", got)
	}
}

func unscheduled(message string) func(*picture) {
	return func(p *picture) {
		p.pod.Spec.NodeName, p.node = "", nil
		p.pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Message: message}}
	}
}

func over(reason, message string, exit int32, log string) func(*picture) {
	return func(p *picture) {
		p.pod.Status.Phase = corev1.PodFailed
		p.log = log
		state(p, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: reason, Message: message, ExitCode: exit}})
	}
}

func refusedWith(message string) func(*picture) {
	return func(p *picture) { p.pod = nil; happened(p, "job", "FailedCreate", message) }
}

func gonePod(change func(*picture)) func(*picture) {
	return func(p *picture) { p.last, p.pod = p.pod, nil; change(p) }
}

// The messages are those printed by Kubernetes, containerd and CRI-O.
func TestDiagnose(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*picture)
		reason  Reason
		says    string
		passing bool
	}{
		"on its way": {func(*picture) {}, "", "", false},
		"runs": {func(p *picture) {
			p.pod.Status.Phase = corev1.PodRunning
			state(p, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
		}, "", "", false},
		"is made":            {waits("ContainerCreating", ""), "", "", false},
		"image back-off":     {waits("ImagePullBackOff", `Back-off pulling image "debian:12"`), Image, "cannot pull image debian:12 on node pi1", true},
		"no such platform":   {waits("ErrImagePull", "no match for platform in manifest: not found"), Architecture, "not built for arm64", false},
		"runc cannot exec":   {waits("RunContainerError", `runc create failed: exec: "/bin/sh": exec format error`), Architecture, "node pi1", false},
		"must not be root":   {waits("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"), Container, "runAsNonRoot", false},
		"foreign":            {over("Error", "", 255, "exec /bin/sh: exec format error\n"), Architecture, "debian:12", false},
		"out of memory":      {over("OOMKilled", "", 137, ""), Memory, "exceeded its memory limit", false},
		"ended":              {over("Error", "", 3, "apt-get: one\nE: two\n"), Container, "status 3 instead of waiting for commands: E: two", false},
		"refused by kubelet": {func(p *picture) { p.pod.Status.Phase, p.pod.Status.Reason = corev1.PodFailed, "OutOfcpu" }, Scheduling, "OutOfcpu", false},
		"evicted by kubelet": {func(p *picture) {
			p.pod.Status.Phase, p.pod.Status.Reason, p.pod.Status.Message = corev1.PodFailed, "Evicted", "The node was low on resource: ephemeral-storage."
		}, Evicted, "low on resource", false},
		"a taint":       {unscheduled("0/1 nodes are available: 1 node(s) had untolerated taint {a: b}."), Scheduling, "untolerated taint", true},
		"volume's node": {unscheduled("0/2 nodes are available: 1 node(s) had volume node affinity conflict."), Scheduling, "volume node affinity", true},
		"no claim":      {unscheduled(`persistentvolumeclaim "x" not found`), Claim, "is waiting for a claim", true},
		"no volume": {func(p *picture) {
			unscheduled("0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.")(p)
			p.claims = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
		}, Claim, "claim data (no storage class, 0) is not bound", true},
		"no class": {func(p *picture) {
			unscheduled("pod has unbound immediate PersistentVolumeClaims")(p)
			p.claims = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
			happened(p, "data", "ProvisioningFailed", `storageclass.storage.k8s.io "fast" not found`)
		}, Claim, `"fast" not found`, false},
		"mount": {func(p *picture) {
			waits("ContainerCreating", "")(p)
			happened(p, "job-1", "FailedMount", `MountVolume.SetUp failed for volume "x"`)
		}, Mount, "MountVolume.SetUp failed", true},
		"mounted since, and a slow pull": {func(p *picture) {
			waits("ContainerCreating", "")(p)
			happened(p, "job-1", "FailedMount", `MountVolume.SetUp failed for volume "x"`)
			happened(p, "job-1", "Pulling", "Pulling image")
		}, "", "", false},
		"attached since": {func(p *picture) {
			waits("ContainerCreating", "")(p)
			happened(p, "job-1", "FailedAttachVolume", "Multi-Attach error")
			happened(p, "job-1", "SuccessfulAttachVolume", "")
		}, "", "", false},
		"attached, and not mounted": {func(p *picture) {
			happened(p, "job-1", "SuccessfulAttachVolume", "")
			happened(p, "job-1", "FailedMount", "no such device")
		}, Mount, "no such device", true},
		"set up since": {func(p *picture) {
			happened(p, "job-1", "FailedCreatePodSandBox", "network plugin is not ready")
			p.pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue}}
		}, "", "", false},
		"beside a sidecar": {func(p *picture) {
			waits("ImagePullBackOff", "Back-off")(p)
			beside(p, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
		}, Image, "debian:12", true},
		"only the sidecar waits": {func(p *picture) {
			p.pod.Status.Phase = corev1.PodRunning
			state(p, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
			beside(p, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}})
		}, "", "", false},
		"the sidecar goes on": {func(p *picture) {
			over("Error", "", 1, "could not install fio")(p)
			p.pod.Status.Phase = corev1.PodRunning
			beside(p, corev1.ContainerState{Running: &corev1.ContainerStateRunning{}})
		}, Container, "could not install fio", false},
		"sandbox": {func(p *picture) {
			happened(p, "job-1", "FailedCreatePodSandBox", "network plugin is not ready")
		}, Container, "network plugin", true},
		"node off": {func(p *picture) {
			p.node.Status.Conditions[0].Status, p.node.Status.Conditions[0].Message = corev1.ConditionUnknown, "Kubelet stopped posting node status."
		}, Node, "Kubelet stopped posting", false},
		"quota":           {refusedWith(`Error creating: pods "x" is forbidden: exceeded quota: q, requested: pods=1`), Quota, "exceeded quota: q", false},
		"limit":           {refusedWith(`Error creating: pods "x" is forbidden: maximum cpu usage per Container is 1, but limit is 2`), Limits, "maximum cpu", false},
		"security":        {refusedWith(`Error creating: pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged`), PodSecurity, "restricted:latest", false},
		"webhook":         {refusedWith(`Error creating: admission webhook "k.example" denied the request: no`), Admission, `"k.example" denied`, false},
		"no account yet":  {refusedWith(`Error creating: pods "x" is forbidden: error looking up service account ns/default: serviceaccount "default" not found`), Admission, "default", true},
		"pod not made":    {func(p *picture) { p.pod = nil }, "", "", false},
		"job deleted":     {gonePod(func(p *picture) { p.job = nil }), Removed, "job job was deleted", false},
		"namespace":       {gonePod(func(p *picture) { p.job, p.leaving = nil, true }), Removed, "namespace ns was deleted", false},
		"pod deleted":     {gonePod(func(*picture) {}), Removed, "pod job-1 on pi1 was deleted", false},
		"drained":         {gonePod(func(p *picture) { p.node.Spec.Unschedulable = true }), Evicted, "drained", false},
		"node is no more": {gonePod(func(p *picture) { p.node, p.nodeGone = nil, true }), Node, "gone with its node", false},
		"unseen node":     {gonePod(func(p *picture) { p.node = nil }), Removed, "was deleted", false},
		"preempted": {gonePod(func(p *picture) {
			p.last.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "PreemptionByScheduler"}}
		}), Evicted, "higher priority", false},
		"deadline": {gonePod(func(p *picture) {
			p.job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue, Reason: batchv1.JobReasonDeadlineExceeded}}
		}), Deadline, "exceeded its time limit", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := aPicture(c.change).diagnose()
			if c.reason == "" {
				if got != nil {
					t.Fatalf("%s: %v", got.Reason, got)
				}
				return
			}
			if got == nil {
				t.Fatal("nothing is wrong, it says")
			}
			if got.Reason != c.reason || !strings.Contains(got.Error(), c.says) || got.Passing != c.passing {
				t.Errorf("%s, passing %v: %v", got.Reason, got.Passing, got)
			}
		})
	}
}

// The newest of several events is reported.
func TestNewestEvent(t *testing.T) {
	p := aPicture(func(p *picture) {
		refusedWith("Error creating: first")(p)
		happened(p, "job", "FailedCreate", "Error creating: second")
		happened(p, "other", "FailedCreate", "Error creating: third")
	})
	if got := p.diagnose(); got == nil || got.Event != "FailedCreate: second" {
		t.Errorf("got %v", got)
	}
}

func TestProblemHasItsHint(t *testing.T) {
	err := error(&Problem{Reason: Quota, Text: "full", Advice: "ask for less"})
	if assay.Hint(err) != "ask for less" || err.Error() != "full" || ReasonOf(err) != Quota {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}
