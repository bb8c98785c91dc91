package kube

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/stacks/kube"
)

func mounted(level kube.Security, path string, persists bool) kube.Attachment {
	return kube.Attachment{Security: level, Path: path, Persists: persists,
		Volume: &corev1.Volume{Name: "v"}, Mount: &corev1.VolumeMount{Name: "v", MountPath: path}}
}

// The pod has no more rights than its attachments and image need.
func TestRights(t *testing.T) {
	device := kube.Attachment{Security: kube.Privileged, Privileged: true, Path: "/dev/x", Device: &corev1.VolumeDevice{Name: "v", DevicePath: "/dev/x"}}
	for name, c := range map[string]struct {
		options    Options
		level      kube.Security
		root       bool
		privileged bool
	}{
		"an image that has all": {Options{Image: "x"}, kube.Restricted, false, false},
		"the default":           {Options{}, kube.Baseline, true, false},
		"what installs":         {Options{Image: "x", Install: []string{"fio"}}, kube.Baseline, true, false},
		"a claim":               {Options{Image: "x", Attachments: []kube.Attachment{mounted(kube.Restricted, "/data", false)}}, kube.Restricted, false, false},
		"a host's path":         {Options{Image: "x", Attachments: []kube.Attachment{mounted(kube.Privileged, "/data", true)}}, kube.Privileged, true, false},
		"a host's device":       {Options{Image: "x", Attachments: []kube.Attachment{device}}, kube.Privileged, true, true},
		"the host's network":    {Options{Image: "x", HostNetwork: true}, kube.Privileged, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := New(nil, c.options).options
			if o.Security() != c.level {
				t.Errorf("level %s, want %s", o.Security(), c.level)
			}
			pod := o.pod()
			container := pod.Containers[0].SecurityContext
			if got := *pod.SecurityContext.RunAsUser == 0; got != c.root {
				t.Errorf("root %v", got)
			}
			if got := container.Privileged != nil && *container.Privileged; got != c.privileged {
				t.Errorf("privileged %v", got)
			}
			if !c.privileged && (*container.AllowPrivilegeEscalation || container.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault) {
				t.Errorf("it may get more rights: %+v", container)
			}
			if dropped := container.Capabilities != nil; dropped != (c.level == kube.Restricted) {
				t.Errorf("capabilities %v", container.Capabilities)
			}
			if *pod.AutomountServiceAccountToken || pod.RestartPolicy != corev1.RestartPolicyNever {
				t.Error("it has an account of the cluster, or is started again")
			}
		})
	}
}

// The waiter is given only what outlives the pod, each as a word of its own.
func TestJob(t *testing.T) {
	o := New(nil, Options{Host: assay.Host{Name: "SD card@node1"}, Run: "20250101-abc", Tier: "sd card", Node: "node1", HostNetwork: true, Deadline: 90 * time.Second,
		Attachments: []kube.Attachment{mounted(kube.Privileged, "/a b", true), mounted(kube.Restricted, "/scratch", false)}}).options
	job := o.job("name", time.Minute)
	if *job.Spec.ActiveDeadlineSeconds != 90 || *job.Spec.TTLSecondsAfterFinished != 60 || *job.Spec.BackoffLimit != 0 {
		t.Errorf("the job is %+v", job.Spec)
	}
	o.Keep = true
	if spec := o.job("name", time.Minute).Spec; spec.ActiveDeadlineSeconds != nil || spec.TTLSecondsAfterFinished != nil {
		t.Errorf("one that is kept ends by itself: %+v", spec)
	}
	if got := job.Spec.Template.Labels; got[kube.LabelRun] != "20250101-abc" || got[kube.LabelTier] != "sd-card" || got[kube.LabelManagedBy] != "assay" {
		t.Errorf("labels %v", got)
	}
	pod := job.Spec.Template.Spec
	if args := strings.Join(pod.Containers[0].Args, "|"); args != "fio iperf3 ping|/a b" {
		t.Errorf("the waiter gets %q", args)
	}
	if pod.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0] != "node1" || len(pod.SecurityContext.Sysctls) != 0 {
		t.Errorf("the pod is %+v", pod)
	}
}

// Claims are labelled as the Job's, and no two places share a claim name:
// attachments give nas.1 and nas-1 the same name, and long names too.
func TestClaims(t *testing.T) {
	kind := kube.Attachment{Claim: &corev1.PersistentVolumeClaim{}, Volume: &corev1.Volume{Name: "nas-1", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "nas-1"}}}}
	kind.Claim.Name = "nas-1"
	own := kube.Attachment{Volume: &corev1.Volume{Name: "own", VolumeSource: corev1.VolumeSource{
		Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{}}}}}
	o := Options{Namespace: "ns", Run: "run1", Tier: "nas.1", Attachments: []kube.Attachment{kind, own}}
	if n := len(o.claimed()); n != 2 {
		t.Errorf("%d claims are made", n)
	}
	one, names := o.ownedBy("job-1")
	two, _ := o.ownedBy("job-2")
	claim, volume := one.Attachments[0].Claim, one.Attachments[0].Volume
	if claim.Name == two.Attachments[0].Claim.Name || !strings.HasPrefix(claim.Name, "nas-1-") || names["nas-1"] != claim.Name || volume.PersistentVolumeClaim.ClaimName != claim.Name {
		t.Errorf("%q (%v) and %q, and the volume's is %q", claim.Name, names, two.Attachments[0].Claim.Name, volume.PersistentVolumeClaim.ClaimName)
	}
	want := map[string]string{kube.LabelManagedBy: "assay", kube.LabelRun: "run1", kube.LabelTier: "nas.1", kube.LabelJob: "job-1"}
	for _, labels := range []map[string]string{claim.Labels, one.Attachments[1].Volume.Ephemeral.VolumeClaimTemplate.Labels} {
		if !maps.Equal(labels, want) {
			t.Errorf("labels %v", labels)
		}
	}
	if kind.Claim.Name != "nas-1" || kind.Claim.Labels != nil || own.Volume.Ephemeral.VolumeClaimTemplate.Labels != nil || kind.Volume.PersistentVolumeClaim.ClaimName != "nas-1" {
		t.Error("the attachments themselves were changed")
	}
	long := unique(strings.Repeat("x", 63), claimLimit)
	if len(long) != claimLimit || long == unique(strings.Repeat("x", 63), claimLimit) {
		t.Errorf("%q", long)
	}
}

// Kubernetes expands $$ and $(NAME) in a container's words.
func TestLiteral(t *testing.T) {
	o := Options{Attachments: []kube.Attachment{mounted(kube.Privileged, "/a$(HOME)", true)}}
	c := o.container()
	for _, words := range append(c.Command, c.Args...) {
		if strings.Contains(strings.ReplaceAll(words, "$$", ""), "$") {
			t.Errorf("%q may be changed", words)
		}
	}
	if got := strings.ReplaceAll(c.Command[2], "$$", "$"); got != waiterScript {
		t.Errorf("the script is %q", got)
	}
}

func TestNames(t *testing.T) {
	valid := regexp.MustCompile(`^assay-[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	for _, host := range []string{"sd", "SD card@node1", "", strings.Repeat("long.", 40), "@@@"} {
		o := Options{Host: assay.Host{Name: host}}
		one, two := o.jobName(), o.jobName()
		if !valid.MatchString(one) || len(one) > nameLimit || one == two {
			t.Errorf("host %q: %q and %q", host, one, two)
		}
	}
}

func TestArchitectures(t *testing.T) {
	for image, c := range map[string]struct {
		arch string
		fits bool
	}{DefaultImage: {"riscv64", false}, "": {"arm64", true}, "example.org/own:1": {"riscv64", true}} {
		err := New(nil, Options{Image: image}).checkArchitecture(c.arch, "pi1")
		if (err == nil) != c.fits {
			t.Errorf("%q on %s: %v", image, c.arch, err)
		}
		if err != nil && (kube.ReasonOf(err) != kube.Architecture || !strings.Contains(err.Error(), "node pi1 is riscv64")) {
			t.Errorf("it says %v", err)
		}
	}
}
