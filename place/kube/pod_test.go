package kube

import (
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/kube"
)

func mounted(level kube.Security, path string, persists bool) kube.Attachment {
	return kube.Attachment{Security: level, Path: path, Persists: persists,
		Volume: &corev1.Volume{Name: "v"}, Mount: &corev1.VolumeMount{Name: "v", MountPath: path}}
}

// The pod has no more rights than its attachments and its image need.
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

// Only what outlives the pod is told to the waiter, and every word is its own.
func TestJob(t *testing.T) {
	o := New(nil, Options{Host: assay.Host{Name: "SD card@node1"}, Run: "20250101-abc", Tier: "sd card", Node: "node1", HostNetwork: true, Deadline: 90 * time.Second,
		Attachments: []kube.Attachment{mounted(kube.Privileged, "/a b", true), mounted(kube.Restricted, "/scratch", false)}}).options
	job := o.job("name", time.Minute)
	if *job.Spec.ActiveDeadlineSeconds != 90 || *job.Spec.TTLSecondsAfterFinished != 60 || *job.Spec.BackoffLimit != 0 {
		t.Errorf("the job is %+v", job.Spec)
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
